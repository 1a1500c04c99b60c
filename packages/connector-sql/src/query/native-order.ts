/** Which orders the database has as the reference has them. */
import type { OrderTerm, PropertyPath } from '@fastback/core'
import type { Column } from '../tables/column.js'
import type { Table } from '../tables/table.js'
import { canHaveValues } from './comparison.js'

/** Whether the database puts rows in this order; of linked values it was asked before (`linked-value.ts`). */
export const sortsTerms = (order: readonly OrderTerm[], table: Table): boolean =>
  order.every(term => {
    if ('rank' in term) return table.dialect.rankExpression(term.rank, table, []) !== undefined
    if (!('path' in term)) return true
    const { path } = term
    const column = table.byProperty.get(path.property)
    return (
      isNative(path, column) ||
      !canHaveValues(path, column, table) ||
      table.dialect.orderExpression(path, column, []) !== undefined
    )
  })

/** Whether the database orders by the column itself as the reference does. */
export function isNative ({ path }: PropertyPath, column: Column | undefined): boolean {
  return column !== undefined && column.format.comparable && path.length === 0
}
