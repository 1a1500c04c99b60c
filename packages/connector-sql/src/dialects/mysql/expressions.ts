/**
 * Conditions that take more than a column's own operators. LIKE is said here; JavaScript decides the rest, on the rows
 * that the database leaves.
 */
import type { Comparison } from '@fastback/core'
import type { Expression } from '../../query/expression.js'
import { inexactExpression } from '../../query/inexact-expression.js'
import type { Column } from '../../tables/column.js'

export function comparisonExpression (
  comparison: Comparison,
  column: Column | undefined,
  values: unknown[]
): Expression {
  if (
    comparison.kind === 'like' &&
    !comparison.ignoreCase &&
    column?.format.name === 'text' &&
    column.format.comparable &&
    column.format.boundByValues !== true
  ) { return like(comparison, values) }
  return inexactExpression(comparison)
}

function like ({ pattern, negated }: Comparison & { kind: 'like' }, values: unknown[]): Expression {
  // A `\` at the end stands for itself.
  values.push(/^(?:[^\\]|\\.)*\\$/su.test(pattern) ? `${pattern}\\` : pattern)
  return {
    code: negated ? '!L' : 'L',
    sql: (column, _table, placeholders) => {
      const { format, quoted } = column as Column
      const test = `(${format.sorted(quoted)} LIKE ${placeholders.next()} ESCAPE '\\')`
      return negated ? `(${test} IS NOT TRUE)` : test
    }
  }
}
