/** INSERT: one row, or many of them together. */
import { randomUUID } from 'node:crypto'
import type { MaybePromise, Row } from '@fastback/core'
import { chain, eachInTurn } from '@fastback/core/connector'
import type { Connection } from '../dialects/driver.js'
import { Placeholders } from '../query/statement-builder.js'
import { extraOf } from '../tables/extra.js'
import type { Column, Table } from '../tables/table.js'
import { columnsOf, encoded, keyOf, storedRow } from './values.js'

/** Stores a row and gives it back with its id. */
export function insertRow (connection: Connection, table: Table, row: Readonly<Row>): MaybePromise<Row> {
  const given = table.id === undefined ? undefined : row[table.id.property.name] ?? newId(table.id)
  const columns = columnsOf(table, row, false)
  if (given !== undefined) columns.unshift(table.id as Column)
  const extra = table.extra === undefined ? undefined : extraOf(table, row)
  const values = columns.map(column => encoded(table, column, column === table.id ? given : row[column.property.name]))
  if (extra !== undefined) values.push(table.dialect.extra.encode(extra))
  const key = `${table.number}+${keyOf(columns)}${extra === undefined ? '' : 'x'}`
  const statement = connection.prepared(key) ?? connection.prepare(key, insertSql(table, columns, extra !== undefined))
  return chain(statement.run(values), ({ insertedId }) => storedRow(table, row, given ?? insertedId))
}

function insertSql (table: Table, columns: readonly Column[], withExtra: boolean): string {
  const { dialect } = table
  const placeholders = new Placeholders(dialect)
  const names = columns.map(({ quoted }) => quoted)
  let givenId: string | undefined
  const values = columns.map(column => {
    const placeholder = placeholders.next()
    if (column === table.id) givenId = placeholder
    return column.format.bound(placeholder)
  })
  if (withExtra) {
    names.push(table.extra as string)
    values.push(dialect.extra.bound(placeholders.next()))
  }
  return `INSERT INTO ${table.quoted} ${names.length === 0 ? dialect.emptyRow : `(${names.join(', ')}) VALUES (${values.join(', ')})`}${dialect.insertEnd(table, givenId)}`
}

/** Numbers are given out by the database; a text that the row does not bring is one that never was an id before. */
function newId ({ format }: Column): string | undefined {
  return format.name === 'text' ? randomUUID() : undefined
}

/** Stores all rows or none. */
export function insertRows (
  connection: Connection,
  table: Table,
  rows: ReadonlyArray<Readonly<Row>>
): MaybePromise<Row[]> {
  const stored: Row[] = []
  return connection.atomically(within => chain(
    eachInTurn(rows, row => chain(insertRow(within, table, row), made => { stored.push(made) })),
    () => stored))
}
