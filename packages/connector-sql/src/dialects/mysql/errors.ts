/** MySQL's and MariaDB's errors as those that may be shown: no SQL, no text of the server (security.md, S-58). */
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
  StoreError,
  SchemaMissingError,
  TableMissingError,
  tooLarge
} from '../../errors.js'
import { byCheck, columnsOfRule, noValueOf, outOfRange, refusal, tooLong } from '../../refusals.js'
import type { Table } from '../../tables/table.js'
import type { ErrorContext } from '../driver.js'

interface ServerError extends Error {
  readonly errno: number
  readonly sqlState: string
  readonly sqlMessage?: string
}

/** An error that the server sent (https://mariadb.com/kb/en/mariadb-error-code-reference/). */
const isServerError = (error: Error): error is ServerError =>
  typeof (error as { sqlState?: unknown }).sqlState === 'string' &&
  typeof (error as { errno?: unknown }).errno === 'number'

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
  'ECONNABORTED',
  'PROTOCOL_CONNECTION_LOST',
  'ER_SERVER_SHUTDOWN'
])

/** The server ends the session, and says so. */
const endings: ReadonlySet<number> = new Set([1053, 1077, 1927, 4031])

/** Whether the connection is gone, or was never there. */
export function isLost (error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (isServerError(error)) return endings.has(error.errno) || error.errno === 1040
  return (
    networkCodes.has((error as { code?: unknown }).code) ||
    /closed state|Connection lost|Pool is closed/.test(error.message)
  )
}

/** Whether it is sure that a statement that got this error did nothing: the connection was closed before. */
export const neverRan = (error: unknown): boolean =>
  error instanceof Error && !isServerError(error) && /closed state/.test(error.message)

/** Whether the server rolled the whole transaction back. */
export const undoesAll = (error: unknown): boolean =>
  error instanceof Error && isServerError(error) && error.errno === 1213

export function translateError (error: unknown, context: ErrorContext): unknown {
  if (!(error instanceof Error) || error instanceof RequestError || error instanceof UniqueIndexError) return error
  if (isLost(error)) return caused(databaseUnavailable(), error)
  return isServerError(error) ? caused(translated(error, context), error) : error
}

function translated (error: ServerError, context: ErrorContext): Error {
  const { model, table } = context
  const name = model?.name ?? ''
  const { sqlMessage = '' } = error
  const columns = [columnIn(sqlMessage)]
  switch (error.errno) {
    case 1062:
    case 1586:
      return notUnique(error, context)
    case 1048:
    case 1364:
      return refusal(context, { code: 'presence', message: "can't be blank", columns, means: none })
    case 1216:
    case 1217:
    case 1451:
    case 1452:
      return foreignKey(name)
    case 3819:
    case 4025:
      return refusedByCheck(sqlMessage, context)
    case 1406:
      return refusal(context, { code: 'length', message: tooLong(typeOf(columns[0], table)), columns })
    case 1264:
    case 1690:
      return refusal(context, { code: 'type', message: outOfRange, columns })
    case 1265:
    case 1292:
    case 1366:
    case 1367:
    case 1411:
    case 3140:
      return refusal(context, { code: 'type', message: noValueOf, columns })
    case 1049:
      return new SchemaMissingError(name)
    case 1146:
    case 1051:
      return new TableMissingError(name, table?.name ?? name)
    case 1054:
      return new ColumnMissingError(name)
    case 1288:
    case 1471:
    case 1394:
      return onlyRead(name)
    case 1153:
    case 1301:
      return tooLarge()
    case 1205:
    case 1213:
      return databaseBusy()
    case 1317:
    case 1969:
    case 3024:
      return databaseTimeout()
    case 1203:
    case 1226:
    case 1461:
      return databaseUnavailable()
  }
  return new StoreError(`MySQL error ${error.errno}`)
}

const none = (): boolean => false

/** `Column 'sku' cannot be null`, `Incorrect integer value: 'x' for column `shop`.`item`.`stock` at row 1`. */
const columnIn = (message: string): string | undefined =>
  /(?:[Cc]olumn|[Ff]ield) ['`]([^'`]+)(?:['`]\.['`]([^'`]+))?(?:['`]\.['`]([^'`]+))?/.exec(message)?.slice(1)
    .filter(part => part !== undefined).at(-1)

const typeOf = (column: string | undefined, table: Table | undefined): string | undefined =>
  table?.columns.find(({ name }) => name === column)?.type

/** MariaDB calls the check of a column by table and column. */
function refusedByCheck (message: string, context: ErrorContext): Error {
  const named = /^(?:CONSTRAINT|Check constraint) [`']([^`']+)[`']/.exec(message)?.[1]
  const name = named?.replace(`${context.table?.name ?? ''}.`, '')
  const columns = columnsOfRule(context.table, name)
  return refusal(context, { code: 'check', message: byCheck(name), columns: columns.length === 0 ? [name] : columns })
}

const propertyOf = (column: string | undefined, table: Table | undefined): string =>
  table?.columns.find(({ name }) => name === column)?.property.name ?? ''

/** The server names the index at the end of its message, with or without the table; its columns are known. */
function notUnique ({ sqlMessage = '' }: ServerError, { model, table, id }: ErrorContext): Error {
  const name = model?.name ?? ''
  const key = /'([^']+)'$/.exec(sqlMessage)?.[1] ?? ''
  const index = table?.indexes.find(index => key === index.name || key.endsWith(`.${index.name}`))
  if (index === undefined) return new UniqueIndexError(name, [])
  const properties = index.columns.map(column => propertyOf(column.name, table)).filter(property => property !== '')
  const parts = model?.key.map(({ name }) => name) ?? []
  return properties.length === parts.length && properties.every(property => parts.includes(property))
    ? duplicateId(name, id)
    : new UniqueIndexError(name, properties)
}
