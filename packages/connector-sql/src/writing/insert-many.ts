/** Many rows: with as few INSERTs as there can be where each is a round trip. */
import type { Id, MaybePromise, Row } from '@fastback/core'
import { chain, eachInSequence } from '@fastback/core/connector'
import type { Connection, Statement } from '../dialects/driver.js'
import { Placeholders } from '../query/statement-builder.js'
import { extraOf, setOwn } from '../tables/extra.js'
import type { Column } from '../tables/column.js'
import type { Table } from '../tables/table.js'
import { writtenColumns } from './returning.js'
import { boundValues, columnsOf, comesBack, insertRow, namesOf, newValues } from './insert.js'
import { replaceRow } from './replace.js'
import { encoded, storedRow } from './values.js'

/** Values of one statement: fewer than any of the databases takes. */
const mostValues = 30_000

/** Length of their texts and bytes: servers limit what they take at once (4 MB some, in UTF-8). */
const mostLength = 1_000_000

/** Rows of one statement that may find others in their way. */
const mostMerged = 500

/** The values of rows that have the same columns. */
interface Block {
  /** Tells the columns and what the statement does, for statement keys. */
  readonly key: string
  readonly columns: readonly Column[]
  readonly withExtra: boolean
  readonly rows: Array<readonly unknown[]>
  /** Where the first of them stands among all. */
  readonly from: number
}

/** Rows that no other may be in the way of. */
interface NewBlock extends Block {
  /** Whether they come back as they were handed in, but for ids that the database gives out. */
  readonly isKept: boolean
  /** Whether the database gives each of them its id. */
  readonly getsIds: boolean
}

/** What stands at the end of a statement, and in its key. */
interface Ending { readonly key: string, readonly sql: string }

const plain: Ending = { key: '*', sql: '' }

/** Stores all rows or none. */
export function insertRows (
  connection: Connection, table: Table, rows: ReadonlyArray<Readonly<Row>>
): MaybePromise<Row[]> {
  const blocks = table.dialect.rowsPerInsert > 1 ? blocksOf(table, rows) : undefined
  if (blocks !== undefined) return chain(insertBlocks(connection, table, blocks), () => blocks.stored)
  const stored: Row[] = []
  return connection.atomically(within => chain(
    eachInSequence(rows, row => chain(insertRow(within, table, row), made => { stored.push(made) })),
    () => stored))
}

interface Blocks {
  readonly blocks: NewBlock[]
  /** The rows as they are stored; those of blocks that are not kept once that is known. */
  readonly stored: Row[]
}

/** Rows in blocks, in their order; undefined where each needs a statement of its own. */
function blocksOf (table: Table, rows: ReadonlyArray<Readonly<Row>>): Blocks | undefined {
  const { id, dialect, guarantees: { returnsInserted, storesEvery } } = table
  // With an id that is given, a counter may have to move: that is done for each.
  const takesIds = id !== undefined && dialect.insertEnd(table, '') === ''
  const mayGetIds = id === undefined ? storesEvery : getsIdsTogether(table)
  const blocks: NewBlock[] = []
  const stored: Row[] = []
  let length = 0
  for (const row of rows) {
    const made = newValues(table, row)
    const isGiven = made.id !== undefined
    const isKept = comesBack(table, made)
    // Without any value, a row is written another way (DEFAULT VALUES).
    if (!(isGiven ? takesIds : mayGetIds) || !(isKept || returnsInserted) || made.values.length === 0) return undefined
    const last = blocks.at(-1)
    const ownLength = lengthOf(made.values)
    length += ownLength
    if (last?.key === made.key && length <= mostLength) last.rows.push(made.values)
    else {
      length = ownLength
      const { key, withExtra, values } = made
      const getsIds = !isGiven && id !== undefined
      blocks.push({
        key, columns: columnsOf(table, made), withExtra, rows: [values], from: stored.length, isKept, getsIds
      })
    }
    stored.push(storedRow(table, row, made.id))
  }
  return { blocks, stored }
}

function lengthOf (values: readonly unknown[]): number {
  let length = 0
  for (const value of values) if (typeof value === 'string' || value instanceof Uint8Array) length += value.length
  return length
}

/** Whether one INSERT tells the ids of all its rows. Where it may leave one out, nobody knows whose id is whose. */
const getsIdsTogether = ({ id, newId, guarantees: { returnsInserted, storesEvery } }: Table): boolean =>
  returnsInserted && storesEvery && (id?.gives === 'number' || newId?.returned !== undefined)

/** The id alone, of rows that come back otherwise as they were handed in. */
function idsOf (table: Table): { name: string, list: string, idOf (raw: unknown[]): unknown } | undefined {
  const name = table.id?.property.name
  if (name === undefined) return undefined
  const { list, row } = table.projection(table.only(name))
  return { name, list, idOf: raw => row(raw)[name] }
}

