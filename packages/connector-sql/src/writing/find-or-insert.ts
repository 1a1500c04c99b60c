import { UniqueIndexError, type MaybePromise, type Query, type Row, type Work } from '@fastback/core'
import { chain, isPromise } from '@fastback/core/connector'
import type { Connection } from '../dialects/driver.js'
import { readRows } from '../reading/read.js'
import { Reader } from '../reading/reader.js'
import type { Table } from '../tables/table.js'
import { insertRow } from './insert.js'

interface Found { readonly row: Row, readonly created: boolean }

/** How often a write begins anew because somebody else stored the row meanwhile (and perhaps removed it again). */
const attempts = 5

/** The first row of the query, or the row that is stored because there is none. */
export function findOrInsert (
  connection: Connection,
  table: Table,
  query: Query,
  row: Row,
  work: Work | undefined
): MaybePromise<Found> {
  const first = { ...query, limit: 1 }
  return unlessTaken(table, attempts, () =>
    connection.atomically(within => chain(within.lock(`findOrCreate ${table.name}`), () => foundOrStored(within)))
  )

  function foundOrStored (within: Connection): MaybePromise<Found> {
    return chain(readRows(Reader.within(within, table, work), first), ([found]) =>
      found === undefined ? stored(within) : { row: found, created: false }
    )
  }

  function stored (within: Connection): MaybePromise<Found> {
    return chain(insertRow(within, table, row), stored => ({ row: stored, created: true }))
  }
}

/** Tries again when a row that was not there before takes the place of the new one: it is then found. */
function unlessTaken<T> (table: Table, left: number, work: () => MaybePromise<T>): MaybePromise<T> {
  const result = work()
  if (!isPromise(result)) return result
  return result.catch((error: unknown) => {
    const translated = table.dialect.translateError(error, { model: table.model, table })
    const taken = translated instanceof UniqueIndexError || (translated as { code?: unknown }).code === 'DUPLICATE_ID'
    if (!taken || left === 1) throw error
    return unlessTaken(table, left - 1, work)
  })
}
