/**
 * Decimal numbers with all their digits: texts, as no double holds them (property type `decimal`). One number has one
 * text, so that equal ones are equal texts: no exponent, no leading zeros, no zeros at the end beyond the scale.
 */
import { invalid, type Invalid } from './convert.js'
import { withoutZeros } from './decimal-order.js'

/** How many digits a decimal may have. */
export interface DecimalLimits {
  /** Digits in all. Default: 38. */
  readonly precision?: number
  /** Digits after the point, which are always written. Default: as many as the value has. */
  readonly scale?: number
}

/** Digits that a decimal has at most where its property does not say. */
export const defaultPrecision = 38

/** Digits that a property may allow: those of PostgreSQL's largest column. */
export const mostPrecision = 1000

/** Digits of a number from JavaScript or JSON that were certainly written so: of more a double keeps the nearest. */
const exactDigits = 15

const written = /^\s*([+-]?)(\d{1,1000})(?:\.(\d{1,1000}))?\s*$/

/**
 * The text of a decimal number, whatever its size; `invalid` for what is none. Texts have no exponent; numbers are
 * taken as JavaScript writes them.
 *
 * ```js
 * decimalText('007.50') // '7.5'
 * decimalText('-0') // '0'
 * decimalText(1e21) // '1000000000000000000000'
 * decimalText('12', 2) // '12.00'
 * ```
 * @param scale digits after the point that are written at least
 */
export function decimalText (value: unknown, scale = 0): string | Invalid {
  const [, sign, whole, fraction = ''] = written.exec(plainText(value)) ?? []
  if (whole === undefined) return invalid
  const digits = whole.replace(/^0+(?=\d)/, '')
  const places = withoutZeros(fraction).padEnd(scale, '0')
  const text = places === '' ? digits : `${digits}.${places}`
  return sign === '-' && /[1-9]/.test(text) ? `-${text}` : text
}

function plainText (value: unknown): string {
  switch (typeof value) {
    case 'string': return value
    case 'bigint': return String(value)
    case 'number': return Number.isFinite(value) ? withoutExponent(String(value)) : ''
    default: return ''
  }
}

/**
 * The digits of a number that is written with an exponent, as JavaScript and MongoDB write small and large ones.
 *
 * ```js
 * withoutExponent('-1.5e-7') // '-0.00000015'
 * ```
 */
export function withoutExponent (text: string): string {
  const [, sign = '', whole, fraction = '', exponent] = /^(-?)(\d+)(?:\.(\d+))?e([+-]?\d{1,4})$/i.exec(text) ?? []
  if (whole === undefined) return text
  const point = whole.length + Number(exponent)
  const digits = `${whole}${fraction}`
  return point <= 0
    ? `${sign}0.${'0'.repeat(-point)}${digits}`
    : `${sign}${digits.slice(0, point).padEnd(point, '0')}${digits.length > point ? `.${digits.slice(point)}` : ''}`
}

/**
 * The text that a property keeps for a value: of texts, of bigints, and of numbers that were certainly written so (15
 * digits, or a safe integer). `invalid` for anything else, and for more digits than the limits allow: nothing is
 * rounded.
 *
 * ```js
 * readDecimal('12.5', { precision: 10, scale: 2 }) // '12.50'
 * readDecimal('12.505', { precision: 10, scale: 2 }) // invalid
 * readDecimal(0.1 + 0.2) // invalid: 0.30000000000000004
 * ```
 */
export function readDecimal (value: unknown, limits: DecimalLimits = {}): string | Invalid {
  const text = decimalText(value, limits.scale)
  if (text === invalid || !fitsDecimal(text, limits)) return invalid
  const isCertain = typeof value !== 'number' || Number.isSafeInteger(value) || digitsOf(text) <= exactDigits
  return isCertain ? text : invalid
}

/** Significant digits. */
const digitsOf = (text: string): number => withoutZeros(text.replace(/^-?[0.]*/, '').replace('.', '')).length

/**
 * Whether a decimal has no more digits than the limits allow.
 *
 * ```js
 * fitsDecimal('123.4', { precision: 5, scale: 2 }) // true
 * fitsDecimal('1234.5', { precision: 5, scale: 2 }) // false
 * ```
 * @param text as `decimalText` gives it
 */
export function fitsDecimal (text: string, { precision = defaultPrecision, scale }: DecimalLimits): boolean {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.')
  const places = withoutZeros(fraction).length
  const digits = whole === '0' ? 0 : whole.length
  return scale === undefined ? digits + places <= precision : places <= scale && digits <= precision - scale
}

/**
 * The pattern of JSON Schema for a property's texts.
 *
 * ```js
 * decimalPattern({ precision: 10, scale: 2 }) // '^-?0*\\d{1,8}(?:\\.\\d{1,2}0*)?$'
 * ```
 */
export function decimalPattern ({ precision = defaultPrecision, scale }: DecimalLimits): string {
  if (scale === undefined) return `^-?0*\\d{1,${precision}}(?:\\.\\d{1,${precision}}0*)?$`
  const whole = precision > scale ? `^-?0*\\d{1,${precision - scale}}` : '^-?0+'
  return scale === 0 ? `${whole}(?:\\.0+)?$` : `${whole}(?:\\.\\d{1,${scale}}0*)?$`
}
