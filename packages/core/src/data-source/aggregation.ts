/** What a store that groups rows itself is asked (`Connector.aggregate`). */
import type { Condition, Period, PropertyPath } from '../query/ast.js'

export interface StoredGroup {
  readonly path: PropertyPath
  /**
   * For dates: rows whose dates lie in different periods (of UTC, weeks from Monday) are different groups; those of one
   * period may be several.
   */
  readonly period: Period | 'quarterHour' | undefined
}

export interface StoredTotal {
  /** `avg` is never asked. */
  readonly fn: 'count' | 'countDistinct' | 'sum' | 'avg' | 'min' | 'max'
  /** Undefined: rows are counted. */
  readonly path: PropertyPath | undefined
}

export interface StoredAggregation {
  readonly where: Condition | undefined
  /** None: all rows are one group, also where there are none. */
  readonly groups: readonly StoredGroup[]
  readonly values: readonly StoredTotal[]
}

/** A result: the values of the groups (of a period any date in it), then the others; null where there is none. */
export type StoredResult = readonly unknown[]
