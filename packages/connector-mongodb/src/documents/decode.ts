/** From BSON values to those of rows. */
import type { PropertyType, Row } from '@fastback/core'
import { decimalOfKey, decimalText, withoutExponent } from '@fastback/core/connector'

/** A value of one of the driver's classes. */
interface BsonValue {
  readonly _bsontype: string
  toString (): string
}

const isBsonValue = (value: object): value is BsonValue => '_bsontype' in value && typeof value._bsontype === 'string'

/**
 * The value as the property's type says it. Values of BSON's own types are what JavaScript has for them: an ObjectID is
 * its text, a Long that a double does not hold a bigint, a Decimal128 its digits.
 */
export function decodeValue (value: unknown, type: PropertyType): unknown {
  const decoded = decodeFree(value)
  if (decoded === null || decoded === undefined) return decoded
  switch (type.kind) {
    case 'number':
    case 'integer':
      return typeof decoded === 'string' && isDecimal(value) ? Number(decoded) : decoded
    case 'decimal':
      return decimalOf(decoded, type)
    case 'date':
      return typeof decoded === 'string' || typeof decoded === 'number' ? toDate(decoded) : decoded
    case 'geopoint':
      return pointOf(decoded)
    case 'array':
      return Array.isArray(value) && type.items !== undefined
        ? value.map(item => decodeValue(item, type.items as PropertyType))
        : decoded
    default:
      return decoded
  }
}

/** What others stored, and is no decimal, stays as it is. */
function decimalOf (stored: unknown, { limits }: PropertyType): unknown {
  const digits = typeof stored === 'string' ? decimalOfKey(stored) ?? withoutExponent(stored) : stored
  const text = decimalText(digits, limits?.scale)
  return typeof text === 'string' ? text : stored
}

const isDecimal = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && isBsonValue(value) && value._bsontype === 'Decimal128'

/** Dates that others stored as text or milliseconds; what is no date stays as it is. */
function toDate (value: string | number): unknown {
  const date = new Date(value)
  return Number.isNaN(date.getTime()) ? value : date
}

/** A point of GeoJSON as `{ lat, lng }`. */
function pointOf (value: unknown): unknown {
  const { coordinates } = value as { coordinates?: unknown }
  return Array.isArray(coordinates) ? { lat: coordinates[1] as unknown, lng: coordinates[0] as unknown } : value
}

function decodeFree (value: unknown): unknown {
  if (value === null || typeof value !== 'object' || value instanceof Date) return value
  if (Array.isArray(value)) return value.map(decodeFree)
  if (value instanceof Uint8Array) return value
  if (value instanceof RegExp) return String(value)
  return isBsonValue(value) ? decodeBson(value) : decodeObject(value as Row)
}

function decodeBson (value: BsonValue): unknown {
  switch (value._bsontype) {
    case 'Long': {
      const whole = BigInt(value.toString())
      return Number.isSafeInteger(Number(whole)) ? Number(whole) : whole
    }
    case 'Int32':
    case 'Double':
      return Number(value.toString())
    case 'Binary':
      return Buffer.from((value as unknown as { buffer: Uint8Array }).buffer)
    default:
      return value.toString()
  }
}

/** A key `__proto__`, which only others can have stored, is left out: it would be no key of the row. */
function decodeObject (value: Row): Row {
  const row: Row = {}
  for (const key of Object.keys(value)) if (key !== '__proto__') row[key] = decodeFree(value[key])
  return row
}
