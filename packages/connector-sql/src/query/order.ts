/** ORDER BY: the terms asked for (or the distance, for `near`), then the id. */
import { nearOf, type PropertyPath, type Query } from '@fastback/core'
import type { Callback } from '../dialects/dialect.js'
import type { Column, Table } from '../tables/table.js'
import { rowDistance, rowSortKey } from './callbacks.js'
import { mayHold } from './comparison.js'
import type { Placeholders, Shape } from './shape.js'

/** A term as it is written: by a column that the database orders as the reference does, or by a key that JavaScript makes. */
interface Planned {
  readonly key: string
  readonly column: Column | undefined
  readonly callback: Callback | undefined
  readonly descending: boolean
}

const none: readonly Planned[] = []

/** The terms before the id. One on the id is the last that counts; those on what rows cannot have are left out. */
function plan ({ order, where }: Query, table: Table): readonly Planned[] {
  if (order.length === 0) return planNear(where, table)
  const planned: Planned[] = []
  for (const term of order) {
    const column = table.byProperty.get(term.path.property)
    const { descending } = term
    if (isNative(term, column)) {
      planned.push({ key: `${descending ? '-' : '+'}${column?.index}`, column, callback: undefined, descending })
      if (column === table.id) break
    } else if (mayHold(term.path, column, table)) {
      planned.push({ key: `${descending ? 'd' : 'a'}${column?.index ?? 'x'}`, column, callback: rowSortKey(term.path, column), descending })
    }
  }
  return planned
}

function planNear (where: Query['where'], table: Table): readonly Planned[] {
  const near = nearOf(where)
  if (near === undefined) return none
  const column = table.byProperty.get(near.path.property)
  return mayHold(near.path, column, table) ? [{ key: `n${column?.index ?? 'x'}`, column, callback: rowDistance(near, column), descending: false }] : none
}

function isNative ({ path }: { readonly path: PropertyPath }, column: Column | undefined): boolean {
  return column !== undefined && column.format.comparable && path.path.length === 0
}

/** Adds the order of a query to a shape. */
export function collectOrder (query: Query, table: Table, shape: Shape): void {
  const planned = plan(query, table)
  if (planned.length > 0) shape.key += 'o'
  for (const { key, callback } of planned) {
    shape.key += key
    if (callback !== undefined) shape.values.push(callback)
  }
}

/** The ORDER BY clause of a query that `collectOrder` has seen. */
export function orderSql (query: Query, table: Table, placeholders: Placeholders): string {
  const { dialect } = table
  const planned = plan(query, table)
  const terms = planned.map(({ column, callback, descending }) => {
    if (callback === undefined) return dialect.orderTerm((column as Column).quoted, descending)
    return dialect.orderTerm(dialect.callback(column === undefined ? table.extra as string : column.format.read(column.quoted), placeholders.next()), descending)
  })
  if (planned.every(({ column, callback }) => callback !== undefined || column !== table.id)) terms.push(table.lastOrder)
  return ` ORDER BY ${terms.join(', ')}`
}
