/** How values of a type are compared: decimals as the numbers that their texts say, all others as what they are. */
import { compareDecimals, plainDecimal } from '../properties/decimal-order.js'
import type { PropertyType } from '../properties/types.js'
import type { ConditionValue } from './ast.js'
import { compareValues, decimalRangeTest, rangeTest, type RangeOperator } from './compare.js'
import { equalTest, inTest, type ValueTest } from './equal.js'
import type { Meter } from './work.js'

export interface Comparing {
  equal (wanted: ConditionValue, meter?: Meter): ValueTest
  among (wanted: readonly ConditionValue[], meter?: Meter): ValueTest
  range (op: RangeOperator, bound: ConditionValue): ValueTest
  /** Whether texts are what they look like, so that a pattern may fit one. */
  readonly isText: boolean
  /** Which of two values comes first. */
  order (a: unknown, b: unknown): number
}

const plain: Comparing = { equal: equalTest, among: inTest, range: rangeTest, isText: true, order: compareValues }

const withoutZeros = <T>(value: T): T | string => typeof value === 'string' ? plainDecimal(value) : value

const decimals: Comparing = {
  equal (wanted, meter) {
    const test = equalTest(withoutZeros(wanted), meter)
    return value => test(withoutZeros(value))
  },
  among (wanted, meter) {
    const test = inTest(wanted.map(withoutZeros), meter)
    return value => test(withoutZeros(value))
  },
  range: decimalRangeTest,
  isText: false,
  order: (a, b) => typeof a === 'string' && typeof b === 'string' ? compareDecimals(a, b) : compareValues(a, b)
}

/**
 * Whether values of a type, or the items of a list, are decimals.
 *
 * ```js
 * holdsDecimals({ kind: 'array', items: { kind: 'decimal' } }) // true
 * ```
 */
export function holdsDecimals (type: PropertyType): boolean {
  let inner = type
  while (inner.kind === 'array' && inner.items !== undefined) inner = inner.items
  return inner.kind === 'decimal'
}

/**
 * What compares values of a type.
 *
 * ```js
 * comparisonOf({ kind: 'decimal' }).order('10', '9') // 1
 * ```
 */
export const comparisonOf = (type: PropertyType): Comparing => holdsDecimals(type) ? decimals : plain
