/** Writes that look first: upsert and findOrCreate. */
import { chain, type Id, type MaybePromise, type Query, type Row } from '@fastback/core'
import type { Session } from '../dialects/dialect.js'
import { readRows } from '../reading/read.js'
import type { Table } from '../tables/table.js'
import { insertRow } from './insert.js'
import { replaceRow, updateRow } from './update.js'

export interface Upserted { readonly row: Row, readonly created: boolean }

/** Changes the row with the id in `row`, or stores it. */
export function upsertRow (session: Session, table: Table, row: Row, mode: 'replace' | 'update'): MaybePromise<Upserted> {
  const id = table.id === undefined ? undefined : row[table.id.property.name] as Id | null | undefined
  const create = (within: Session): MaybePromise<Upserted> => chain(insertRow(within, table, row), stored => ({ row: stored, created: true }))
  if (id === undefined || id === null) return create(session)
  return session.atomically(within => chain(
    mode === 'replace' ? replaceRow(within, table, id, row) : updateRow(within, table, id, row),
    changed => changed === undefined ? create(within) : { row: changed, created: false }))
}

/** The first row of the query, or the row that is stored because there is none. */
export function findOrInsert (session: Session, table: Table, query: Query, row: Row): MaybePromise<Upserted> {
  return session.atomically(within => chain(readRows(within, table, { ...query, limit: 1 }), ([found]) => found === undefined
    ? chain(insertRow(within, table, row), stored => ({ row: stored, created: true }))
    : { row: found, created: false }))
}
