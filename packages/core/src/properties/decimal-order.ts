/** Which of two decimal numbers comes first. Apart from `decimal.ts`, as clients compare as well. */

/**
 * Whether a value is a text of a decimal number as rows have it.
 *
 * ```js
 * isDecimalText('12.50') // true
 * isDecimalText('012.5') // false
 * ```
 */
export const isDecimalText = (value: unknown): value is string =>
  typeof value === 'string' && /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(value)

/**
 * Digits without the zeros at their end; an expression that looks for these would try each zero on the way.
 *
 * ```js
 * withoutZeros('2500') // '25'
 * ```
 */
export function withoutZeros (digits: string): string {
  let end = digits.length
  while (end > 0 && digits[end - 1] === '0') end--
  return digits.slice(0, end)
}

/**
 * The text without zeros at its end, so that equal numbers are equal texts whatever their scale.
 *
 * ```js
 * plainDecimal('12.50') // '12.5'
 * ```
 */
export function plainDecimal (text: string): string {
  if (!text.endsWith('0') || !text.includes('.') || !isDecimalText(text)) return text
  const digits = withoutZeros(text)
  return digits.endsWith('.') ? digits.slice(0, -1) : digits
}

/**
 * Which of two decimal numbers is the smaller one, by all their digits. Texts that are no decimals come last.
 *
 * ```js
 * ['10', '9.5', '-3', '9.50'].sort(compareDecimals) // ['-3', '9.5', '9.50', '10']
 * ```
 * @param a as `decimalText` gives it
 */
export function compareDecimals (a: string, b: string): number {
  if (a === b) return 0
  const isDecimal = isDecimalText(a)
  if (!isDecimal || !isDecimalText(b)) return isDecimal === isDecimalText(b) ? (a < b ? -1 : 1) : isDecimal ? -1 : 1
  const isNegative = a.startsWith('-')
  if (isNegative !== b.startsWith('-')) return isNegative ? -1 : 1
  return isNegative ? compareSizes(b.slice(1), a.slice(1)) : compareSizes(a, b)
}

function compareSizes (a: string, b: string): number {
  const [whole = '', fraction = ''] = a.split('.')
  const [otherWhole = '', otherFraction = ''] = b.split('.')
  if (whole.length !== otherWhole.length) return whole.length - otherWhole.length
  if (whole !== otherWhole) return whole < otherWhole ? -1 : 1
  const places = Math.max(fraction.length, otherFraction.length)
  const digits = fraction.padEnd(places, '0')
  const otherDigits = otherFraction.padEnd(places, '0')
  return digits < otherDigits ? -1 : digits > otherDigits ? 1 : 0
}
