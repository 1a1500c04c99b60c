/** INSERT of one row. */
import type { Id, MaybePromise, Row } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import type { Connection } from '../dialects/driver.js'
import { Placeholders } from '../query/statement-builder.js'
import { readRow } from '../reading/read.js'
import { extraOf } from '../tables/extra.js'
import type { ColumnSet } from '../tables/column-sets.js'
import type { Column } from '../tables/column.js'
import type { Table } from '../tables/table.js'
import { returningRow, writtenColumns, thenRead } from './returning.js'
import { encoded, storedRow } from './values.js'

/** A row as an INSERT binds it. */
export interface NewValues {
  /** The id that it brings or is given here; undefined: the database gives it one. */
  readonly id: unknown
  /** The other columns. */
  readonly set: ColumnSet
  readonly withExtra: boolean
  readonly values: readonly unknown[]
  /** Tells table and columns, for statement keys. */
  readonly key: string
}

/** All columns of an INSERT, in the order of its values. */
export function columnsOf ({ id: column }: Table, { id, set }: NewValues): readonly Column[] {
  return id === undefined ? set.columns : [column as Column, ...set.columns]
}

/** What an INSERT of a row binds. */
export function newValues (table: Table, row: Readonly<Row>): NewValues {
  const id = table.id === undefined ? undefined : row[table.id.property.name] ?? table.newId?.make()
  const values: unknown[] = id === undefined ? [] : [encoded(table, table.id as Column, id)]
  const before = values.length
  const set = table.sets.of(row, false, values)
  const { columns } = set
  let hasNull = false
  for (let i = 0; i < columns.length; i++) {
    const value = values[before + i]
    if (value === null) hasNull = true
    values[before + i] = encoded(table, columns[i] as Column, value)
  }
  const isPlain = table.extra === undefined || !(hasNull || table.model.open)
  const extra = isPlain ? undefined : extraOf(table, row)
  const withExtra = extra !== undefined
  if (withExtra) values.push(table.dialect.extra.encode(extra))
  return { id, set, withExtra, values, key: set.insertKey(table.number, id !== undefined, withExtra) }
}

/** Whether a new row comes back as it was handed in, but for an id that the database counts. */
export const comesBack = ({ guarantees: { isPlain } }: Table, { set }: NewValues): boolean => isPlain && set.isKept

/** Stores a row and gives it back as it is stored. */
export function insertRow (connection: Connection, table: Table, row: Readonly<Row>): MaybePromise<Row> {
  const made = newValues(table, row)
  if (comesBack(table, made)) return chain(insertMade(connection, table, made), id => storedRow(table, row, id))
  if (table.guarantees.returnsInserted) {
    const key = `${made.key}r`
    const statement = connection.prepared(key) ??
      connection.prepare(key, insertSql(table, made, writtenColumns(table).list))
    return chain(returningRow(table, statement, made.values), stored => stored as Row)
  }
  return thenRead(
    connection,
    within => insertMade(within, table, made),
    (within, id) => chain(readRow(within, table, id as Id, table.whole), found => found ?? storedRow(table, row, id))
  ) as MaybePromise<Row>
}

/** Stores a row and gives its id. */
export const insertForId = (connection: Connection, table: Table, row: Readonly<Row>): MaybePromise<unknown> =>
  insertMade(connection, table, newValues(table, row))

function insertMade (connection: Connection, table: Table, made: NewValues): MaybePromise<unknown> {
  const statement = connection.prepared(made.key) ?? connection.prepare(made.key, insertSql(table, made))
  const { newId } = table
  if (newId?.returned !== undefined && made.id === undefined) {
    return chain(statement.get(made.values), raw => newId.decode(raw?.[0]))
  }
  return chain(statement.run(made.values), ({ insertedId }) => made.id ?? newId?.decode(insertedId))
}

/**
 * @param answer what is wanted of the stored row; undefined: its id
 * @param valueOf the value of a column, where it is not what is bound alone
 */
export function insertSql (
  table: Table, made: NewValues, answer?: string, valueOf = (_: Column, placeholder: string) => placeholder
): string {
  const { dialect } = table
  const { withExtra } = made
  const columns = columnsOf(table, made)
  const placeholders = new Placeholders(dialect)
  let givenId: string | undefined
  const values = boundValues(table, columns, withExtra, column => {
    const placeholder = placeholders.next()
    if (column === table.id) givenId = placeholder
    return column === undefined ? placeholder : valueOf(column, placeholder)
  })
  const into = values.length === 0
    ? dialect.emptyRow
    : `${namesOf(table, columns, withExtra)} VALUES (${values.join(', ')})`
  const wanted = answer ?? (givenId === undefined ? table.newId?.returned : undefined)
  return `INSERT INTO ${table.quoted} ${into}${dialect.insertEnd(table, givenId, wanted)}`
}

/** The list of columns of an INSERT. */
export function namesOf ({ extra }: Table, columns: readonly Column[], withExtra: boolean): string {
  return `(${[...columns.map(({ quoted }) => quoted), ...(withExtra ? [extra as string] : [])].join(', ')})`
}

/** The values of an INSERT, in the order of `namesOf`. */
export function boundValues (
  { dialect }: Table, columns: readonly Column[], withExtra: boolean, next: (column?: Column) => string
): string[] {
  const values = columns.map(column => column.format.bound(next(column)))
  if (withExtra) values.push(dialect.extra.bound(next()))
  return values
}
