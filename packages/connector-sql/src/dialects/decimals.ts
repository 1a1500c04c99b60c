/** What all databases do with decimals: they are texts of digits in rows. */
import { decimalText, fitsDecimal, type DecimalLimits } from '@fastback/core/connector'

/** Whether a value of a condition, or of a row, is a decimal. */
export const isDecimal = (value: unknown): value is string =>
  typeof value === 'string' && typeof decimalText(value) === 'string'

/** The parts of a column's format that are the same everywhere. */
export const decimalFormat = ({ scale }: DecimalLimits) => ({
  name: 'decimal' as const,
  accepts: isDecimal,
  encode: String,
  /** What is no decimal (`NaN`, a text of others) is shown as it is. */
  decode (raw: unknown): unknown {
    const text = decimalText(Buffer.isBuffer(raw) ? raw.toString() : raw, scale)
    return typeof text === 'string' ? text : raw
  }
})

/**
 * How many digits a declared type has room for; undefined where it does not say.
 *
 * ```js
 * digitsOf('numeric(10,2)') // { precision: 10, scale: 2 }
 * digitsOf('decimal(10)') // { precision: 10, scale: 0 }
 * ```
 */
export function digitsOf (declaredType: string): Required<DecimalLimits> | undefined {
  const [, precision, scale = '0'] = /\((\d+)\s*(?:,\s*(\d+)\s*)?\)/.exec(declaredType) ?? []
  return precision === undefined ? undefined : { precision: Number(precision), scale: Number(scale) }
}

/** The checks of a column that would round what it has no room for. */
export function within (digits: DecimalLimits) {
  const fits = (value: unknown): boolean => isDecimal(value) && fitsDecimal(decimalText(value) as string, digits)
  const { precision, scale } = digits
  return {
    canStore: fits,
    refuses: (value: unknown): string | undefined => fits(value)
      ? undefined
      : `has more digits than its column holds: ${String(precision)}, ${String(scale)} of them after the point`
  }
}
