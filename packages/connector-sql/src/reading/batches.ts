/**
 * Rows of a query, batch by batch, with the event loop given back in between where that is due. Nobody gets a row
 * twice, and none is left out that is there all the while: a server shows all rows as they were at the beginning;
 * SQLite is asked anew for each batch, by the ids.
 */
import type { Condition, ConditionValue, MaybePromise, PropertyPath, Query, Selection } from '@fastback/core'
import { chain, fewRows } from '@fastback/core/connector'
import { prepareFind, compileFind, type Target } from '../query/select.js'
import type { Column } from '../tables/column.js'
import type { Table } from '../tables/table.js'
import { nextBatch, repeat, type Reader } from './reader.js'

/** Gets the raw rows of a batch; false: that is enough. */
export type Take = (rows: unknown[][]) => MaybePromise<boolean>

/** Rows of a batch at most. */
const mostRows = 500

/**
 * Hands the rows of a query to `take`, in its order.
 * @param table as it is asked: that of a residual filter, or the reader's
 */
export function inBatches (reader: Reader, table: Table, query: Query, target: Target, take: Take): MaybePromise<void> {
  if (table.dialect.scans) return scanned(reader, table, query, target, take)
  const direction = idDirection(query, table)
  if (direction !== 0 && table.isKeyed) return byIds(reader, table, query, target, take, direction)
  return table.isKeyed ? byList(reader, table, query, target, take) : allAtOnce(reader, table, query, target, take)
}

function scanned (
  { connection, work }: Reader,
  table: Table,
  query: Query,
  target: Target,
  take: Take
): MaybePromise<void> {
  const { limit, skip } = query
  const { key, sql, values } = compileFind(table, { ...query, limit: undefined, skip: 0 }, target)
  return connection.scan(
    key,
    sql(),
    values,
    rows => {
      work?.renew()
      return take(rows)
    },
    { limit, skip }
  )
}

/** Tables whose ids do not tell rows apart cannot be gone on with. */
function allAtOnce (
  { connection }: Reader,
  table: Table,
  query: Query,
  target: Target,
  take: Take
): MaybePromise<void> {
  const { statement, values } = prepareFind(connection, table, query, target)
  return chain(statement.all(values), rows => chain(take(rows), () => {}))
}

/** 1 for the order of the ids, -1 for the opposite one, 0 for any other. */
export function idDirection ({ order, where }: Query, table: Table): 1 | -1 | 0 {
  const [first] = order
  if (first === undefined) return nearest(where) ? 0 : 1
  if (!('path' in first) || first.path.path.length > 0) return 0
  if (table.byProperty.get(first.path.property) !== table.id) return 0
  return first.descending ? -1 : 1
}

const nearest = (where: Condition | undefined): boolean =>
  where !== undefined && (where.kind === 'near' || (where.kind === 'and' && where.conditions.some(nearest)))

/**
 * Each batch begins behind the last id of the one before. Most lists end with their first batch, which is therefore
 * read without the ids; a longer list is begun anew with them, since nothing but the rows themselves says where they
 * end: another process may change the table between two queries.
 */
function byIds (
  reader: Reader,
  table: Table,
  query: Query,
  target: Target,
  take: Take,
  direction: 1 | -1
): MaybePromise<void> {
  const { connection } = reader
  const id = table.id as Column
  const at = widthOf(target)
  const withId = { ...target, also: [...target.also ?? [], id.format.read(id.quoted)] }
  let { where, skip } = query
  let left = query.limit ?? Infinity
  let size = fewRows
  return chain(reader.ready(), readFirst)

  function readFirst (): MaybePromise<void> {
    const limit = Math.min(size, left)
    const { statement, values } = prepareFind(connection, table, { ...query, limit }, target)
    return chain(statement.all(values), rows =>
      rows.length < limit || limit === left ? chain(take(rows), () => {}) : repeat(begin))
  }

  function begin (): MaybePromise<boolean> {
    return chain(reader.ready(), readBatch)
  }

  function readBatch (): MaybePromise<boolean> {
    const limit = Math.min(size, left)
    const { statement, values } = prepareFind(connection, table, { ...query, where, skip, limit }, withId)
    return chain(statement.all(values), rows => taken(rows, limit))
  }

  function taken (rows: unknown[][], limit: number): MaybePromise<boolean> {
    const last = rows[rows.length - 1]?.[at]
    left -= rows.length
    skip = 0
    if (last !== undefined) where = behindId(query.where, id, last, direction)
    size = nextBatch(rows, mostRows)
    return chain(take(rows), more => more && rows.length === limit && left > 0)
  }
}