/** One INSERT gives rows in the order of its values. */
function insertBlocks (connection: Connection, table: Table, { blocks, stored }: Blocks): MaybePromise<void> {
  const written = writtenColumns(table)
  const ids = idsOf(table)
  const answering = (key: string, getsIds: boolean, list: string): Ending =>
    ({ key, sql: table.dialect.insertEnd(table, getsIds ? undefined : '', list) })
  return inParts(connection, table, blocks, (within, part) => {
    const { isKept, getsIds, from } = part
    const values = part.rows.flat()
    const all = (ending: Ending): MaybePromise<unknown[][]> => prepareBlock(within, table, part, ending).all(values)
    if (!isKept) {
      return chain(all(answering('!', getsIds, written.list)), raw => {
        for (const [i, each] of raw.entries()) stored[from + i] = written.row(each)
      })
    }
    if (!getsIds || ids === undefined) return chain(prepareBlock(within, table, part, plain).run(values), () => {})
    return chain(all(answering('#', getsIds, ids.list)), raw => {
      for (const [i, each] of raw.entries()) setOwn(stored[from + i] as Row, ids.name, ids.idOf(each))
    })
  })
}

/**
 * Stores rows, or does with those that are taken what `onConflict` says; the rows as they are then. Undefined where the
 * rows are not of one form, or the database has to be told of each id.
 */
export function insertMerging (
  connection: Connection, table: Table, rows: ReadonlyArray<Readonly<Row>>, onConflict: string
): MaybePromise<Row[] | undefined> {
  const made = rows.map(row => newValues(table, row))
  const [first] = made
  if (first === undefined || made.some(({ key }) => key !== first.key)) return undefined
  const { list } = writtenColumns(table)
  if (first.id !== undefined && table.dialect.insertEnd(table, '', list) !== table.dialect.insertEnd(table, undefined, list)) {
    return undefined
  }
  const { key, withExtra } = first
  const block = {
    key, columns: columnsOf(table, first), withExtra, rows: made.map(({ values }) => values), from: 0
  }
  const ending = { key: onConflict, sql: `${onConflict}${table.dialect.insertEnd(table, undefined, list)}` }
  const stored: Row[] = []
  return chain(inParts(connection, table, [block], (within, part) =>
    chain(prepareBlock(within, table, part, ending).all(part.rows.flat()), raw => {
      for (const each of raw) stored.push(writtenColumns(table).row(each as unknown[]))
    }), mostMerged), () => stored)
}

/** Writes blocks in statements of few sizes, all or none. */
function inParts<Part extends Block> (
  connection: Connection, table: Table, blocks: readonly Part[],
  write: (within: Connection, part: Part) => MaybePromise<void>, most = table.dialect.rowsPerInsert
): MaybePromise<void> {
  const [only, ...others] = blocks.flatMap(block => partsOf(block, most))
  if (only === undefined) return
  return others.length === 0
    ? write(connection, only)
    : connection.atomically(within => eachInSequence([only, ...others], part => write(within, part)))
}

function prepareBlock (
  connection: Connection, table: Table, { key, columns, withExtra, rows: { length } }: Block, ending: Ending
): Statement {
  const name = `${table.number}${ending.key}${length}:${key}`
  return connection.prepared(name) ?? connection.prepare(name, sql())

  function sql (): string {
    const placeholders = new Placeholders(table.dialect)
    const lines = Array.from({ length }, () =>
      `(${boundValues(table, columns, withExtra, () => placeholders.next()).join(', ')})`)
    return `INSERT INTO ${table.quoted} ${namesOf(table, columns, withExtra)} VALUES ${lines.join(', ')}${ending.sql}`
  }
}

/** Statements of few sizes, so that they stay prepared: as many rows as fit, then a fourth of that, and so on. */
function partsOf<Part extends Block> (block: Part, most: number): Part[] {
  const parts: Part[] = []
  const width = Math.max(1, block.rows[0]?.length ?? 1)
  let size = most
  for (let from = 0; from < block.rows.length;) {
    while (size > 1 && (size > block.rows.length - from || size * width > mostValues)) size = Math.ceil(size / 4)
    parts.push({ ...block, rows: block.rows.slice(from, from + size), from: block.from + from })
    from += size
  }
  return parts
}

/** Stores whole rows in the place of those that have their ids. */
export function putRows (
  connection: Connection, table: Table, rows: ReadonlyArray<Readonly<Row>>
): MaybePromise<void> {
  // What stands there counts on.
  const ending = table.version === undefined ? table.dialect.putEnd(table) : undefined
  if (ending === undefined) {
    return connection.atomically(within => eachInSequence(rows, row => putRow(within, table, row)))
  }
  const columns = [table.id as Column, ...table.written]
  const withExtra = table.extra !== undefined
  const values = rows.map(row => {
    const bound = columns.map(column => encoded(table, column, row[column.property.name]))
    if (withExtra) {
      const extra = extraOf(table, row)
      bound.push(extra === undefined ? null : table.dialect.extra.encode(extra))
    }
    return bound
  })
  const block = { key: '', columns, withExtra, rows: values, from: 0 }
  return inParts(connection, table, [block], (within, part) =>
    chain(prepareBlock(within, table, part, { key: '=', sql: ending }).run(part.rows.flat()), () => {}))
}

function putRow (connection: Connection, table: Table, row: Readonly<Row>): MaybePromise<void> {
  const id = row[(table.id as Column).property.name] as Id
  return chain(replaceRow(connection, table, id, row), replaced =>
    chain(replaced ?? insertRow(connection, table, row), () => {}))
}
