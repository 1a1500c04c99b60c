/**
 * Comparisons that take more than a column's own operators: in JSON, on undeclared properties, with patterns.
 */
import type { Comparison } from '@fastback/core'
import { holdsDecimals } from '@fastback/core/connector'
import { negatable, type Expression } from '../../query/expression.js'
import { inexactExpression } from '../../query/inexact-expression.js'
import { plainValues } from '../../query/plain-values.js'
import type { Column } from '../../tables/column.js'
import { deepComparison, jsonComparison } from './json-expressions.js'
import { likeOf } from './like.js'
import type { PostgresFormat } from './formats.js'

const formatOf = (column: Column): PostgresFormat => column.format as PostgresFormat

export function comparisonExpression (
  comparison: Comparison,
  column: Column | undefined,
  values: unknown[]
): Expression {
  // jsonb compares the whole value; only JavaScript knows which part of it counts.
  if (comparison.path.visible !== undefined) return inexactExpression(comparison)
  // Decimals in JSON are texts, which JavaScript compares as numbers.
  if (column?.format.name !== 'decimal' && holdsDecimals(comparison.path.type)) return inexactExpression(comparison)
  const expression =
    column === undefined || formatOf(column).jsonb !== undefined
      ? comparison.path.path.length === 0
        ? jsonComparison(plainValues(comparison, column), column, values)
        : deepComparison(plainValues(comparison, column), column, values)
      : column.format.name === 'text'
        ? textComparison(comparison, column, values)
        : undefined
  return expression ?? inexactExpression(comparison)
}

/** Patterns on text columns, and everything on texts in columns of other types. */
function textComparison (comparison: Comparison, column: Column, values: unknown[]): Expression | undefined {
  const { format } = column
  const text = (stored: Column | undefined): string => {
    const { format, quoted } = stored as Column
    return format.read(quoted)
  }
  switch (comparison.kind) {
    case 'like': {
      const like = likeOf(comparison, values)
      if (like === undefined) return undefined
      return negatable(comparison.negated, {
        code: like.code,
        sql: (stored, _table, placeholders) => like.sql(text(stored), placeholders)
      })
    }
    case 'compare': {
      const { op, value } = comparison
      if (value === null || !format.accepts(value)) return undefined
      values.push(format.encode(value))
      const operator = { eq: '=', neq: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' }[op]
      return negatable(op === 'neq', {
        code: `t${operator}`,
        sql: (stored, _table, placeholders) => `${text(stored)} COLLATE "C" ${operator} ${placeholders.next()}::text`
      })
    }
    case 'in': {
      if (comparison.values.includes(null)) return undefined
      values.push(comparison.values.filter(value => format.accepts(value)).map(value => format.encode(value)))
      return negatable(comparison.op === 'nin', {
        code: 'ti',
        sql: (stored, _table, placeholders) => `${text(stored)} = ANY(${placeholders.next()}::text[])`
      })
    }
  }
}