/** What comes behind a row in the order of the ids: `last` is the raw id of that row. */
export function behindId (where: Condition | undefined, id: Column, last: unknown, direction: 1 | -1): Condition {
  const value = id.format.decode(last) as ConditionValue
  return both(where, { kind: 'compare', op: direction === 1 ? 'gt' : 'lt', path: pathTo(id), value })
}

/** First all ids, in order; then the rows, some at a time. Those that no longer match by then are left out. */
function byList (reader: Reader, table: Table, query: Query, target: Target, take: Take): MaybePromise<void> {
  const { connection } = reader
  const id = table.id as Column
  const few = prepareFind(connection, table, { ...query, limit: Math.min(fewRows, query.limit ?? fewRows) }, target)
  return chain(few.statement.all(few.values), first =>
    first.length < fewRows || query.limit === first.length ? chain(take(first), () => {}) : allByList(first)
  )

  function allByList (first: unknown[][]): MaybePromise<void> {
    const only: Selection = { names: [id.property.name], extra: 'none' }
    const ids = { kind: 'rows' as const, projection: table.projection(only) }
    const { statement, values } = prepareFind(connection, table, query, ids)
    return chain(statement.all(values), list => {
      const raws = list.map(([raw]) => raw)
      return inLists(reader, table, query, target, raws, nextBatch(first, mostRows), take)
    })
  }
}

/**
 * The rows of these (raw) ids, in this order, some at a time.
 * @param size how many the first time
 */
export function inLists (
  reader: Reader,
  table: Table,
  query: Query,
  target: Target,
  ids: readonly unknown[],
  size: number,
  take: Take
): MaybePromise<void> {
  const id = table.id as Column
  const at = widthOf(target)
  const withId = { ...target, also: [...(target.also ?? []), id.format.read(id.quoted)] }
  let from = 0
  return repeat(() => chain(reader.ready(), readBatch))

  function readBatch (): MaybePromise<boolean> {
    const some = ids.slice(from, (from += size))
    const { statement, values } = prepareFind(reader.connection, table, amongIds(some), withId)
    return chain(statement.all(values), rows => takeInOrder(some, rows))
  }

  function amongIds (some: readonly unknown[]): Query {
    const values = some.map(raw => id.format.decode(raw) as ConditionValue)
    const among: Condition = { kind: 'in', op: 'inq', path: pathTo(id), values }
    return { ...query, where: both(query.where, among), order: [], limit: undefined, skip: 0 }
  }

  function takeInOrder (some: readonly unknown[], rows: unknown[][]): MaybePromise<boolean> {
    const byId = new Map(rows.map(raw => [keyOf(raw[at]), raw]))
    const inOrder = some.flatMap(raw => {
      const row = byId.get(keyOf(raw))
      return row === undefined ? [] : [row]
    })
    return chain(take(inOrder), more => more && from < ids.length)
  }
}

/** SQLite gives the ids of a batch as bigints where one of its values needs that, and as numbers otherwise. */
const keyOf = (raw: unknown): unknown => raw instanceof Uint8Array
  ? Buffer.from(raw).toString()
  : typeof raw === 'bigint' && Number.isSafeInteger(Number(raw)) ? Number(raw) : raw

const widthOf = ({ kind, projection, also = [] }: Target): number =>
  (kind === 'rows' ? projection.width : projection.jsonWidth) + also.length

const pathTo = ({ property: { name, type } }: Column): PropertyPath => ({
  property: name,
  path: [],
  type,
  declared: true
})

const both = (where: Condition | undefined, added: Condition): Condition =>
  where === undefined ? added : { kind: 'and', conditions: [where, added] }
