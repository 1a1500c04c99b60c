/** The columns that a write sets, as part of a statement key, and the values it binds. */
import type { Row } from '@fastback/core'
import { refusedValue } from '../errors.js'
import { setOwn } from '../tables/extra.js'
import type { Column, Table } from '../tables/table.js'

/**
 * A value of a row as its column takes it; undefined and null are NULL.
 * @throws ValidationError 422 for a value that the column cannot hold
 */
export function encoded (table: Table, column: Column, value: unknown): unknown {
  if (value === undefined || value === null) return null
  const { format } = column
  if (format.refuses !== undefined) refuse(table, column, format.refuses(value))
  return format.encode(value)
}

function refuse (table: Table, { property }: Column, why: string | undefined): void {
  if (why !== undefined) throw refusedValue(table.model.name, property.name, 'unstorable', why)
}

/**
 * The columns whose properties are own members of `row`, in the order of the table; the id and computed ones are none.
 * @param withUndefined whether members of undefined count (they clear the column)
 */
export function columnsOf (table: Table, row: Readonly<Row>, withUndefined: boolean): Column[] {
  const columns: Column[] = []
  for (let i = 0; i < table.written.length; i++) {
    const column = table.written[i] as Column
    const { name } = column.property
    if (row[name] !== undefined || (withUndefined && Object.hasOwn(row, name))) columns.push(column)
  }
  return columns
}

/** The positions of columns, for a statement key. */
export function keyOf (columns: readonly Column[]): string {
  let key = ''
  for (let i = 0; i < columns.length; i++) key += `${(columns[i] as Column).index},`
  return key
}

/** A copy of a stored row without undefined members and what the database works out, with its id. */
export function storedRow (table: Table, row: Readonly<Row>, id: unknown): Row {
  const stored: Row = {}
  if (table.id !== undefined) stored[table.id.property.name] = id
  for (const name of Object.keys(row)) {
    if (row[name] !== undefined && name !== table.id?.property.name) setOwn(stored, name, row[name])
  }
  for (const name of table.computed) Reflect.deleteProperty(stored, name)
  return stored
}
