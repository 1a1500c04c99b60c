/** The values that a write binds, and the rows that are given back for them. */
import type { Row } from '@fastback/core'
import { refusedValue } from '../errors.js'
import { setOwn } from '../tables/extra.js'
import type { Column } from '../tables/column.js'
import type { Table } from '../tables/table.js'

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

/** What a read gives for a row that comes back as it was written: a copy without undefined members, with its id. */
export function storedRow (table: Table, row: Readonly<Row>, id: unknown): Row {
  const stored: Row = {}
  const idName = table.id?.property.name
  if (idName !== undefined) setOwn(stored, idName, id)
  if (table.extra === undefined) {
    // A NULL is a null there, and nothing else is kept.
    for (const { property: { name } } of table.columns) if (name !== idName) setOwn(stored, name, row[name] ?? null)
    return stored
  }
  for (const name of Object.keys(row)) {
    const value = row[name]
    if (value !== undefined && name !== idName) setOwn(stored, name, value)
  }
  return stored
}
