/** Sums and averages of decimals (`properties/decimal.ts`) and of large whole numbers, with all their digits. */
import { decimalText } from '../properties/decimal.js'
import { withoutZeros } from '../properties/decimal-order.js'
import type { PropertyType } from '../properties/types.js'

/** Digits behind the point that an average has at least. */
const averageDigits = 20

/** A sum of decimals, as a whole number of units of its last digit. */
export class DecimalSum {
  #units = 0n
  #scale = 0

  /** @param text as rows have it; what is none is left out */
  add (text: string): boolean {
    const [, sign, whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
    if (whole === undefined) return false
    if (fraction.length > this.#scale) {
      this.#units *= 10n ** BigInt(fraction.length - this.#scale)
      this.#scale = fraction.length
    }
    const units = BigInt(whole + fraction.padEnd(this.#scale, '0'))
    this.#units += sign === '-' ? -units : units
    return true
  }

  /** The sum with as many digits behind the point as the longest decimal has. */
  get text (): string {
    return written(this.#units, this.#scale)
  }

  /** The sum by a count, rounded to 20 digits behind the point or as many as it has, without zeros at the end. */
  average (count: number): string {
    const { units: sum, scale } = withoutZeroUnits(this.#units, this.#scale)
    const further = Math.max(0, averageDigits - scale)
    const units = sum * 10n ** BigInt(further)
    const divisor = BigInt(count)
    const half = units < 0n ? -divisor : divisor
    const quotient = written((2n * units + half) / (2n * divisor), scale + further)
    const [whole = '', fraction = ''] = quotient.split('.')
    const digits = withoutZeros(fraction)
    return digits === '' ? whole.replace(/^-0$/, '0') : `${whole}.${digits}`
  }
}

/**
 * The sum of decimals as rows have them.
 *
 * ```js
 * sumOfDecimals(['0.1', '0.2']).text // '0.3'
 * ```
 */
export function sumOfDecimals (texts: readonly string[]): DecimalSum {
  const sum = new DecimalSum()
  for (const text of texts) sum.add(text)
  return sum
}

/**
 * A sum as the decimals of its property are written: with as many digits behind the point as its scale says, or no
 * zeros at the end.
 *
 * ```js
 * shownSum('0.50', { kind: 'decimal' }) // '0.5'
 * ```
 */
export const shownSum = (text: string, { limits }: PropertyType): string =>
  decimalText(text, limits?.scale) as string

/** Databases write sums with as many zeros as their columns have, which are no digits of an average. */
function withoutZeroUnits (units: bigint, scale: number): { readonly units: bigint, readonly scale: number } {
  let [left, digits] = [units, scale]
  while (digits > 0 && left % 10n === 0n) [left, digits] = [left / 10n, digits - 1]
  return { units: left, scale: digits }
}

function written (units: bigint, scale: number): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0')
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`
  return units < 0n ? `-${text}` : text
}

/**
 * A whole number as rows have it: a number, where that holds it exactly.
 *
 * ```js
 * exactInteger(9007199254740993n) // 9007199254740993n
 * ```
 */
export const exactInteger = (value: bigint): number | bigint => {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}
