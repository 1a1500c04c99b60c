/** New rows of several tables, one value of which is that of a row that is there and stays as it is meanwhile. */
import type { Id, MaybePromise, Row } from '@fastback/core'
import { chain, eachInSequence } from '@fastback/core/connector'
import type { Connection } from '../dialects/driver.js'
import { idIs } from '../query/select.js'
import { Placeholders } from '../query/statement-builder.js'
import { boundId, readRow } from '../reading/read.js'
import type { Column } from '../tables/column.js'
import type { Table } from '../tables/table.js'
import { boundValues, columnsOf, insertForId, insertRow, namesOf, newValues, type NewValues } from './insert.js'
import { storedRow } from './values.js'

/** A row of a table. */
export interface TableRow {
  readonly table: Table
  readonly row: Row
  /** The property that gets the value of the kept row. */
  readonly keptAs: string | undefined
}

/** The row that is kept, and which of its values is meant. */
export interface StoredRow { readonly table: Table, readonly id: Id, readonly property: string }

/** @returns the first row as it is stored; undefined where nothing was stored */
export function insertTogether (
  connection: Connection, rows: readonly TableRow[], kept: StoredRow
): MaybePromise<Row | undefined> {
  // Others tell of the first before it is stored: they know what was handed in.
  if (rows[0]?.table.guarantees.takesAsGiven === false) return undefined
  return kept.table.dialect.writesWithin
    ? inOneStatement(connection, rows, kept)
    : connection.atomically(within => inSteps(within, rows, kept))
}

function inSteps (
  connection: Connection, rows: readonly TableRow[], { table, id, property }: StoredRow
): MaybePromise<Row | undefined> {
  return chain(readRow(connection, table, id, table.only(property), 'shared'), found => {
    if (found === undefined) return undefined
    for (const { row, keptAs } of rows) if (keptAs !== undefined) row[keptAs] = found[property]
    return insertEach(connection, rows)
  })
}

/** Gives the first of them as it is stored. */
function insertEach (connection: Connection, rows: readonly TableRow[]): MaybePromise<Row> {
  const [first, ...others] = rows as readonly [TableRow, ...TableRow[]]
  const insertOthers = (): MaybePromise<void> =>
    eachInSequence(others, ({ table, row }) => chain(insertForId(connection, table, row), () => {}))
  return chain(insertRow(connection, first.table, first.row), stored => chain(insertOthers(), () => stored))
}

/** The row that is kept is read first: without it nothing is stored, and who waits for it holds no row. */
function inOneStatement (
  connection: Connection, rows: readonly TableRow[], { table, id, property }: StoredRow
): MaybePromise<Row | undefined> {
  const [first] = rows as readonly [TableRow]
  const source = table.byProperty.get(property)
  const bound = boundId(table, id)
  const made = rows.map(({ table, row }) => newValues(table, row))
  const targets = rows.map(({ table, keptAs }) => keptAs === undefined ? undefined : table.byProperty.get(keptAs))
  const fits = bound !== undefined && rows.every(({ table, keptAs }, i) =>
    made[i]?.id !== undefined && table.dialect.insertEnd(table, '') === '' && !table.guarantees.computes &&
    (keptAs === undefined || (source !== undefined && targets[i]?.format === source.format)))
  if (!fits) return undefined
  const key = `&${table.number}${source?.index ?? ''}:${rows.map(({ table }, i) =>
    `${table.number}+${targets[i]?.index ?? ''}+${(made[i] as NewValues).key}`).join(';')}`
  const statement = connection.prepared(key) ?? connection.prepare(key, sqlOf())
  return chain(statement.run([...bound, ...made.flatMap(({ values }) => values)]), ({ changes }) => changes === 0
    ? undefined
    : storedRow(first.table, first.row, made[0]?.id))

  function sqlOf (): string {
    const { dialect } = table
    const placeholders = new Placeholders(dialect)
    const value = source === undefined ? 'NULL' : source.quoted
    const read = `SELECT ${value} AS kept_value FROM ${table.quoted} WHERE ${idIs(table, placeholders)}${dialect.sharedRowLock}`
    const inserts = rows.map(({ table }, i) => {
      const { withExtra } = made[i] as NewValues
      const columns = columnsOf(table, made[i] as NewValues)
      const target = targets[i]
      const values = boundValues(table, columns, withExtra, () => placeholders.next())
      const names = namesOf(table, columns, withExtra)
      const [allNames, allValues] = target === undefined
        ? [names, values]
        : [`${names.slice(0, -1)}, ${(target as Column).quoted})`, [...values, 'kept_value']]
      return `INSERT INTO ${table.quoted} ${allNames} SELECT ${allValues.join(', ')} FROM kept`
    })
    const last = inserts.pop() as string
    const others = inserts.map((insert, i) => `, stored_${i} AS (${insert})`).join('')
    return `WITH kept AS (${read})${others} ${last}`
  }
}
