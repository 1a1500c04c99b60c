/** Many rows: with as few INSERTs as there can be where each is a round trip. */
import type { Id, MaybePromise, Row } from '@fastback/core'
import { chain, eachInTurn } from '@fastback/core/connector'
import type { Connection } from '../dialects/driver.js'
import { Placeholders } from '../query/statement-builder.js'
import { extraOf } from '../tables/extra.js'
import type { Column, Table } from '../tables/table.js'
import { boundValues, columnsOf, insertRow, namesOf, newValues } from './insert.js'
import { replaceRow } from './update.js'
import { encoded, storedRow } from './values.js'

/** Values of one statement: fewer than any of the databases takes. */
const mostValues = 30_000

/** The values of rows that have the same columns. */
interface Block {
  /** Tells the columns and what the statement does, for statement keys. */
  readonly key: string
  readonly columns: readonly Column[]
  readonly withExtra: boolean
  readonly rows: Array<readonly unknown[]>
}

/** Stores all rows or none. */
export function insertRows (
  connection: Connection, table: Table, rows: ReadonlyArray<Readonly<Row>>
): MaybePromise<Row[]> {
  const blocks = table.dialect.rowsPerInsert > 1 ? blocksOf(table, rows) : undefined
  if (blocks !== undefined) return chain(insertBlocks(connection, table, blocks.blocks, ''), () => blocks.stored)
  const stored: Row[] = []
  return connection.atomically(within => chain(
    eachInTurn(rows, row => chain(insertRow(within, table, row), made => { stored.push(made) })),
    () => stored))
}

/** Rows in blocks, in their order; undefined where the database gives ids out: each has to be asked for. */
function blocksOf (
  table: Table, rows: ReadonlyArray<Readonly<Row>>
): { readonly blocks: Block[], readonly stored: Row[] } | undefined {
  // What counts must be told of each id.
  if (table.id === undefined || table.dialect.insertEnd(table, '') !== '') return undefined
  const blocks: Block[] = []
  const stored: Row[] = []
  for (const row of rows) {
    const made = newValues(table, row)
    if (made.id === undefined) return undefined
    const last = blocks.at(-1)
    if (last?.key === made.key) last.rows.push(made.values)
    else {
      const { key, withExtra } = made
      blocks.push({ key, columns: columnsOf(table, made), withExtra, rows: [made.values] })
    }
    stored.push(storedRow(table, row, made.id))
  }
  return { blocks, stored }
}

/** @param ending of each statement */
function insertBlocks (
  connection: Connection, table: Table, blocks: readonly Block[], ending: string
): MaybePromise<void> {
  const statements = blocks.flatMap(block => partsOf(block, table.dialect.rowsPerInsert))
  const run = (within: Connection) => (part: Block): MaybePromise<void> => {
    const { key, columns, withExtra, rows } = part
    const name = `${table.number}${ending === '' ? '*' : '='}${rows.length}:${key}`
    const statement = within.prepared(name) ?? within.prepare(name, sqlOf(columns, withExtra, rows.length))
    return chain(statement.run(rows.flat()), () => {})
  }
  const [only, ...others] = statements
  if (only === undefined) return
  return others.length === 0
    ? run(connection)(only)
    : connection.atomically(within => eachInTurn(statements, run(within)))

  function sqlOf (columns: readonly Column[], withExtra: boolean, count: number): string {
    const placeholders = new Placeholders(table.dialect)
    const lines = Array.from({ length: count }, () =>
      `(${boundValues(table, columns, withExtra, () => placeholders.next()).join(', ')})`)
    return `INSERT INTO ${table.quoted} ${namesOf(table, columns, withExtra)} VALUES ${lines.join(', ')}${ending}`
  }
}

/** Statements of few sizes, so that they stay prepared: as many rows as fit, then a fourth of that, and so on. */
function partsOf (block: Block, most: number): Block[] {
  const parts: Block[] = []
  const width = Math.max(1, block.rows[0]?.length ?? 1)
  let size = most
  for (let from = 0; from < block.rows.length;) {
    while (size > 1 && (size > block.rows.length - from || size * width > mostValues)) size = Math.ceil(size / 4)
    parts.push({ ...block, rows: block.rows.slice(from, from + size) })
    from += size
  }
  return parts
}

/** Stores whole rows in the place of those that have their ids. */
export function putRows (
  connection: Connection, table: Table, rows: ReadonlyArray<Readonly<Row>>
): MaybePromise<void> {
  const ending = table.dialect.putEnd(table)
  if (ending === undefined) return connection.atomically(within => eachInTurn(rows, row => putRow(within, table, row)))
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
  return insertBlocks(connection, table, [{ key: '', columns, withExtra, rows: values }], ending)
}

function putRow (connection: Connection, table: Table, row: Readonly<Row>): MaybePromise<void> {
  const id = row[(table.id as Column).property.name] as Id
  return chain(replaceRow(connection, table, id, row), replaced =>
    chain(replaced ?? insertRow(connection, table, row), () => {}))
}
