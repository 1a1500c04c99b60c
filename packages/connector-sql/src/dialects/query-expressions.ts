/** Comparisons and orders that columns' own operators do not answer as the reference does. */
import type { Comparison, PropertyPath } from '@fastback/core'
import type { Expression } from '../query/expression.js'
import type { Column } from '../tables/column.js'
import type { Dialect } from './dialect.js'

/** What the database is asked where operators are not enough. */
export interface QueryExpressions {
  /**
   * Whether the database itself answers everything as the reference does. Otherwise expressions may be inexact
   * (`Expression.inexact`): the database then narrows, and JavaScript tests the rows that are left.
   */
  readonly exact: boolean
  /**
   * Where the database is exact because it calls JavaScript, the same without that: what takes JavaScript is then
   * tested outside, in ticks of the event loop. For requests that have a budget.
   */
  readonly withoutCallbacks: Dialect | undefined
  /**
   * The same for statements of a transaction, where an index does not have yet what the transaction has written.
   * Undefined: they are like others.
   */
  readonly withinTransaction: Dialect | undefined
  /**
   * A comparison that the columns' own `=`, `<` and LIKE do not answer as the reference does: in JSON, on properties
   * that are not declared (`column` undefined), with patterns. Adds the values that the expression binds.
   */
  comparisonExpression (comparison: Comparison, column: Column | undefined, values: unknown[]): Expression
  /**
   * That a column equals the value of another table's, as JavaScript compares the two; undefined where the database
   * would say something else.
   * @param value the other table's column, as an expression
   */
  sameKey (column: Column, other: Column, value: string): string | undefined
  /**
   * An expression that orders the values at a path in JSON as the reference does, the smallest being NULL. Undefined:
   * JavaScript sorts.
   */
  orderExpression (path: PropertyPath, column: Column | undefined, values: unknown[]): Expression | undefined
  /** The distance from a point; larger than every other for rows that have none. Undefined: JavaScript sorts. */
  distanceExpression (
    near: Comparison & { readonly kind: 'near' },
    column: Column | undefined,
    values: unknown[]
  ): Expression | undefined
}
