/**
 * Changes of rows that JavaScript finds. On a server these are locked while it looks at them; where there are no locks,
 * nobody has changed any since, so that the change is as atomic as one statement.
 */
import type { MaybePromise } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import type { Connection } from '../dialects/driver.js'
import { Placeholders } from '../query/statement-builder.js'
import type { ResidualFilter } from '../query/residual-filter.js'
import { Reader } from '../reading/reader.js'
import { eachFiltered } from '../reading/filtered-scan.js'
import type { Table } from '../tables/table.js'

/** UPDATE or DELETE up to its WHERE. */
export interface Change {
  readonly key: string
  readonly values: readonly unknown[]
  sql (placeholders: Placeholders): string
}

/** Makes a change to the rows that a residual filter lets through; how many these are. */
export function changeFiltered (reader: Reader, residual: ResidualFilter, change: Change): MaybePromise<number> {
  const { connection, table, work } = reader
  if (!table.dialect.scans && work?.mayRest === true) return changeFound(reader, residual, change, attempts)
  return connection.atomically(within => {
    const inside = Reader.within(within, table, work)
    return chain(keysOf(inside, residual), keys => changeRows(within, table, keys, change))
  })
}

/** How often rows are looked for again because others changed some meanwhile; then nobody may come between. */
const attempts = 3

/**
 * Rows of a database in this process are found in ticks of the event loop, and changed when nobody has changed any
 * since.
 */
function changeFound (reader: Reader, residual: ResidualFilter, change: Change, left: number): MaybePromise<number> {
  const { connection, table } = reader
  if (left === 0) return changeFiltered(reader.atOnce, residual, change)
  const before = changesOf(connection)
  return chain(keysOf(reader, residual), keys => chain(reader.ready(), () => changed(keys)))

  function changed (keys: readonly unknown[]): MaybePromise<number> {
    const count = connection.atomically(within =>
      changesOf(within) === before ? changeRows(within, table, keys, change) : -1
    )
    return chain(count, count => (count < 0 ? changeFound(reader, residual, change, left - 1) : count))
  }
}

/** Another text after every change of the database, by this connection or by others. */
function changesOf (connection: Connection): string {
  const [[own]] = connection.query('SELECT total_changes()', []) as [[unknown]]
  const [[others]] = connection.query('PRAGMA data_version', []) as [[unknown]]
  return `${String(own)} ${String(others)}`
}

function keysOf (reader: Reader, residual: ResidualFilter): MaybePromise<unknown[]> {
  const { rowKey, rowLock } = reader.table.dialect
  const keys: unknown[] = []
  return chain(
    eachFiltered(reader, residual, [rowKey.read(reader.table)], 'l', rowLock, ([key]) => {
      keys.push(key)
    }),
    () => keys
  )
}

function changeRows (
  connection: Connection,
  table: Table,
  keys: readonly unknown[],
  change: Change
): MaybePromise<number> {
  if (keys.length === 0) return 0
  const { rowKey } = table.dialect
  const key = `${table.number}K${change.key}`
  const placeholders = new Placeholders(table.dialect)
  const statement =
    connection.prepared(key) ??
    connection.prepare(key, `${change.sql(placeholders)} WHERE ${rowKey.isIn(table, placeholders.next())}`)
  return chain(statement.run([...change.values, rowKey.list(keys)]), ({ changes }) => changes)
}
