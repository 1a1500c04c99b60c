/** Conditions that take more than a column's own operators. LIKE is said here; JavaScript decides the rest, on the rows that the database leaves. */
import type { Comparison } from '@fastback/core'
import type { Form } from '../../query/form.js'
import type { Column } from '../../tables/table.js'

const unknown: Form = { code: '?', inexact: true, sql: () => '(1 = 1)' }
/** For rows that have the property at all. */
const present: Form = { code: '?n', inexact: true, sql: (column, table) => `${column === undefined ? table.extra : column.quoted} IS NOT NULL` }

export function specialComparison (comparison: Comparison, column: Column | undefined, values: unknown[]): Form {
  if (comparison.kind === 'like' && !comparison.ignoreCase && column?.format.name === 'text' && column.format.comparable) return like(comparison, values)
  return isPositive(comparison) ? present : unknown
}

/** Whether only rows that have the property can pass. */
function isPositive (comparison: Comparison): boolean {
  switch (comparison.kind) {
    case 'compare': return comparison.op === 'eq' ? comparison.value !== null : comparison.op !== 'neq'
    case 'in': return comparison.op === 'inq' && !comparison.values.includes(null)
    case 'like': return !comparison.negated
    case 'exists': return comparison.exists
    default: return true
  }
}

function like ({ pattern, negated }: Comparison & { kind: 'like' }, values: unknown[]): Form {
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
