/**
 * Example values, made from schemas. They satisfy the schema they are made from; where that takes guessing (`pattern`),
 * there is none.
 */
import type { Components } from './components.js'
import type { Schema } from '@fastback/ui/openapi'

/** Levels of nested objects that an example shows. */
const depth = 4

/** An example of a schema, or undefined when none can be made. */
export function exampleOf (schema: Schema, components: Components): unknown {
  return example(schema, '', components, depth)
}

/** Keywords that a value of a branch would have to satisfy, too. */
const asksOfValues = [
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
  'contains',
  'minProperties',
  'maxProperties',
  'required',
  'allOf',
  'not'
] as const

function example (written: Schema, name: string, components: Components, levels: number): unknown {
  const schema = components.resolve(written)
  const given = [
    ...((schema.examples as unknown[] | undefined) ?? []),
    schema.default,
    schema.const,
    ...((schema.enum as unknown[] | undefined) ?? [])
  ]
  // What a schema asks of all its branches, no branch knows.
  const branches =
    schema.type === undefined &&
    (schema.anyOf === undefined || schema.oneOf === undefined) &&
    !asksOfValues.some(keyword => schema[keyword] !== undefined)
      ? ((schema.anyOf ?? schema.oneOf ?? []) as Schema[])
      : []
  const fits = (value: unknown): boolean => value !== undefined && value !== null && isOfType(value, typeOf(schema))
  const found = given.find(fits) ?? branches.map(branch => example(branch, name, components, levels)).find(fits)
  const mustBeGiven =
    schema.anyOf !== undefined ||
    schema.oneOf !== undefined ||
    schema.enum !== undefined ||
    schema.const !== undefined ||
    schema.allOf !== undefined ||
    schema.not !== undefined
  return found ?? (mustBeGiven ? undefined : made(schema, name, components, levels))
}

function made (schema: Schema, name: string, components: Components, levels: number): unknown {
  switch (typeOf(schema)) {
    case 'string': return text(schema, name)
    case 'integer': return number(schema, true)
    case 'number': return number(schema, false)
    case 'boolean': return false
    case 'array': return list(schema, name, components, levels)
    case 'object': return object(schema, components, levels)
    default: return undefined
  }
}

function isOfType (value: unknown, type: unknown): boolean {
  switch (type) {
    case undefined: return true
    case 'array': return Array.isArray(value)
    case 'integer': return Number.isInteger(value)
    default: {
      const kind = typeof value
      return kind === type && !Array.isArray(value)
    }
  }
}

const typeOf = ({ type }: Schema): unknown => Array.isArray(type) ? type.find(each => each !== 'null') : type

/** Every member that has an example; undefined when a required one has none. */
function object (schema: Schema, components: Components, levels: number): unknown {
  if (levels <= 0) return undefined
  const required = (schema.required ?? []) as string[]
  const result: Record<string, unknown> = {}
  for (const [name, member] of Object.entries((schema.properties ?? {}) as Record<string, Schema>)) {
    // Tools would follow it.
    const value = name === '$ref' ? undefined : example(member, name, components, levels - 1)
    if (value !== undefined) {
      Object.defineProperty(result, name, { value, enumerable: true, configurable: true, writable: true })
    }
  }
  const complete =
    required.every(name => Object.hasOwn(result, name)) &&
    Object.keys(result).length >= Number(schema.minProperties ?? 0)
  return complete ? result : undefined
}

function list (schema: Schema, name: string, components: Components, levels: number): unknown {
  const {
    minItems = 0,
    uniqueItems,
    items,
    contains
  } = schema as { minItems?: number; uniqueItems?: boolean; items?: Schema; contains?: unknown }
  if (contains !== undefined || (uniqueItems === true && minItems > 1)) return undefined
  const item =
    items === undefined || levels <= 0 ? undefined : example(items, name.replace(/s$/, ''), components, levels - 1)
  if (item === undefined) return minItems === 0 ? [] : undefined
  return Array.from({ length: Math.max(1, minItems) }, () => item)
}

const byFormat: Readonly<Record<string, string>> = {
  'date-time': '2025-01-31T12:00:00.000Z',
  date: '2025-01-31',
  time: '12:00:00Z',
  'time-local': '12:00:00',
  email: 'jane@example.com',
  uuid: '6f1c2f0e-8f5d-4c55-9d6a-3c1f0a2b4d5e',
  uri: 'https://example.com/',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  byte: 'aGVsbG8=',
  binary: 'data'
}

const byName: Readonly<Record<string, string>> = { email: 'jane@example.com', password: 'correct horse battery' }

function text (schema: Schema, name: string): string | undefined {
  const {
    pattern,
    contentEncoding,
    format = contentEncoding === 'base64' ? 'byte' : undefined,
    minLength = 0,
    maxLength = Infinity
  } = schema as { pattern?: string; contentEncoding?: string; format?: string; minLength?: number; maxLength?: number }
  if (pattern !== undefined) return undefined
  if (format !== undefined) {
    const value = byFormat[format]
    return value !== undefined && value.length >= minLength && value.length <= maxLength ? value : undefined
  }
  const word = (Object.hasOwn(byName, name) ? byName[name] : name) || 'text'
  const long = word.length >= minLength ? word : word.repeat(Math.ceil(minLength / word.length))
  return [...long].slice(0, maxLength).join('')
}

function number (schema: Schema, whole: boolean): number | undefined {
  const {
    minimum = -Infinity,
    maximum = Infinity,
    exclusiveMinimum = -Infinity,
    exclusiveMaximum = Infinity,
    multipleOf
  } = schema as Record<string, number | undefined>
  const least = Math.max(minimum, exclusiveMinimum)
  const greatest = Math.min(maximum, exclusiveMaximum)
  const step = multipleOf ?? 1
  const next = Math.ceil(least / step) * step
  return [step, 0, next, next + step, (least + greatest) / 2].find(value => Number.isFinite(value) &&
    value >= minimum && value <= maximum && value > exclusiveMinimum && value < exclusiveMaximum &&
    (!whole || Number.isInteger(value)) && (multipleOf === undefined || Number.isInteger(value / multipleOf)))
}
