/**
 * Text to value: parameters of the path, the query and headers (request-parsing.md, section 3). One function per type,
 * chosen when a route is made.
 */
import { longLimit, sentenceOf } from '@fastback/core/remote'
import { parseDateTime, parseFullDate } from './rfc3339.js'

/** What is wrong with a value, without its place; `also` is wrong, too. */
export class ArgumentViolation {
  constructor (
    readonly code: string,
    readonly info: Readonly<Record<string, unknown>>,
    readonly message: string,
    readonly also?: ArgumentViolation
  ) {}
}

/** With the sentence that schemas have for the rule. */
export const violationOf = (
  code: string, info: Readonly<Record<string, unknown>>, also?: ArgumentViolation
): ArgumentViolation => new ArgumentViolation(code, Object.freeze(info), sentenceOf(code, info) ?? 'is not valid', also)

export const typeViolation = (type: string): ArgumentViolation => violationOf('type', { type })
const formatViolation = (format: string): ArgumentViolation => violationOf('format', { format })

/** Violations of scalar types; the same object every time. */
export const scalarViolations = {
  string: typeViolation('string'),
  number: typeViolation('number'),
  integer: typeViolation('integer'),
  long: formatViolation('int64'),
  boolean: typeViolation('boolean'),
  date: formatViolation('date'),
  'date-time': formatViolation('date-time')
} as const

export type ScalarType = keyof typeof scalarViolations

/** Beyond 64 bits a number breaks the limits that `int64` implies as well as the format. */
const beyondLong = {
  above: violationOf('maximum', { comparison: '<=', limit: longLimit }, scalarViolations.long),
  below: violationOf('minimum', { comparison: '>=', limit: -longLimit }, scalarViolations.long)
}

/**
 * Turns a text into a value of the type; an `ArgumentViolation` when it cannot be. The text is never empty for an
 * argument that is required.
 */
export type TextCoercer = (text: string) => unknown

export const textCoercers: Readonly<Record<ScalarType, TextCoercer>> = {
  string: text => text,
  number (text) {
    const number = toNumber(text)
    return Number.isNaN(number) ? scalarViolations.number : number
  },
  integer (text) {
    const number = toNumber(text)
    return Number.isInteger(number) ? number : scalarViolations.integer
  },
  long (text) {
    const number = toNumber(text)
    if (!Number.isInteger(number)) return scalarViolations.integer
    if (Number.isSafeInteger(number)) return number
    return number > longLimit ? beyondLong.above : number < -longLimit ? beyondLong.below : scalarViolations.long
  },
  boolean (text) {
    // Small letters, not capitals: "falſe" in capitals is FALSE.
    switch (text.length <= 5 ? text.toLowerCase() : '') {
      case 'true': case '1': return true
      case 'false': case '0': return false
      default: return scalarViolations.boolean
    }
  },
  // LoopBack 3 clients send instants for `date`; a full-date is midnight UTC.
  date: text => parseFullDate(text) ?? parseDateTime(text) ?? scalarViolations.date,
  'date-time': text => parseDateTime(text) ?? scalarViolations['date-time']
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
