/** The row that a write answers with, where it is not the one that was handed in: as it is stored. */
import type { MaybePromise, Row } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import type { Connection, Statement } from '../dialects/driver.js'
import type { Projection } from '../reading/projection.js'
import type { Table } from '../tables/table.js'

/** All properties of a table, as a write gives them back. */
export const writtenColumns = (table: Table): Projection => table.projection(table.whole)

/** Runs a statement that gives the row it wrote; undefined where it wrote none. */
export function returningRow (
  table: Table, statement: Statement, values: readonly unknown[]
): MaybePromise<Row | undefined> {
  return chain(statement.get(values), raw => raw === undefined ? undefined : writtenColumns(table).row(raw))
}

/**
 * Where a statement gives no rows: writes one and reads it, both or neither.
 * @param write gives the row's id; undefined where it wrote none
 */
export function thenRead<T> (
  connection: Connection,
  write: (connection: Connection) => MaybePromise<unknown>,
  read: (connection: Connection, id: unknown) => MaybePromise<T | undefined>
): MaybePromise<T | undefined> {
  return connection.atomically(within => chain(write(within), id => id === undefined ? undefined : read(within, id)))
}
