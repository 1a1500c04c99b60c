/** How groups of rows are written. */
import type { StoredGroup } from '@fastback/core'
import type { Column } from '../tables/column.js'
import type { ColumnFormat } from './column-types.js'

export type BucketPeriod = NonNullable<StoredGroup['period']>

export interface AggregateSyntax {
  /** The column, as values of it are one group which JavaScript takes for equal, and ordered as by `min` and `max`. */
  groupKey (column: Column): string
  /** What dates of one period of UTC have in common, and no two dates of different ones; weeks begin on Monday. */
  bucket (column: string, period: BucketPeriod): string
  /**
   * The sum of a column of numbers, NULL for none, as a double or a text of all its digits; undefined where the
   * database would lose some that the property keeps (`decimal`, `bigint`).
   */
  sum (column: Column): string | undefined
  extreme (fn: 'min' | 'max', key: string, format: ColumnFormat): string
}
