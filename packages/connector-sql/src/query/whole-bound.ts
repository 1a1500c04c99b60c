/** Bounds of ranges on columns that hold whole numbers of 64 bits. */
type RangeOperator = 'gt' | 'gte' | 'lt' | 'lte'

const most = 2n ** 63n - 1n
const least = -(2n ** 63n)

/** Whether a column of whole numbers of 64 bits can hold a number. */
export function isInt64 (value: unknown): boolean {
  if (typeof value === 'bigint') return value >= least && value <= most
  return typeof value === 'number' && Number.isInteger(value) && BigInt(value) >= least && BigInt(value) <= most
}

/**
 * The whole number that stands for a bound: `> 1.5` is `> 1`, `>= 1.5` is `>= 2`. `all` and `none`: every number lies
 * there, or none does.
 */
export function wholeBound (op: RangeOperator, bound: number | bigint): bigint | 'all' | 'none' {
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
