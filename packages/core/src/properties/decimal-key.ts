/**
 * Decimal numbers as texts that sort as the numbers do, for stores that have no decimals: a letter for the sign, how
 * many digits stand before the point, and the digits. Those of negative numbers count backwards, and have an end that
 * is greater than every digit.
 */

import { withoutZeros } from './decimal-order.js'

/** Digits that say how many there are before the point. */
const lengthDigits = 4

const backwards = (digits: string): string =>
  digits.replace(/\d/g, digit => String(9 - Number(digit)))

/**
 * The key of a decimal number. Equal numbers have the same one, whatever zeros they were written with.
 *
 * ```js
 * decimalKey('12.50') // 'p0002125'
 * decimalKey('-12.5') // 'n9997874~'
 * decimalKey('0') // 'p0000'
 * ```
 * @param text as `decimalText` gives it
 */
export function decimalKey (text: string): string {
  const isNegative = text.startsWith('-')
  const [whole = '', fraction = ''] = (isNegative ? text.slice(1) : text).split('.')
  const before = whole === '0' ? '' : whole
  const digits = `${String(before.length).padStart(lengthDigits, '0')}${before}${withoutZeros(fraction)}`
  return isNegative ? `n${backwards(digits)}~` : `p${digits}`
}

/**
 * The decimal number of a key; undefined for a text that is none.
 *
 * ```js
 * decimalOfKey('p0002125') // '12.5'
 * ```
 */
export function decimalOfKey (key: string): string | undefined {
  if (!/^(?:p\d{4,}|n\d{4,}~)$/.test(key)) return undefined
  const isNegative = key.startsWith('n')
  const digits = isNegative ? backwards(key.slice(1, -1)) : key.slice(1)
  const point = lengthDigits + Number(digits.slice(0, lengthDigits))
  const whole = digits.slice(lengthDigits, point)
  const fraction = digits.slice(point)
  return `${isNegative ? '-' : ''}${whole === '' ? '0' : whole}${fraction === '' ? '' : `.${fraction}`}`
}
