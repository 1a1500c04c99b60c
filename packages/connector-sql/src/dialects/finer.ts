/** Columns that hold more than rows show: what is shown as one value lies between two stored ones. */
import type { Equality, Span } from './column-types.js'

/** @param bound expression for a bound value */
export function finer (
  span: (value: unknown) => Span, bound: (placeholder: string) => string
): { readonly span: (value: unknown) => Span, readonly equality: Equality } {
  return {
    span,
    equality: {
      // An index serves both bounds.
      sql: (column, next) => `(${column} BETWEEN ${bound(next())} AND ${bound(next())})`,
      values (value) {
        if (value === null) return [null, null]
        const { first, last } = span(value)
        return [first, last]
      },
      leavesShown: true
    }
  }
}
