/** Reading rows, as objects and as JSON text. */
import type {
  Condition, ConditionValue, Id, MaybePromise, Query, Row, Selection, StoreOptions, Work
} from '@fastback/core'
import { chain } from '@fastback/core/connector'
import type { Connection } from '../dialects/driver.js'
import { equalValues } from '../query/equality.js'
import { prepareById, prepareByIdWhere, prepareCount, prepareFind, type Target } from '../query/select.js'
import { isDouble } from '../query/integer-bound.js'
import { sortsMany } from '../query/sorted-many.js'
import { residualFilterOf } from '../query/residual-filter.js'
import type { Column } from '../tables/column.js'
import type { Table } from '../tables/table.js'
import { inBatches } from './batches.js'
import { readJoined } from './joined-list.js'
import { sizeOfRaw, type Reader } from './reader.js'
import { eachRaw, jsonOf, rowsOf } from './projection.js'
import { filteredCount, filteredRows } from './filtered-scan.js'
import { sortedPage } from './sorted-page.js'

export function readRows (reader: Reader, query: Query): MaybePromise<Row[]> {
  const projection = reader.table.projection(query.select)
  return chain(rawRows(reader, query, { kind: 'rows', projection }), raw => rowsOf(projection, raw, reader.work))
}

export function readText (reader: Reader, query: Query): MaybePromise<string> {
  return chain(readJoined(reader, query), text => text ?? readList(reader, query))
}

/**
 * Rows up to which each comes as a text of its own: one text of all is a query around the other, and takes the database
 * longer to plan than JavaScript needs to put so few together.
 */
const mostAlone = 20

function readList (reader: Reader, query: Query): MaybePromise<string> {
  const { connection, table, work } = reader
  const projection = table.projection(query.select)
  const isShort = query.limit !== undefined && query.limit <= mostAlone
  const isListed = projection.listable && !isShort && !reader.isLarge(query) &&
    residualFilterOf(table, query.where, work, query) === undefined
  if (!isListed) {
    return chain(rawRows(reader, query, { kind: 'json', projection }), raw => jsonOf(projection, raw, work))
  }
  const { statement, values } = prepareFind(connection, table, query, { kind: 'list', projection })
  return chain(statement.get(values), raw => projection.json(raw as unknown[]))
}

/**
 * Raw rows of a query, whoever decides which they are.
 * @throws RequestError 400 QUERY_TOO_EXPENSIVE for more than the request may have
 */
function rawRows (reader: Reader, query: Query, target: Target): MaybePromise<readonly unknown[][]> {
  const { connection, table, work } = reader
  const residual = residualFilterOf(table, query.where, work, query)
  const raw =
    residual !== undefined
      ? work !== undefined && sortsMany(query, table)
        ? sortedPage(reader, query, target, residual)
        : filteredRows(reader, query, target, residual)
      : reader.isLarge(query)
        ? manyRows(reader, query, target)
        : fewRowsOf()
  return work === undefined ? raw : chain(raw, rows => { work.mustHold(rows.length); return rows })

  function fewRowsOf (): MaybePromise<unknown[][]> {
    const { statement, values } = prepareFind(connection, table, query, target)
    return statement.all(values)
  }
}

/** Rows of a large page, batch by batch: whether there are too many is seen before all are there. */
function manyRows (reader: Reader, query: Query, target: Target): MaybePromise<unknown[][]> {
  const work = reader.work as Work
  const all: unknown[][] = []
  return chain(inBatches(reader, reader.table, query, target, rows => {
    for (const raw of rows) {
      const size = sizeOfRaw(raw)
      work.read(size)
      work.spend(1 + size / 64)
      all.push(raw)
    }
    work.mustHold(all.length)
    return work.isDue ? work.rest().then(() => true) : true
  }), () => all)
}

/** The values to bind for an id; undefined when no row of the table can have that id. */
export function boundId (table: Table, id: Id): readonly unknown[] | undefined {
  const { id: column } = table
  // SQLite's columns of numbers may hold more digits than a double.
  if (column?.format.name === 'real' && !isDouble(id)) return undefined
  return column !== undefined && column.format.accepts(id) && column.format.canStore(id)
    ? equalValues(column, id)
    : undefined
}

/** What a row is found by, its id and what the table is keyed by instead, where that is known. */
export interface BoundKey { readonly values: readonly unknown[], readonly byKey: boolean }

/** Undefined when no row of the table can have the id. */
export function boundKey (table: Table, id: Id, also: StoreOptions['also']): BoundKey | undefined {
  const values = boundId(table, id)
  if (values === undefined) return undefined
  const { keyedBy } = table
  return also === undefined || keyedBy?.property.name !== also.property
    ? { values, byKey: false }
    : { values: [...values, ...equalValues(keyedBy, also.value)], byKey: true }
}

