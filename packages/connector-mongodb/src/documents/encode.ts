/** From values of rows to BSON. */
import { decimalKey, decimalText } from '@fastback/core/connector'
import type { Driver } from '../driver.js'
import { refusedName, refusedValue } from '../errors.js'
import { isAnyObjectIdText, isObjectIdText } from './object-ids.js'

/**
 * Which texts become ObjectIDs: `always` in fields of that type (in any case), `text` where they look exactly like one
 * (other properties of texts), `never`.
 */
export type ObjectIdRule = 'always' | 'text' | 'never'

export interface EncodeRule {
  readonly objectIds: ObjectIdRule
  /** Numbers, and texts of numbers, are Decimal128. */
  readonly decimal: boolean
  /** Texts of decimals are stored as texts that sort as the numbers do. */
  readonly keys: boolean
  /** Points are GeoJSON. */
  readonly geoJson: boolean
}

const plain: EncodeRule = { objectIds: 'never', decimal: false, keys: false, geoJson: false }

/**
 * A copy of the value that shares nothing with it.
 * @param property for messages
 * @throws RequestError 400 for keys that MongoDB, or its driver, takes for something else than data; ValidationError
 * 422 for numbers that BSON does not have
 */
export function encodeValue (
  driver: Driver,
  value: unknown,
  rule: EncodeRule,
  model: string,
  property: string
): unknown {
  const encode = (value: unknown, rule: EncodeRule): unknown => {
    switch (typeof value) {
      case 'string':
        return rule.keys ? encodeDecimal(driver, value, rule, model, property) : encodeText(driver, value, rule)
      case 'number':
        return rule.decimal && Number.isFinite(value) ? driver.Decimal128.fromString(String(value)) : value
      case 'bigint':
        if (BigInt.asIntN(64, value) !== value) throw refusedValue(model, property, 'range', 'is too large a number')
        if (rule.decimal) return driver.Decimal128.fromString(String(value))
        return Number.isSafeInteger(Number(value)) ? Number(value) : driver.Long.fromBigInt(value)
      case 'object':
        return value === null ? null : encodeObject(value, rule)
      default:
        return value
    }
  }
  const encodeObject = (value: object, rule: EncodeRule): unknown => {
    if (value instanceof Date) return new Date(value.getTime())
    if (value instanceof Uint8Array) return new driver.Binary(Buffer.from(value))
    if (Array.isArray(value)) return value.map(item => encode(item ?? null, rule))
    const point = value as { lat?: unknown, lng?: unknown }
    if (rule.geoJson) return { type: 'Point', coordinates: [point.lat, point.lng].reverse() }
    const copy: Record<string, unknown> = {}
    for (const [key, member] of Object.entries(value)) {
      if (member === undefined || key === '__proto__') continue
      if (!isData(key)) throw refusedName(key)
      copy[key] = encode(member, plain)
    }
    return copy
  }
  return encode(value, rule)
}

/** Digits of a Decimal128. */
const most = 34

/** A decimal with all its digits; what is none stays a text. */
function encodeDecimal (
  driver: Driver, given: string, { decimal }: EncodeRule, model: string, property: string
): unknown {
  const text = decimalText(given)
  if (typeof text !== 'string') return given
  if (!decimal) return decimalKey(text)
  if (text.replace(/^-?[0.]*/, '').replace('.', '').length > most) {
    throw refusedValue(model, property, 'range', `has more than ${most} digits, which a Decimal128 does not hold`)
  }
  return driver.Decimal128.fromString(text)
}

function encodeText (driver: Driver, text: string, { objectIds, decimal }: EncodeRule): unknown {
  if (objectIds === 'always' ? isAnyObjectIdText(text) : objectIds === 'text' && isObjectIdText(text)) {
    return new driver.ObjectId(text)
  }
  return decimal && /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,4})?$/i.test(text)
    ? driver.Decimal128.fromStringWithRounding(text)
    : text
}

/**
 * Whether a key of an object is only data. One with `$` could be an operator or a reference, `_bsontype` names a class
 * of the driver, and BSON has no NUL in keys.
 */
export const isData = (key: string): boolean => !key.startsWith('$') && !key.includes('\0') && key !== '_bsontype'

/** Whether a name can be that of a field of a document: the database takes dots for paths. */
export const isFieldName = (name: string): boolean => name !== '' && isData(name) && !name.includes('.')
