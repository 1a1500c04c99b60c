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
  refusedByPolicy,
  StoreError,
  SchemaMissingError,
  TableMissingError,
  tooLarge
} from '../../errors.js'
import { byCheck, columnsOfRule, noValueOf, outOfRange, refusal, tooLong } from '../../refusals.js'
import type { Column } from '../../tables/column.js'
import type { Table } from '../../tables/table.js'
import type { ErrorContext } from '../driver.js'
import { networkCodes } from '../server/network-codes.js'

interface ServerError extends Error {
  readonly code: string
  readonly column?: string
  readonly constraint?: string
  /** The domain whose check refuses the value. */
  readonly dataType?: string
}

/**
 * An error that the server sent: it has an SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
const isServerError = (error: Error): error is ServerError =>
  /^[0-9A-Z]{5}$/.test(String((error as { code?: unknown }).code)) && 'severity' in error

const lostCodes: ReadonlySet<unknown> = new Set(networkCodes)

const driverTexts =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|Query read timeout|read ECONN|write E)/

/** Whether the connection is gone, or was never there. */
export function isLost (error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (isServerError(error)) return /^(?:08|57P0)/.test(error.code)
  return lostCodes.has((error as { code?: unknown }).code) || driverTexts.test(error.message)
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

function translated (error: ServerError, context: ErrorContext): Error {
  const { model, table } = context
  const name = model?.name ?? ''
  const { column, constraint, message, dataType } = error
  switch (error.code) {
    case '23505':
      return notUnique(error, context)
    case '23502':
      return refusal(context, { code: 'presence', message: "can't be blank", columns: [column], means: none })
    case '23503':
      return foreignKey(name)
    case '23514':
    case '23P01':
      return refusal(context, {
        code: 'check', message: byCheck(constraint), columns: columnsOfRule(table, constraint), means: isOf(dataType)
      })
    case '22001':
      return refusal(context, {
        code: 'length', message: tooLong(typeIn(message)), means: isTooLongFor(typeIn(message))
      })
    case '22003':
    case '22008':
      return refusal(context, { code: 'type', message: outOfRange, means: isOf(typeIn(message)) })
    case '428C9':
      return refusal(context, { code: 'generated', message: 'is given out by the database', columns: [column] })
    case '3F000':
      return new SchemaMissingError(name)
    case '42501':
      if (/row-level security/.test(message)) return refusedByPolicy(name)
      break
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
  if (/^22/.test(error.code)) return refusal(context, { code: 'type', message: noValueOf, means: isQuotedIn(message) })
  return /^(?:08|57P)/.test(error.code) ? databaseUnavailable() : new StoreError(`PostgreSQL error ${error.code}`)
}

const none = (): boolean => false

/** The type that a message names: `value too long for type character(3)`, `smallint out of range`. */
const typeIn = (message: string): string | undefined =>
  / for type ([a-z ]+(?:\([\d,]+\))?)/.exec(message)?.[1] ?? /^(\w+) (?:out of range|field overflow)/.exec(message)?.[1]

/** Whether a column is of the type or domain, of whatever size where none is said; any is, where no type is. */
const isOf = (type: string | undefined) => (column: Column): boolean =>
  type === undefined || [column.type, column.type?.replace(/\([\d,]+\)/, ''), ...column.domains].includes(type)

/** Whether a value is longer than the type says. */
const isTooLongFor = (type: string | undefined) => (column: Column, value: unknown): boolean => {
  const size = Number(/\((\d+)\)/.exec(type ?? '')?.[1])
  return isOf(type)(column) && (Number.isNaN(size) || [...String(value)].length > size)
}

/** Whether a message ends with the value, as it was sent: `invalid input value for enum mood: "angry"`. */
const isQuotedIn = (message: string) => ({ format }: Column, value: unknown): boolean => {
  const start = message.indexOf(': "')
  return start === -1 || !message.endsWith('"') || String(format.encode(value)) === message.slice(start + 3, -1)
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
