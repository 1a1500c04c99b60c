/** Records of an import as rows of a model: mapped, turned into values, and checked before anything is sent. */
import type { ApiDescription } from '../../api/description.js'
import { kindOf } from '../models/kinds.js'
import type { DataModel } from '../models/models.js'
import { valueOf as memberOf, type Property } from '../models/properties.js'
import type { ImportRecord, ImportSource } from './import-source.js'

/** The property of each name of the file; an empty text leaves it out. */
export type Mapping = Readonly<Record<string, string>>

export interface CheckedRow {
  readonly at: number
  readonly body: Readonly<Record<string, unknown>>
  /** What is wrong, in words. */
  readonly errors: readonly string[]
}

const bare = (name: string): string => name.toLowerCase().replaceAll(/[\s_.-]/g, '')

/**
 * The properties that names of a file are likely to mean.
 *
 * ```js
 * likelyMapping(['Author ID', 'x'], properties) // { 'Author ID': 'authorId', x: '' }
 * ```
 */
export function likelyMapping (names: readonly string[], properties: readonly Property[]): Mapping {
  const taken = new Set<string>()
  return Object.fromEntries(names.map(name => {
    const found = properties.find(property => property.name === name) ??
      properties.find(property => bare(property.name) === bare(name) && !names.includes(property.name))
    if (found === undefined || taken.has(found.name)) return [name, '']
    taken.add(found.name)
    return [name, found.name]
  }))
}

/** Checks one record. */
function checkRecord (
  { at, values }: ImportRecord, { isText }: Pick<ImportSource, 'isText'>, mapping: Mapping, properties: readonly Property[],
  model: DataModel, description: ApiDescription
): CheckedRow {
  const errors: string[] = []
  const body: Record<string, unknown> = {}
  for (const [name, raw] of Object.entries(values)) {
    const property = properties.find(each => each.name === mapping[name])
    if (property === undefined) continue
    try {
      const value = isText ? valueOf(String(raw), property, model, description) : raw
      if (value === undefined) continue
      body[property.name] = value
      const wrong = wrongIn(value, property)
      if (wrong !== undefined) errors.push(`${property.name} ${wrong}`)
    } catch (error) {
      errors.push(`${property.name} ${(error as Error).message}`)
    }
  }
  for (const { name, required } of properties) {
    const value = memberOf(body, name)
    const isMissing = value === undefined || value === null
    if (required && isMissing && !errors.some(error => error.startsWith(`${name} `))) errors.push(`${name} is required`)
  }
  return { at, body, errors }
}

/** The value that a text stands for. @throws Error without its subject */
function valueOf (text: string, property: Property, model: DataModel, description: ApiDescription): unknown {
  const { schema } = property
  const kind = kindOf(model, property, description)
  const plain = text.trim()
  if (plain === '') return undefined
  switch (kind) {
    case 'text': case 'date': case 'time': return text
    case 'yes-no': return yesOrNo(plain)
    case 'number': return numberIn(plain)
    case 'moment': return momentIn(plain)
    case 'choice': return (schema.enum as unknown[]).find(choice => String(choice) === plain) ?? plain
    case 'key': return schema.type === 'string' ? plain : numberIn(plain)
    case 'list': case 'keys': return plain.startsWith('[') ? jsonIn(plain) : itemsIn(plain)
    case 'point': return plain.startsWith('{') ? jsonIn(plain) : plain
    case 'file': throw new Error('holds files, which are not imported')
    default: return jsonIn(plain)
  }
}

const itemsIn = (text: string): string[] => text.split(/[,;\n]/).map(each => each.trim()).filter(each => each !== '')

function yesOrNo (text: string): boolean {
  const word = text.toLowerCase()
  if (['true', 'yes', '1', 'x'].includes(word)) return true
  if (['false', 'no', '0'].includes(word)) return false
  throw new Error('must be yes or no')
}

function numberIn (text: string): unknown {
  const value = Number(text)
  if (!Number.isFinite(value)) throw new Error('must be a number')
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? text : value
}

function momentIn (text: string): string {
  const moment = new Date(text)
  if (Number.isNaN(moment.getTime())) throw new Error('must be a date')
  return moment.toISOString()
}

function jsonIn (text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('must be JSON')
  }
}

const typeWords: Readonly<Record<string, string>> = {
  array: 'a list', object: 'an object', string: 'a text', boolean: 'yes or no'
}

/** What the schema says against a value, as far as that can be told here; the API decides. */
function wrongIn (value: unknown, { schema, nullable }: Property): string | undefined {
  if (value === null) return nullable ? undefined : 'must not be null'
  const { type, enum: choices, minimum, maximum, minLength, maxLength } = schema
  if (Array.isArray(choices) && !choices.includes(value)) return `must be one of ${choices.slice(0, 8).map(String).join(', ')}`
  const is = Array.isArray(value) ? 'array' : typeof value
  const wanted = type === 'integer' ? 'number' : type
  const isLong = schema.format === 'int64' || (wanted === 'number' && is === 'string' && Number.isFinite(Number(value)))
  if (wanted !== undefined && wanted !== is && !isLong) return `must be ${typeWords[String(wanted)] ?? 'a number'}`
  if (typeof value === 'number') {
    if (minimum !== undefined && value < Number(minimum)) return `must be at least ${String(minimum)}`
    if (maximum !== undefined && value > Number(maximum)) return `must be at most ${String(maximum)}`
    if (type === 'integer' && !Number.isInteger(value)) return 'must be a whole number'
  }
  if (typeof value === 'string') {
    if (minLength !== undefined && value.length < Number(minLength)) return `must have at least ${String(minLength)} characters`
    if (maxLength !== undefined && value.length > Number(maxLength)) return `must have at most ${String(maxLength)} characters`
  }
  return undefined
}

/** Rows that are checked before the page is drawn again. */
const slice = 200

/** Checks all records, a slice at a time. */
export async function checkAll (
  source: ImportSource, mapping: Mapping, properties: readonly Property[], model: DataModel,
  description: ApiDescription, signal: AbortSignal
): Promise<CheckedRow[]> {
  const rows: CheckedRow[] = []
  const used = properties.filter(({ name, required }) => required || Object.values(mapping).includes(name))
  for (let from = 0; from < source.records.length && !signal.aborted; from += slice) {
    for (const record of source.records.slice(from, from + slice)) {
      rows.push(checkRecord(record, source, mapping, used, model, description))
    }
    await new Promise(resolve => { setTimeout(resolve) })
  }
  return rows
}
