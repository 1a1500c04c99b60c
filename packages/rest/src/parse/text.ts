/**
 * Text to value: parameters of the path, the query and headers (request-parsing.md, section 3). One function per type,
 * chosen when a route is made.
 */
import { longLimit } from '@fastback/core/remote'
import { parseDateTime, parseFullDate } from './rfc3339.js'

/** What is wrong with a value, without its place; `also` is wrong, too. */
export class Fault {
  constructor (
    readonly code: string,
    readonly info: Readonly<Record<string, unknown>>,
    readonly message: string,
    readonly also?: Fault
  ) {}
}

export const typeFault = (type: string): Fault => new Fault('type', Object.freeze({ type }), `must be ${type}`)
const formatFault = (format: string): Fault =>
  new Fault('format', Object.freeze({ format }), `must match format "${format}"`)

/** Faults of scalar types; the same object every time. */
export const scalarFaults = {
  string: typeFault('string'),
  number: typeFault('number'),
  integer: typeFault('integer'),
  long: formatFault('int64'),
  boolean: typeFault('boolean'),
  date: formatFault('date'),
  'date-time': formatFault('date-time')
} as const

export type ScalarType = keyof typeof scalarFaults

/** Beyond 64 bits a number breaks the limits that `int64` implies as well as the format. */
const beyondLong = {
  above: new Fault(
    'maximum',
    Object.freeze({ comparison: '<=', limit: longLimit }),
    `must be <= ${longLimit}`,
    scalarFaults.long
  ),
  below: new Fault(
    'minimum',
    Object.freeze({ comparison: '>=', limit: -longLimit }),
    `must be >= ${-longLimit}`,
    scalarFaults.long
  )
}

/**
 * Turns a text into a value of the type; a `Fault` when it cannot be. The text is never empty for an argument that is
 * required.
 */
export type TextCoercer = (text: string) => unknown

export const textCoercers: Readonly<Record<ScalarType, TextCoercer>> = {
  string: text => text,
  number (text) {
    const number = toNumber(text)
    return Number.isNaN(number) ? scalarFaults.number : number
  },
  integer (text) {
    const number = toNumber(text)
    return Number.isInteger(number) ? number : scalarFaults.integer
  },
  long (text) {
    const number = toNumber(text)
    if (!Number.isInteger(number)) return scalarFaults.integer
    if (Number.isSafeInteger(number)) return number
    return number > longLimit ? beyondLong.above : number < -longLimit ? beyondLong.below : scalarFaults.long
  },
  boolean (text) {
    // Small letters, not capitals: "falſe" in capitals is FALSE.
    switch (text.length <= 5 ? text.toLowerCase() : '') {
      case 'true': case '1': return true
      case 'false': case '0': return false
      default: return scalarFaults.boolean
    }
  },
  // LoopBack 3 clients send instants for `date`; a full-date is midnight UTC.
  date: text => parseFullDate(text) ?? parseDateTime(text) ?? scalarFaults.date,
  'date-time': text => parseDateTime(text) ?? scalarFaults['date-time']
}

/** `Number(text)`, but the empty text is no number. */
const toNumber = (text: string): number => text === '' ? NaN : Number(text)

const canonicalNumber = /^-?(?:0|[1-9]\d{0,15})(?:\.\d{1,15})?$/

/**
 * The value of a path segment whose type is `any` (ids and foreign keys): a number where the text is how that number is
 * written and the number is exact, else the text itself. Never JSON, never a boolean or null (security.md, S-01).
 */
export function pathValue (text: string): unknown {
  if (!canonicalNumber.test(text)) return text
  const number = Number(text)
  return String(number) === text && (Number.isSafeInteger(number) || !Number.isInteger(number)) ? number : text
}
