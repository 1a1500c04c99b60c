/** Reading rows, as objects and as JSON text. */
import { chain, type Condition, type ConditionValue, type Id, type MaybePromise, type Query, type Row, type Selection } from '@fastback/core'
import type { Session } from '../dialects/dialect.js'
import { prepareById, prepareCount, prepareFind, type Target } from '../query/select.js'
import { sieveOf } from '../query/sieve.js'
import type { Column, Table } from '../tables/table.js'
import { jsonOf, rowsOf } from './reading.js'
import { siftedCount, siftedRows } from './sifted.js'

export function readRows (session: Session, table: Table, query: Query): MaybePromise<Row[]> {
  const reading = table.reading(query.select)
  return chain(rawRows(session, table, query, { kind: 'rows', reading }), raw => rowsOf(reading, raw))
}

export function readText (session: Session, table: Table, query: Query): MaybePromise<string> {
  const reading = table.reading(query.select)
  if (!reading.listable) return chain(rawRows(session, table, query, { kind: 'json', reading }), raw => jsonOf(reading, raw))
  const sieve = sieveOf(table, query.where, query)
  if (sieve !== undefined) return chain(siftedRows(session, table, query, { kind: 'json', reading }, sieve), raw => jsonOf(reading, raw))
  const { statement, values } = prepareFind(session, table, query, { kind: 'list', reading })
  return chain(statement.get(values), raw => reading.json(raw as unknown[]))
}

/** Raw rows of a query, whoever decides which they are. */
function rawRows (session: Session, table: Table, query: Query, target: Target): MaybePromise<readonly unknown[][]> {
  const sieve = sieveOf(table, query.where, query)
  if (sieve !== undefined) return siftedRows(session, table, query, target, sieve)
  const { statement, values } = prepareFind(session, table, query, target)
  return statement.all(values)
}

/** The value to bind for an id; undefined when no row of the table can have that id. */
export function boundId (table: Table, id: Id): unknown {
  const { id: column } = table
  return column !== undefined && column.format.accepts(id) && column.format.holds(id) ? column.format.encode(id) : undefined
}

/** @param lock whether the row stays locked until the transaction ends */
export function readRow (session: Session, table: Table, id: Id, select: Selection, lock = false): MaybePromise<Row | undefined> {
  const bound = boundId(table, id)
  if (bound === undefined) return undefined
  const reading = table.reading(select)
  return chain(prepareById(session, table, reading, 'rows', lock ? table.dialect.rowLock : '').get([bound]), raw => raw === undefined ? undefined : reading.row(raw))
}

export function readRowText (session: Session, table: Table, id: Id, select: Selection): MaybePromise<string | undefined> {
  const bound = boundId(table, id)
  if (bound === undefined) return undefined
  const reading = table.reading(select)
  return chain(prepareById(session, table, reading, 'json').get([bound]), raw => raw === undefined ? undefined : reading.json(raw))
}

export function countRows (session: Session, table: Table, where: Condition | undefined): MaybePromise<number> {
  const sieve = sieveOf(table, where)
  if (sieve !== undefined) return siftedCount(session, table, sieve)
  const { statement, values } = prepareCount(session, table, where)
  return chain(statement.get(values), raw => Number((raw as unknown[])[0]))
}

/** Join keys and JSON text of each row, for include. */
export function readKeyed (session: Session, table: Table, query: Query, keyNames: readonly string[]): MaybePromise<{ keys: ConditionValue[][], texts: string[] }> {
  const readers = keyNames.map(name => keyReader(table, name))
  const reading = table.reading(query.select)
  const target = { kind: 'json' as const, reading, also: readers.map(({ expression }) => expression) }
  return chain(rawRows(session, table, query, target), raw => ({
    keys: raw.map(row => readers.map(({ valueOf }, i) => valueOf(row[reading.jsonWidth + i]))),
    texts: raw.map(reading.json)
  }))
}

interface KeyReader { readonly expression: string, valueOf (raw: unknown): ConditionValue }

function keyReader (table: Table, name: string): KeyReader {
  const column = table.byProperty.get(name)
  if (column !== undefined) return { expression: column.format.read(column.quoted), valueOf: raw => valueOf(column, raw) }
  const decodeExtra = table.dialect.overflow.decode
  if (table.extra === undefined) return { expression: 'NULL', valueOf: () => null }
  return { expression: table.extra, valueOf: raw => { const extra = raw === null ? {} : decodeExtra(raw); return Object.hasOwn(extra, name) ? extra[name] as ConditionValue : null } }
}

function valueOf ({ format }: Column, raw: unknown): ConditionValue {
  // eslint-disable-next-line valid-typeof
  return raw === null || typeof raw === format.verbatim ? raw as ConditionValue : format.decode(raw) as ConditionValue
}
