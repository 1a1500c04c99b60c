/**
 * Where NULL stands in an order. Everywhere it is the smallest; in PostgreSQL's own indexes it is the largest, and an
 * order with it on the other side is none that such an index has: the database then sorts all rows of a condition for
 * a page of twenty. Where none of the rows can have it, either side will do.
 */
import type { Condition } from '@fastback/core'
import type { Column } from '../tables/column.js'
import type { Table } from '../tables/table.js'

/** Whether an order by a column may leave it to the database where NULL stands, and an index has it so. */
export const leavesNulls = (column: Column, { id }: Table, where: Condition | undefined): boolean =>
  column === id || (column.nullsLargest && (column.required || leavesOutNull(where, column)))

/** Whether a condition holds for no row without a value in a column. */
function leavesOutNull (where: Condition | undefined, column: Column): boolean {
  if (where === undefined || !('path' in where)) {
    return where?.kind === 'and' && where.conditions.some(inner => leavesOutNull(inner, column))
  }
  if (where.path.property !== column.property.name || where.path.path.length > 0) return false
  switch (where.kind) {
    case 'compare': return where.op === 'neq' ? where.value === null : where.value !== null
    case 'between': return true
    case 'exists': return where.exists
    case 'like': return !where.negated
    default: return false
  }
}
