/** Bounds of ranges on columns that hold whole numbers of 64 bits. */
type RangeOperator = 'gt' | 'gte' | 'lt' | 'lte'

interface Limits { readonly least: bigint, readonly most: bigint }

const signed: Limits = { least: -(2n ** 63n), most: 2n ** 63n - 1n }
const unsigned: Limits = { least: 0n, most: 2n ** 64n - 1n }

function isWithin (value: unknown, { least, most }: Limits): boolean {
  if (typeof value === 'bigint') return value >= least && value <= most
  return typeof value === 'number' && Number.isInteger(value) && BigInt(value) >= least && BigInt(value) <= most
}

/** Whether a double is this number, with all its digits (security.md, S-03). */
export const isDouble = (value: unknown): boolean => typeof value !== 'bigint' || BigInt(Number(value)) === value

/** Whether a column of whole numbers of 64 bits can hold a number. */
export const isInt64 = (value: unknown): boolean => isWithin(value, signed)
/** The same of a column whose numbers have no sign. */
export const isUint64 = (value: unknown): boolean => isWithin(value, unsigned)

/**
 * The whole number that stands for a bound: `> 1.5` is `> 1`, `>= 1.5` is `>= 2`. `all` and `none`: every number lies
 * there, or none does.
 */
export function integerBound (
  op: RangeOperator, bound: number | bigint, isUnsigned = false
): bigint | 'all' | 'none' {
  const { least, most } = isUnsigned ? unsigned : signed
  const upwards = op === 'gt' || op === 'gte'
  if (typeof bound === 'number' && !Number.isFinite(bound)) {
    const isBeyond = bound > 0
    return Number.isNaN(bound) || isBeyond === upwards ? 'none' : 'all'
  }
  const whole =
    typeof bound === 'bigint' ? bound : BigInt(op === 'gt' || op === 'lte' ? Math.floor(bound) : Math.ceil(bound))
  if (whole > most) return upwards ? 'none' : 'all'
  if (whole < least) return upwards ? 'all' : 'none'
  return whole
}
