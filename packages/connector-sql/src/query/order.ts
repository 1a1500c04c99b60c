/** ORDER BY: the terms asked for (or the distance, for `near`), then the id. */
import type { OrderTerm, PropertyOrder, Query } from '@fastback/core'
import { nearOf } from '@fastback/core/connector'
import type { Column } from '../tables/column.js'
import type { Table } from '../tables/table.js'
import { canHaveValues } from './comparison.js'
import type { Expression } from './expression.js'
import { linkedValue } from './linked-value.js'
import { isNative, sortsTerms } from './native-order.js'
import { leavesNulls } from './null-order.js'
import type { Placeholders, StatementBuilder } from './statement-builder.js'

interface Term {
  readonly expression: Expression
  readonly column: Column | undefined
  readonly descending: boolean
}

const none: readonly Term[] = []
const byColumn: Expression = {
  code: '',
  sql: column => {
    const { format, quoted } = column as Column
    return format.sorted(quoted)
  }
}

/**
 * The terms before the id. One on the id is the last that counts; those on what rows cannot have are left out.
 * @param values gets what the terms bind
 */
function plan ({ order, where }: Query, table: Table, values: unknown[]): readonly Term[] {
  if (order.length === 0) return planNear(where, table, values)
  const terms: Term[] = []
  for (const term of order) {
    const { descending } = term
    if (!('path' in term)) {
      const expression = valueExpression(term, table, values)
      if (expression !== undefined) terms.push({ expression, column: undefined, descending })
      continue
    }
    const { path } = term
    const column = table.byProperty.get(path.property)
    if (isNative(path, column)) {
      terms.push({ expression: byColumn, column, descending })
      if (column === table.id) break
    } else if (canHaveValues(path, column, table)) {
      const expression = table.dialect.orderExpression(path, column, values)
      if (expression !== undefined) terms.push({ expression, column, descending })
    }
  }
  return terms
}

/** Of terms that are no property of the table. */
function valueExpression (
  term: Exclude<OrderTerm, PropertyOrder>, table: Table, values: unknown[]
): Expression | undefined {
  if ('rank' in term) return table.dialect.rankExpression(term.rank, table, values)
  if (!('linked' in term)) throw new TypeError('An order by related rows came to the connector as it was written')
  return linkedValue(term.linked, table, values)
}

function planNear (where: Query['where'], table: Table, values: unknown[]): readonly Term[] {
  const near = nearOf(where)
  if (near === undefined) return none
  const column = table.byProperty.get(near.path.property)
  if (!canHaveValues(near.path, column, table)) return none
  const expression = table.dialect.distanceExpression(near, column, values)
  return expression === undefined ? none : [{ expression, column, descending: false }]
}

/** Whether the database puts the rows in their order. */
export function sortsItself ({ order, where }: Query, table: Table): boolean {
  if (order.length === 0) {
    const near = nearOf(where)
    if (near === undefined) return true
    const column = table.byProperty.get(near.path.property)
    return !canHaveValues(near.path, column, table) || table.dialect.distanceExpression(near, column, []) !== undefined
  }
  return sortsTerms(order, table)
}

/** Adds the order of a query to a statement. */
export function collectOrder (query: Query, table: Table, builder: StatementBuilder): void {
  const terms = plan(query, table, builder.values)
  if (terms.length > 0) builder.key += 'o'
  for (let i = 0; i < terms.length; i++) {
    const { expression, column, descending } = terms[i] as Term
    builder.key += `${descending ? '-' : '+'}${expression.code}${column === undefined ? 'x' : column.index}`
    if (expression === byColumn && leavesNulls(column as Column, table, query.where)) builder.key += 'n'
  }
}

/** The ORDER BY clause of a query that `collectOrder` has seen. */
export function orderSql (query: Query, table: Table, placeholders: Placeholders): string {
  const terms = plan(query, table, [])
  const written = terms.map(({ expression, column, descending }) => {
    const leaves = expression === byColumn && leavesNulls(column as Column, table, query.where)
    return table.dialect.orderTerm(expression.sql(column, table, placeholders), descending, !leaves)
  })
  const endsWithId = terms.some(({ expression, column }) => expression === byColumn && column === table.id)
  if (!endsWithId) written.push(table.lastOrder)
  return ` ORDER BY ${written.join(', ')}`
}
