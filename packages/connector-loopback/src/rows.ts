/** Rows on their way to a legacy connector and back. */
import type { PropertyType, Row, StoredModel } from '@fastback/core'
import { nameTaken } from './errors.js'
import { decimalText } from '@fastback/core/connector'
import { copyValue } from './copy.js'
import { isStoredName } from './stored-names.js'
import type { Traits } from './traits.js'

type ToJson = { toJSON?: () => unknown, toObject?: () => unknown }

/** Copies of all values that are set. */
export function copyRow (row: Row): Row {
  const copy: Row = {}
  for (const [name, value] of Object.entries(row)) if (value !== undefined) copy[name] = copyValue(value)
  return copy
}

const nested = ['object', 'array', 'model', 'any']

/**
 * A row as the connector stores it. Tables have text where we have objects; connectors leave text as it is, and would
 * write lists in their database's own form.
 * @throws RequestError 400 for a name under which the store has another property
 */
export function toLegacy (model: StoredModel, row: Row, { connector, relational }: Traits): Row {
  const out = copyRow(row)
  if (!relational) {
    for (const name of Object.keys(out)) if (isStoredName(model, name, connector)) throw nameTaken(name)
    return out
  }
  for (const [name, value] of Object.entries(out)) {
    const property = model.propertyByName.get(name)
    if (property === undefined) delete out[name]
    else if (nested.includes(property.type.kind) && value !== null && typeof value === 'object') {
      out[name] = isNativeList(property.definition) ? value : JSON.stringify(value)
    }
  }
  return out
}

/** PostgreSQL's own lists: `"postgresql": { "dataType": "varchar[]" }`. */
function isNativeList (definition: object): boolean {
  return Object.values(definition).some(
    mapping => String((mapping as { dataType?: unknown } | null)?.dataType ?? '').endsWith('[]')
  )
}

/** A row of ours from what a connector gave: a plain object, or one with `toObject`. */
export function fromLegacy (model: StoredModel, given: unknown): Row {
  const raw = (typeof (given as ToJson).toObject === 'function' ? (given as Required<ToJson>).toObject() : given) as Row
  const row: Row = {}
  for (const [name, value] of Object.entries(raw)) {
    if (value === undefined) continue
    const property = model.propertyByName.get(name)
    if (property !== undefined) row[name] = fromValue(property.type, value)
    else if (model.open) row[name] = copyValue(value)
  }
  return row
}

/** The value of a property's type that a connector means; one that it cannot mean stays as it is. */
export function fromValue (type: PropertyType, value: unknown): unknown {
  if (value === null) return null
  switch (type.kind) {
    case 'string': return typeof value === 'object' ? textOf(value) : value
    case 'number': case 'integer': return typeof value === 'number' ? value : toNumber(value)
    case 'long': case 'bigint': return toLong(value)
    case 'decimal': return toDecimal(type, value)
    case 'boolean': return toBoolean(value)
    case 'date': return toDate(value)
    case 'buffer': return toBuffer(value)
    case 'any': return typeof value === 'string' && /^[[{]/.test(value) ? parsed(value) : copyValue(plainOf(value))
    case 'geopoint': case 'object': case 'array': case 'model':
      return copyValue(typeof value === 'string' ? parsed(value) : plainOf(value))
    default: return value
  }
}

/** Ids of a class of their own (ObjectID) are text; what only says that it is an object stays what it is. */
function textOf (value: object): unknown {
  const { toString } = value
  return typeof toString !== 'function' || toString === Object.prototype.toString ? value : String(value)
}

/** Ids and lists of a class of their own (ObjectID, juggler's List) as JSON has them. */
function plainOf (value: unknown): unknown {
  if (value instanceof Date || Buffer.isBuffer(value) || typeof value !== 'object') return value
  return typeof (value as ToJson).toJSON === 'function' ? (value as Required<ToJson>).toJSON() : value
}

function parsed (text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function toNumber (value: unknown): unknown {
  const number = typeof value === 'object' && value instanceof Date ? NaN : Number(value)
  return Number.isNaN(number) ? value : number
}

function toLong (value: unknown): unknown {
  if (typeof value !== 'string' && typeof value !== 'bigint') return value
  if (typeof value === 'string' && !/^-?\d+$/.test(value)) return toNumber(value)
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : BigInt(value)
}

/** Drivers give a text, or a number where they were told to; what is no decimal stays as it is. */
function toDecimal ({ limits }: PropertyType, value: unknown): unknown {
  const text = decimalText(typeof value === 'object' && value !== null ? textOf(value) : value, limits?.scale)
  return typeof text === 'string' ? text : value
}

function toBoolean (value: unknown): unknown {
  if (typeof value === 'boolean') return value
  if (Buffer.isBuffer(value)) return value[0] === 1
  return value === 1 || value === '1' || value === 'true' || value === 't' || value === 'Y' || value === 'y'
}

function toDate (value: unknown): unknown {
  if (value instanceof Date) return new Date(value)
  const date = new Date(value as string)
  return Number.isNaN(date.getTime()) ? value : date
}

function toBuffer (value: unknown): unknown {
  if (Buffer.isBuffer(value)) return Buffer.from(value)
  if (value instanceof Uint8Array) return Buffer.from(value)
  if (typeof value === 'string') return Buffer.from(value, 'base64')
  const { data } = value as { data?: unknown }
  return Array.isArray(data) ? Buffer.from(data as number[]) : value
}
