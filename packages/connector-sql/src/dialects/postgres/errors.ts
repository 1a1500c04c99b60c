/** PostgreSQL's errors as those that may be shown: no SQL, no text of the server (security.md, S-58). */
import { RequestError, UniqueIndexError } from '@fastback/core'
import { duplicateId } from '@fastback/core/connector'
import {
  caused,
  ColumnMissingError,
  databaseBusy,
  databaseTimeout,
  databaseUnavailable,
  foreignKey,
  onlyRead,
  refusedValue,
  StoreError,
  SchemaMissingError,
  TableMissingError,
  tooLarge
} from '../../errors.js'
import type { Table } from '../../tables/table.js'
import type { ErrorContext } from '../driver.js'

interface ServerError extends Error {
  readonly code: string
  readonly column?: string
  readonly constraint?: string
}

/**
 * An error that the server sent: it has an SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
const isServerError = (error: Error): error is ServerError =>
  /^[0-9A-Z]{5}$/.test(String((error as { code?: unknown }).code)) && 'severity' in error

const networkCodes: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'EACCES',
  'ECONNABORTED'
])

const driverTexts =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|Query read timeout|read ECONN|write E)/

/** Whether the connection is gone, or was never there. */
export function isLost (error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (isServerError(error)) return /^(?:08|57P0)/.test(error.code)
  return networkCodes.has((error as { code?: unknown }).code) || driverTexts.test(error.message)
}

/**
 * Whether it is sure that a statement that got this error did nothing: the server said that it ended the session, or
 * the connection was closed before.
 */
export function neverRan (error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return isServerError(error) ? /^57P0/.test(error.code) : /not queryable|Client was closed/.test(error.message)
}

export function translateError (error: unknown, context: ErrorContext): unknown {
  if (!(error instanceof Error) || error instanceof RequestError || error instanceof UniqueIndexError) return error
  if (isServerError(error)) return caused(translated(error, context), error)
  return isLost(error) ? caused(databaseUnavailable(), error) : error
}

function translated (error: ServerError, { model, table, id }: ErrorContext): Error {
  const name = model?.name ?? ''
  switch (error.code) {
    case '23505':
      return notUnique(error, { model, table, id })
    case '23502':
      return refusedValue(name, propertyOf(error.column, table), 'presence', "can't be blank")
    case '23503':
      return foreignKey(name)
    case '23514':
    case '23P01':
      return refusedValue(name, '', 'check', 'is refused by the database')
    case '22001':
      return refusedValue(name, '', 'length', 'is too long for the database')
    case '428C9':
      return refusedValue(name, propertyOf(error.column, table), 'generated', 'is given out by the database')
    case '3F000':
      return new SchemaMissingError(name)
    case '42P01':
      return new TableMissingError(name, table?.name ?? name)
    case '42703':
      return new ColumnMissingError(name)
    case '55000':
      return onlyRead(name)
    case '54000':
      return tooLarge()
    case '57014':
      return databaseTimeout()
    case '40001':
    case '40P01':
    case '55P03':
      return databaseBusy()
    case '53300':
      return databaseUnavailable()
  }
  if (/^22/.test(error.code)) return refusedValue(name, '', 'type', 'is refused by the database')
  return /^(?:08|57P)/.test(error.code) ? databaseUnavailable() : new StoreError(`PostgreSQL error ${error.code}`)
}

const propertyOf = (column: string | undefined, table: Table | undefined): string =>
  table?.columns.find(({ name }) => name === column)?.property.name ?? ''

/** The server names the index; its columns are known. */
function notUnique ({ constraint }: ServerError, { model, table, id }: ErrorContext): Error {
  const name = model?.name ?? ''
  const index = table?.indexes.find(index => index.name === constraint)
  if (index === undefined) return new UniqueIndexError(name, [])
  const properties = index.columns.map(column => propertyOf(column.name, table)).filter(property => property !== '')
  const key = model?.key.map(({ name }) => name) ?? []
  return properties.length === key.length && properties.every(property => key.includes(property))
    ? duplicateId(name, id)
    : new UniqueIndexError(name, properties)
}