/** @param lock whether the row stays locked until the transaction ends; `'shared'`: others may lock it that way, too */
export function readRow (
  connection: Connection,
  table: Table,
  id: Id,
  select: Selection,
  lock: StoreOptions['lock'] = false,
  also?: StoreOptions['also']
): MaybePromise<Row | undefined> {
  const bound = boundKey(table, id, also)
  if (bound === undefined) return undefined
  const projection = table.projection(select)
  const { rowLock, sharedRowLock } = table.dialect
  const locking = lock === 'shared' ? sharedRowLock : lock ? rowLock : ''
  const statement = prepareById(connection, table, projection, 'rows', bound.byKey, locking)
  return chain(statement.get(bound.values), raw => (raw === undefined ? undefined : projection.row(raw)))
}

export function readRowText (
  connection: Connection,
  table: Table,
  id: Id,
  select: Selection
): MaybePromise<string | undefined> {
  const bound = boundId(table, id)
  if (bound === undefined) return undefined
  const projection = table.projection(select)
  return chain(prepareById(connection, table, projection, 'json').get(bound), raw =>
    raw === undefined ? undefined : projection.json(raw)
  )
}

/** The same, where the row is one of those that a condition leaves. */
export function readRowTextWhere (
  reader: Reader, id: Id, where: Condition, select: Selection
): MaybePromise<string | undefined> {
  const { connection, table } = reader
  const bound = boundId(table, id)
  if (bound === undefined) return undefined
  if (residualFilterOf(table, where, reader.work) !== undefined) return readFilteredText(reader, id, where, select)
  const projection = table.projection(select)
  const { statement, values } = prepareByIdWhere(connection, table, projection, bound, where)
  return chain(statement.get(values), raw => raw === undefined ? undefined : projection.json(raw))
}

/** Where JavaScript has to look at the row. */
function readFilteredText (
  reader: Reader, id: Id, where: Condition, select: Selection
): MaybePromise<string | undefined> {
  const { name, type } = (reader.table.id as Column).property
  const isOne: Condition =
    { kind: 'compare', path: { property: name, path: [], type, declared: true }, op: 'eq', value: id }
  const query: Query =
    { where: { kind: 'and', conditions: [isOne, where] }, order: [], limit: 1, skip: 0, select, include: [] }
  return chain(readList(reader, query), list => list.length < 3 ? undefined : list.slice(1, -1))
}

export function countRows (reader: Reader, where: Condition | undefined): MaybePromise<number> {
  const { connection, table, work } = reader
  const residual = residualFilterOf(table, where, work)
  if (residual !== undefined) return filteredCount(reader, residual)
  const { statement, values } = prepareCount(connection, table, where)
  return chain(statement.get(values), raw => Number((raw as unknown[])[0]))
}

/** Join keys and JSON text of each row, for include. */
export function readKeyed (
  reader: Reader,
  query: Query,
  keyNames: readonly string[]
): MaybePromise<{ keys: ConditionValue[][]; texts: string[] }> {
  const { table } = reader
  const readers = keyNames.map(name => keyReader(table, name))
  const projection = table.projection(query.select)
  // Keys that the text needs as well are read once.
  const also: string[] = []
  const positions = readers.map(({ expression }) => {
    const at = projection.jsonAt(expression)
    return at === -1 ? projection.jsonWidth + also.push(expression) - 1 : at
  })
  const target = { kind: 'json' as const, projection, also }
  return chain(rawRows(reader, query, target), raw => {
    const keys: ConditionValue[][] = []
    const texts: string[] = []
    return chain(
      eachRaw(raw, reader.work, row => {
        keys.push(readers.map(({ valueOf }, i) => valueOf(row[positions[i] as number])))
        texts.push(projection.json(row))
      }),
      () => ({ keys, texts })
    )
  })
}

interface KeyReader { readonly expression: string, valueOf (raw: unknown): ConditionValue }

function keyReader (table: Table, name: string): KeyReader {
  const column = table.byProperty.get(name)
  if (column !== undefined) {
    return { expression: column.format.read(column.quoted), valueOf: raw => valueOf(column, raw) }
  }
  const decodeExtra = table.dialect.extra.decode
  if (table.extra === undefined) return { expression: 'NULL', valueOf: () => null }
  return {
    expression: table.extra,
    valueOf: raw => {
      const extra = raw === null ? {} : decodeExtra(raw)
      return Object.hasOwn(extra, name) ? (extra[name] as ConditionValue) : null
    }
  }
}

function valueOf ({ format }: Column, raw: unknown): ConditionValue {
  // eslint-disable-next-line valid-typeof
  return raw === null || typeof raw === format.verbatim ? raw as ConditionValue : format.decode(raw) as ConditionValue
}
