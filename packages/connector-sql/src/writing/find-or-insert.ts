import { chain, type MaybePromise, type Query, type Row } from '@fastback/core'
import type { Session } from '../dialects/dialect.js'
import { readRows } from '../reading/read.js'
import type { Table } from '../tables/table.js'
import { insertRow } from './insert.js'

/** The first row of the query, or the row that is stored because there is none. */
export function findOrInsert (session: Session, table: Table, query: Query, row: Row): MaybePromise<{ row: Row, created: boolean }> {
  return session.atomically(within => chain(readRows(within, table, { ...query, limit: 1 }), ([found]) => found === undefined
    ? chain(insertRow(within, table, row), stored => ({ row: stored, created: true }))
    : { row: found, created: false }))
}
