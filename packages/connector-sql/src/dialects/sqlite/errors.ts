/** SQLite's errors as those that may be shown: no SQL, no text of the driver (security.md, S-58). */
import { duplicateId, RequestError, UniqueIndexError } from '@fastback/core'
import { caused, ColumnMissingError, databaseBusy, foreignKey, refusedValue, StoreError, TableMissingError, tooLarge } from '../../errors.js'
import type { Table } from '../../tables/table.js'
import type { ErrorContext } from '../dialect.js'

/** Result codes (https://www.sqlite.org/rescode.html). */
const codes = { error: 1, busy: 5, locked: 6, tooBig: 18, constraint: 19, mismatch: 20 } as const
const constraints = { check: 275, foreignKey: 787, notNull: 1299, primaryKey: 1555, unique: 2067, rowid: 2579, dataType: 3091 } as const
const names: Readonly<Record<string, number>> = {
  SQLITE_CONSTRAINT_CHECK: constraints.check,
  SQLITE_CONSTRAINT_FOREIGNKEY: constraints.foreignKey,
  SQLITE_CONSTRAINT_NOTNULL: constraints.notNull,
  SQLITE_CONSTRAINT_PRIMARYKEY: constraints.primaryKey,
  SQLITE_CONSTRAINT_UNIQUE: constraints.unique,
  SQLITE_CONSTRAINT_ROWID: constraints.rowid,
  SQLITE_BUSY: codes.busy,
  SQLITE_BUSY_SNAPSHOT: codes.busy,
  SQLITE_LOCKED: codes.locked,
  SQLITE_TOOBIG: codes.tooBig,
  SQLITE_MISMATCH: codes.mismatch,
  SQLITE_ERROR: codes.error
}

/** The extended result code: `errcode` of `node:sqlite`, the name of better-sqlite3. Undefined for errors that are not SQLite's. */
function codeOf (error: Error): number | undefined {
  const { errcode, code } = error as { errcode?: unknown, code?: unknown }
  if (typeof errcode === 'number') return errcode
  return typeof code === 'string' && code.startsWith('SQLITE_') ? names[code] ?? 0 : undefined
}

export function translateError (error: unknown, context: ErrorContext): unknown {
  if (!(error instanceof Error) || error instanceof RequestError || error instanceof UniqueIndexError) return error
  const code = codeOf(error)
  return code === undefined ? error : caused(translated(code, error.message, context), error)
}

function translated (code: number, message: string, context: ErrorContext): Error {
  const { table, id } = context
  const name = context.model?.name ?? ''
  switch (code) {
    case constraints.primaryKey: case constraints.rowid: return duplicateId(name, id)
    case constraints.unique: return notUnique(message, context)
    case constraints.notNull: return refusedValue(name, propertiesIn(message, table)[0] ?? '', 'presence', "can't be blank")
    case constraints.check: case constraints.dataType: return refusedValue(name, '', 'check', 'is refused by the database')
    case constraints.foreignKey: return foreignKey(name)
  }
  switch (code & 0xff) {
    case codes.busy: case codes.locked: return databaseBusy()
    case codes.tooBig: return tooLarge()
    case codes.mismatch: return refusedValue(name, context.model?.id?.name ?? '', 'type', 'is not a whole number')
    case codes.error:
      if (/^no such table/.test(message)) return new TableMissingError(name, table?.name ?? name)
      if (/no column named|no such column/.test(message)) return new ColumnMissingError(name)
  }
  return new StoreError(`SQLite result ${code}`)
}

/** `UNIQUE constraint failed: Product.sku, Product.shop` */
function notUnique (message: string, { model, table, id }: ErrorContext): Error {
  const properties = propertiesIn(message, table)
  const name = model?.name ?? ''
  return properties.length === 1 && properties[0] === model?.id?.name ? duplicateId(name, id) : new UniqueIndexError(name, properties)
}

function propertiesIn (message: string, table: Table | undefined): string[] {
  if (table === undefined) return []
  const before = `${table.name}.`
  const columns = message.slice(message.indexOf(': ') + 2).split(', ').map(column => column.startsWith(before) ? column.slice(before.length) : column)
  return table.columns.filter(({ name }) => columns.includes(name)).map(({ property }) => property.name)
}
