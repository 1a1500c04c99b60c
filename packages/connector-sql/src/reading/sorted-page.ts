/**
 * Pages of many rows that nothing has in order, where the database is a part of this process (security.md, S-197):
 * which rows they are is found by ids and by what sorts them, alone; then these rows are read.
 */
import type { MaybePromise, Query } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import { sortsItself } from '../query/order.js'
import { residualFilterOf, type ResidualFilter } from '../query/residual-filter.js'
import { prepareFind, type Target } from '../query/select.js'
import type { Column } from '../tables/column.js'
import type { Table } from '../tables/table.js'
import { inLists } from './batches.js'
import { filteredRows } from './filtered-scan.js'
import { sizeOfRaw, type Reader } from './reader.js'

/** Characters of what sorts rows that SQLite may hold for one statement: some 20 ms. */
const mostHeld = 1_048_576
/** What a row takes beside its texts. */
const ofRow = 32
/** Rows of the first list that is read by its ids. */
const firstList = 100

/** Raw rows of a page that `sortsMany` is true of: SQLite sorts short values, and JavaScript long ones, in turns. */
export function sortedPage (
  reader: Reader, query: Query, target: Target, residual: ResidualFilter
): MaybePromise<unknown[][]> {
  const { connection, table, work } = reader
  const ids = (of: Table): Target =>
    ({ kind: 'rows', projection: of.projection(of.only((of.id as Column).property.name)) })
  const isAsked = residualFilterOf(table, query.where, work) === undefined && sortsItself(query, table)
  return chain(isAsked ? isLight(reader, query) : false, light => {
    if (!light) {
      const { where, table: other } = residual
      return chain(filteredRows(reader, query, ids(other), residual), found =>
        rowsOfIds(reader, other, { ...query, where }, target, found))
    }
    const { statement, values } = prepareFind(connection, table, query, ids(table))
    return chain(statement.all(values), found => rowsOfIds(reader, table, query, target, found))
  })
}

function rowsOfIds (
  reader: Reader, table: Table, query: Query, target: Target, found: readonly unknown[][]
): MaybePromise<unknown[][]> {
  const { work } = reader
  const own = { ...target, projection: table.projection(target.projection.select) }
  const all: unknown[][] = []
  const take = (rows: unknown[][]): MaybePromise<boolean> => {
    for (const raw of rows) {
      const size = sizeOfRaw(raw)
      work?.read(size)
      work?.spend(1 + size / 64)
      all.push(raw)
    }
    return work?.isDue === true ? work.rest().then(() => true) : true
  }
  if (found.length === 0) return all
  return chain(inLists(reader, table, query, own, found.map(([raw]) => raw), firstList, take), () => all)
}

/** Whether what sorts the rows is short in all of the table: known by what each row says of its values' lengths. */
function isLight ({ connection, table }: Reader, { order, skip, limit = Infinity }: Query): MaybePromise<boolean> {
  const columns = order.map(term => 'path' in term
    ? table.byProperty.get(term.path.property)?.quoted ?? table.extra
    : undefined)
  const lengths = columns.map(column => column === undefined ? '0' : `coalesce(max(octet_length(${column})), 0)`)
  const key = `${table.number}O${lengths.join()}`
  const sql = `SELECT count(*), ${lengths.join(' + ')} FROM ${table.quoted}`
  const statement = connection.prepared(key) ?? connection.prepare(key, sql)
  return chain(statement.get([]), raw => {
    const [rows, longest] = raw as unknown as readonly [unknown, unknown]
    return Math.min(skip + limit, Number(rows)) * (Number(longest) + ofRow) <= mostHeld
  })
}
