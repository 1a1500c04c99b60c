/** SQLite's errors as those that may be shown: no SQL, no text of the driver (security.md, S-58). */
import { RequestError, UniqueIndexError } from '@fastback/core'
import { duplicateId } from '@fastback/core/connector'
import {
  caused,
  ColumnMissingError,
  DamagedError,
  databaseBusy,
  foreignKey,
  FullError,
  OpenError,
  ReadOnlyError,
  onlyRead,
  StoreError,
  TableMissingError,
  tooLarge
} from '../../errors.js'
import { byCheck, columnsOfRule, noValueOf, refusal } from '../../refusals.js'
import type { Table } from '../../tables/table.js'
import type { ErrorContext } from '../driver.js'

/** Result codes (https://www.sqlite.org/rescode.html). */
const codes = {
  error: 1,
  busy: 5,
  locked: 6,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  tooBig: 18,
  constraint: 19,
  mismatch: 20,
  notADatabase: 26
} as const
const constraints = {
  check: 275,
  foreignKey: 787,
  notNull: 1299,
  primaryKey: 1555,
  unique: 2067,
  rowid: 2579,
  dataType: 3091
} as const
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
  SQLITE_READONLY: codes.readOnly,
  SQLITE_CORRUPT: codes.corrupt,
  SQLITE_FULL: codes.full,
  SQLITE_CANTOPEN: codes.cannotOpen,
  SQLITE_NOTADB: codes.notADatabase,
  SQLITE_TOOBIG: codes.tooBig,
  SQLITE_MISMATCH: codes.mismatch,
  SQLITE_ERROR: codes.error
}

/** SQLite's own words, for errors of which the driver says no code: those that come up while rows are read. */
const words: Readonly<Record<string, number>> = {
  'database is locked': codes.busy,
  'database table is locked': codes.locked,
  'attempt to write a readonly database': codes.readOnly,
  'disk I/O error': codes.ioError,
  'database disk image is malformed': codes.corrupt,
  'database or disk is full': codes.full,
  'file is not a database': codes.notADatabase
}

/**
 * The extended result code: `errcode` of `node:sqlite`, the name of better-sqlite3; 0 where it is not told. Undefined
 * for errors that are not SQLite's.
 */
function codeOf (error: Error): number | undefined {
  const { errcode, code } = error as { errcode?: unknown, code?: unknown }
  if (typeof errcode === 'number') return errcode
  if (code === 'ERR_SQLITE_ERROR') return words[error.message] ?? 0
  return typeof code === 'string' && code.startsWith('SQLITE_') ? names[code] ?? 0 : undefined
}

/** Whether somebody else holds a lock that was waited for. */
export const isBusy = (error: unknown): boolean =>
  error instanceof Error && ((codeOf(error) ?? 0) & 0xff) === codes.busy

export function translateError (error: unknown, context: ErrorContext): unknown {
  if (!(error instanceof Error) || error instanceof RequestError || error instanceof UniqueIndexError) return error
  const code = codeOf(error)
  return code === undefined ? error : caused(translated(code, error.message, context), error)
}

function translated (code: number, message: string, context: ErrorContext): Error {
  const { table, id } = context
  const name = context.model?.name ?? ''
  switch (code) {
    case constraints.primaryKey:
    case constraints.rowid:
      return duplicateId(name, id)
    case constraints.unique:
      return notUnique(message, context)
    case constraints.notNull:
      return refusal(context, { code: 'presence', message: "can't be blank", columns: columnsIn(message, table) })
    case constraints.check: {
      const rule = afterColon(message)
      return refusal(context, { code: 'check', message: byCheck(rule), columns: columnsOfRule(table, rule) })
    }
    // cannot store TEXT value in INTEGER column Product.stock
    case constraints.dataType: {
      const column = message.slice(message.lastIndexOf('.') + 1)
      return refusal(context, { code: 'type', message: noValueOf, columns: [column] })
    }
    case constraints.foreignKey:
      return foreignKey(name)
  }
  switch (code & 0xff) {
    case codes.busy: case codes.locked: return databaseBusy()
    case codes.tooBig: return tooLarge()
    case codes.full: return new FullError()
    case codes.readOnly: return new ReadOnlyError()
    case codes.corrupt: case codes.notADatabase: return new DamagedError()
    case codes.mismatch:
      return refusal(context, { code: 'type', message: 'is not a whole number', columns: [table?.id?.name] })
    case codes.error:
      if (/^no such table/.test(message)) return new TableMissingError(name, table?.name ?? name)
      if (/^cannot modify .* because it is a view/.test(message)) return onlyRead(name)
      if (/no column named|no such column/.test(message)) return new ColumnMissingError(name)
  }
  return new StoreError(`SQLite result ${code}`)
}

/** `UNIQUE constraint failed: Product.sku, Product.shop` */
function notUnique (message: string, { model, table, id }: ErrorContext): Error {
  const properties = propertiesIn(message, table)
  const name = model?.name ?? ''
  const key = model?.key.map(({ name }) => name) ?? []
  return key.length > 0 && properties.length === key.length && properties.every(property => key.includes(property))
    ? duplicateId(name, id)
    : new UniqueIndexError(name, properties)
}

const afterColon = (message: string): string => message.slice(message.indexOf(': ') + 2)

function columnsIn (message: string, table: Table | undefined): string[] {
  const before = `${table?.name ?? ''}.`
  return afterColon(message)
    .split(', ')
    .map(column => (column.startsWith(before) ? column.slice(before.length) : column))
}

function propertiesIn (message: string, table: Table | undefined): string[] {
  const columns = columnsIn(message, table)
  return table?.columns.filter(({ name }) => columns.includes(name)).map(({ property }) => property.name) ?? []
}

/** Why a file could not be opened, for anyone who starts the server. */
const reasons: Readonly<Record<number, string>> = {
  [codes.busy]: 'another process has locked it',
  [codes.locked]: 'another process has locked it',
  [codes.readOnly]: 'the file, or its folder, does not let this process write',
  [codes.ioError]: 'the disk refuses to read or write it',
  [codes.corrupt]: 'it is damaged; restore it from a backup',
  [codes.full]: 'the disk is full',
  [codes.cannotOpen]: 'it is no file, or this process may not read and write it and its folder',
  [codes.notADatabase]: 'it is damaged, or no SQLite database; restore it from a backup, or name another file'
}

/** An error of opening a file, with the file's name: it is for the log and the terminal, never for clients. */
export function openingError (error: unknown, dataSource: string, location: string): unknown {
  const code = error instanceof Error ? codeOf(error) : undefined
  if (code !== undefined) {
    return caused(new OpenError(dataSource, location, reasons[code & 0xff] ?? `SQLite result ${code}`), error)
  }
  const { code: system } = error as NodeJS.ErrnoException
  return typeof system === 'string' && /^E[A-Z]+$/.test(system)
    ? caused(new OpenError(dataSource, location, system), error)
    : error
}
