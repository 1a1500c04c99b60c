/**
 * Values of conditions by the type of the property they are compared with (behaviour.md, section 2, "Value coercion by
 * property type").
 */
import { badQuery } from '../errors.js'
import type { ConditionValue } from '../query/ast.js'
import { readCalendar, type Calendar } from './calendar.js'
import { invalid, narrowBigInt, toBoolean, toBuffer, toDate, toGeoPoint, toText, type Invalid } from './convert.js'
import { decimalText } from './decimal.js'
import { notFinite, plainCopy, tooDeep } from './plain-copy.js'
import type { PropertyType } from './types.js'

/**
 * Stands for a value that no row can have, such as `'abc'` for a number: `eq` of it matches nothing, `neq` everything.
 */
export const unmatchable: unique symbol = Symbol('unmatchable')

/** Nesting of objects that are compared as a whole; the query's own depth limit is stricter. */
const maxDepth = 32

/**
 * Converts the value of a condition: numbers from numeric text, booleans from `'true'`, `'1'` …, dates from ISO text or
 * milliseconds. For an array property pass the type of its items when one element is compared. `null` and `undefined`
 * give null, which also stands for missing.
 * @throws RequestError 400 for a date, a day or a time of day that cannot be read
 */
export function coerceQueryValue (type: PropertyType, value: unknown): ConditionValue | typeof unmatchable {
  if (value === null || value === undefined) return null
  switch (type.kind) {
    case 'string':
      return type.calendar === undefined ? toQueryText(type, value) : toQueryCalendar(type.calendar, value)
    case 'number':
    case 'integer':
    case 'long':
    case 'bigint':
      return matchable(toQueryNumber(value))
    case 'decimal':
      return matchable(typeof value === 'boolean' ? invalid : decimalText(value, type.limits?.scale))
    case 'boolean':
      return matchable(toBoolean(value))
    case 'date':
      return toQueryDate(value)
    case 'buffer':
      return matchable(toBuffer(value))
    case 'geopoint': {
      const point = toGeoPoint(value)
      return point === invalid ? unmatchable : { ...point }
    }
    case 'array':
      return Array.isArray(value) || type.items === undefined ? freeForm(value) : coerceQueryValue(type.items, value)
    default:
      return freeForm(value)
  }
}

const matchable = <T extends ConditionValue>(value: T | Invalid): T | typeof unmatchable =>
  value === invalid ? unmatchable : value

/** As the text would have been stored: who asks for what was sent finds it. */
function toQueryText ({ transform }: PropertyType, value: unknown): string | typeof unmatchable {
  const text = toText(value)
  if (text === invalid) return unmatchable
  return transform === undefined ? text : transform(text)
}

/**
 * Digits beyond what a double holds are compared exactly, as bigints: no other row's number may match (security.md,
 * S-03).
 */
function toQueryNumber (value: unknown): number | bigint | Invalid {
  if (typeof value === 'number') return Number.isNaN(value) ? invalid : value
  if (typeof value === 'bigint') return narrowBigInt(value)
  if (typeof value !== 'string' || value.trim() === '') return typeof value === 'boolean' ? Number(value) : invalid
  const number = Number(value)
  if (Number.isNaN(number)) return invalid
  return !Number.isSafeInteger(number) && /^\s*[+-]?\d+\s*$/.test(value) ? BigInt(value) : number
}

function toQueryDate (value: unknown): Date {
  const ms = typeof value === 'string' && /^-?\d{5,}$/.test(value) ? Number(value) : value
  const date = toDate(ms)
  if (date === invalid) throw badQuery(`The value ${describe(value)} in the where clause is not a valid date`)
  return date
}

function toQueryCalendar (calendar: Calendar, value: unknown): string {
  const text = readCalendar(calendar, value)
  if (text !== invalid) return text
  const wanted = calendar === 'date' ? 'day, such as 2020-01-31' : 'time of day, such as 08:30:00'
  throw badQuery(`The value ${describe(value)} in the where clause is not a ${wanted}`)
}

const describe = (value: unknown): string => {
  const text = typeof value === 'object' ? 'given' : JSON.stringify(value) ?? 'given'
  return text.length > 40 ? `${text.slice(0, 37)}…` : text
}

function freeForm (value: unknown): ConditionValue | typeof unmatchable {
  const copy = plainCopy(value, maxDepth)
  return copy === tooDeep || copy === notFinite || copy === undefined ? unmatchable : copy as ConditionValue
}
