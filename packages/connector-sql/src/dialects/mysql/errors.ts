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
import { networkCodes } from '../server/network-codes.js'

interface ServerError extends Error {
  readonly errno: number
  readonly sqlState: string
  readonly sqlMessage?: string
}

/** An error that the server sent (https://mariadb.com/kb/en/mariadb-error-code-reference/). */
const isServerError = (error: Error): error is ServerError =>
  typeof (error as { sqlState?: unknown }).sqlState === 'string' &&
  typeof (error as { errno?: unknown }).errno === 'number'

const lostCodes: ReadonlySet<unknown> = new Set([...networkCodes, 'PROTOCOL_CONNECTION_LOST', 'ER_SERVER_SHUTDOWN'])

/** The server ends the session, and says so. */
const endings: ReadonlySet<number> = new Set([1053, 1077, 1927, 4031])

/** Whether the connection is gone, or was never there. */
export function isLost (error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (isServerError(error)) return endings.has(error.errno) || error.errno === 1040
  return (
    lostCodes.has((error as { code?: unknown }).code) ||
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
  return meanings.get(error.errno)?.(error, context) ?? new StoreError(`MySQL error ${error.errno}`)
}

type Meaning = (error: ServerError, context: ErrorContext) => Error

const ofModel = (make: (name: string) => Error): Meaning => (_error, { model }) => make(model?.name ?? '')

const refusedValue = (
  code: string, message: string | ((type: string | undefined) => string), more: { readonly means?: () => boolean } = {}
): Meaning => ({ sqlMessage = '' }, context) => {
  const column = columnIn(sqlMessage)
  const text = typeof message === 'string' ? message : message(typeOf(column, context.table))
  return refusal(context, { code, message: text, columns: [column], ...more })
}

/** What errors mean here, by the server's names and numbers of them. */
const meaningsByName: ReadonlyArray<readonly [Meaning, Readonly<Record<string, number>>]> = [
  [(error, context) => notUnique(error, context), { ER_DUP_ENTRY: 1062, ER_DUP_ENTRY_WITH_KEY_NAME: 1586 }],
  [
    refusedValue('presence', "can't be blank", { means: () => false }),
    { ER_BAD_NULL_ERROR: 1048, ER_NO_DEFAULT_FOR_FIELD: 1364 }
  ],
  [
    ofModel(foreignKey),
    {
      ER_NO_REFERENCED_ROW: 1216, ER_ROW_IS_REFERENCED: 1217, ER_ROW_IS_REFERENCED_2: 1451, ER_NO_REFERENCED_ROW_2: 1452
    }
  ],
  [
    ({ sqlMessage = '' }, context) => refusedByCheck(sqlMessage, context),
    { ER_CHECK_CONSTRAINT_VIOLATED: 3819, ER_CONSTRAINT_FAILED: 4025 }
  ],
  [refusedValue('length', tooLong), { ER_DATA_TOO_LONG: 1406 }],
  [refusedValue('type', outOfRange), { ER_WARN_DATA_OUT_OF_RANGE: 1264, ER_DATA_OUT_OF_RANGE: 1690 }],
  [
    refusedValue('type', noValueOf),
    {
      WARN_DATA_TRUNCATED: 1265,
      ER_TRUNCATED_WRONG_VALUE: 1292,
      ER_TRUNCATED_WRONG_VALUE_FOR_FIELD: 1366,
      ER_ILLEGAL_VALUE_FOR_TYPE: 1367,
      ER_WRONG_VALUE_FOR_TYPE: 1411,
      ER_INVALID_JSON_TEXT: 3140
    }
  ],
  [ofModel(name => new SchemaMissingError(name)), { ER_BAD_DB_ERROR: 1049 }],
  [
    (_error, { model, table }) => new TableMissingError(model?.name ?? '', table?.name ?? model?.name ?? ''),
    { ER_NO_SUCH_TABLE: 1146, ER_BAD_TABLE_ERROR: 1051 }
  ],
  [ofModel(name => new ColumnMissingError(name)), { ER_BAD_FIELD_ERROR: 1054 }],
  [
    ofModel(onlyRead),
    { ER_NON_UPDATABLE_TABLE: 1288, ER_NON_INSERTABLE_TABLE: 1471, ER_VIEW_NO_INSERT_FIELD_LIST: 1394 }
  ],
  [() => tooLarge(), { ER_NET_PACKET_TOO_LARGE: 1153, ER_WARN_ALLOWED_PACKET_OVERFLOWED: 1301 }],
  [() => databaseBusy(), { ER_LOCK_WAIT_TIMEOUT: 1205, ER_LOCK_DEADLOCK: 1213 }],
  [() => databaseTimeout(), { ER_QUERY_INTERRUPTED: 1317, ER_STATEMENT_TIMEOUT: 1969, ER_QUERY_TIMEOUT: 3024 }],
  [
    () => databaseUnavailable(),
    { ER_TOO_MANY_USER_CONNECTIONS: 1203, ER_USER_LIMIT_REACHED: 1226, ER_MAX_PREPARED_STMT_COUNT_REACHED: 1461 }
  ]
]

const meanings: ReadonlyMap<number, Meaning> = new Map(meaningsByName
  .flatMap(([meaning, numbers]) => Object.values(numbers).map(number => [number, meaning] as const)))

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
