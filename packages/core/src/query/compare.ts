/** Order of values: ranges, and the order of rows. */
import { compareDecimals, isDecimalText } from '../properties/decimal-order.js'
import type { ConditionValue } from './ast.js'
import type { ValueTest } from './equal.js'

export type RangeOperator = 'gt' | 'gte' | 'lt' | 'lte'

/** Whether a value lies on one side of `bound`. Values of another type than the bound, null and missing never do. */
export function rangeTest (op: RangeOperator, bound: ConditionValue): ValueTest {
  if (bound instanceof Date) {
    const passes = sideTest(op, bound.getTime())
    return value => value instanceof Date && passes(value.getTime())
  }
  if (bound instanceof Uint8Array) {
    const passes = sideTest(op, 0)
    return value => value instanceof Uint8Array && passes(Buffer.compare(value, bound))
  }
  switch (typeof bound) {
    case 'number': case 'bigint': {
      const passes = sideTest(op, bound)
      return value => (typeof value === 'number' || typeof value === 'bigint') && passes(value)
    }
    case 'string': case 'boolean': {
      const passes = sideTest(op, bound)
      const type = typeof bound
      // eslint-disable-next-line valid-typeof
      return value => typeof value === type && passes(value as string | boolean)
    }
    default: return () => false
  }
}

/**
 * The same for decimal numbers, which are texts: by all their digits.
 *
 * ```js
 * decimalRangeTest('gt', '9')('12345678901234567890.01') // true
 * ```
 */
export function decimalRangeTest (op: RangeOperator, bound: ConditionValue): ValueTest {
  if (!isDecimalText(bound)) return () => false
  const passes = sideTest(op, 0)
  return value => isDecimalText(value) && passes(compareDecimals(value, bound))
}

type Scalar = string | number | bigint | boolean

function sideTest (op: RangeOperator, bound: Scalar): (value: Scalar) => boolean {
  switch (op) {
    case 'gt': return value => value > bound
    case 'gte': return value => value >= bound
    case 'lt': return value => value < bound
    case 'lte': return value => value <= bound
  }
}

/**
 * Which of two values comes first. Null and missing are the smallest, then booleans, numbers, text (by code units),
 * dates, binary data; objects and lists come last and have no order among themselves.
 *
 * ```js
 * [10, 'a', null, 9].sort(compareValues) // [null, 9, 10, 'a']
 * ```
 */
export function compareValues (a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0
  const rank = rankOf(a)
  const other = rankOf(b)
  if (rank !== other) return rank - other
  if (rank === ranks.bytes) return Buffer.compare(a as Uint8Array, b as Uint8Array)
  if (rank === ranks.nothing || rank === ranks.structure) return 0
  return (a as Scalar) < (b as Scalar) ? -1 : (a as Scalar) > (b as Scalar) ? 1 : 0
}

const ranks = { nothing: 0, boolean: 1, number: 2, text: 3, date: 4, bytes: 5, structure: 6 } as const

function rankOf (value: unknown): number {
  switch (typeof value) {
    case 'boolean': return ranks.boolean
    case 'number': case 'bigint': return ranks.number
    case 'string': return ranks.text
    case 'object': break
    default: return ranks.nothing
  }
  if (value === null) return ranks.nothing
  return value instanceof Date ? ranks.date : value instanceof Uint8Array ? ranks.bytes : ranks.structure
}
