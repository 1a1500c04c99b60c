/**
 * Expressions for what the database cannot say: it narrows as far as it can, and JavaScript decides on the rows that
 * are left.
 */
import type { Comparison } from '@fastback/core'
import type { Expression } from './expression.js'

/** Says nothing. */
const unknown: Expression = { code: '?', inexact: true, sql: () => '(1 = 1)' }
/** For rows that have the property at all. */
const present: Expression = {
  code: '?n',
  inexact: true,
  sql: (column, table) => `${column === undefined ? table.extra : column.quoted} IS NOT NULL`
}

/** The expression of a comparison that JavaScript decides. */
export const inexactExpression = (comparison: Comparison): Expression => isPositive(comparison) ? present : unknown

/** Whether only rows that have the property can pass. */
function isPositive (comparison: Comparison): boolean {
  switch (comparison.kind) {
    case 'compare': return comparison.op === 'eq' ? comparison.value !== null : comparison.op !== 'neq'
    case 'in': return comparison.op === 'inq' && !comparison.values.includes(null)
    case 'like': return !comparison.negated
    case 'exists': return comparison.exists
    case 'between': case 'regexp': case 'near': case 'element': return true
  }
}
