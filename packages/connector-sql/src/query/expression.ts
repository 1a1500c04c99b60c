/** SQL expressions of comparisons and of terms to order by. */
import type { Column } from '../tables/column.js'
import type { Table } from '../tables/table.js'
import type { Placeholders } from './statement-builder.js'

/** How a comparison, or a term to order by, is written. */
export interface Expression {
  /** Stands for the expression in statement keys. */
  readonly code: string
  /** The expression is true for every row that the comparison is true for, but perhaps for others as well. */
  readonly inexact?: boolean
  /**
   * Its text. It takes as many placeholders as values were added when the expression was chosen, in the same order.
   * @param column where the property is stored; undefined for properties that are not declared
   */
  sql (column: Column | undefined, table: Table, placeholders: Placeholders): string
}

/** The expression, or one that is true where it is false or NULL. */
export function negatable (negated: boolean, positive: Expression): Expression {
  return negated
    ? { code: `!${positive.code}`, sql: (...given) => `((${positive.sql(...given)}) IS NOT TRUE)` }
    : positive
}
