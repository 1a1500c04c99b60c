/** The driver's and the server's errors as those that may be shown: no text of theirs, no part of the URL. */
import { RequestError, UniqueIndexError } from '@fastback/core'
import { duplicateId } from '@fastback/core/connector'
import type { DocumentMap } from './documents/document-map.js'
import {
  AccessError,
  caused,
  databaseBusy,
  databaseTimeout,
  databaseUnavailable,
  refusedValue,
  StoreError,
  tooLarge
} from './errors.js'

export interface ErrorContext {
  readonly dataSource: string
  readonly map?: DocumentMap | undefined
  /** Of the row that an operation writes. */
  readonly id?: unknown
}

interface ServerError extends Error {
  readonly code?: number | string
  readonly keyPattern?: Readonly<Record<string, unknown>>
  readonly errorLabels?: readonly string[]
  readonly writeErrors?: ReadonlyArray<{ err?: ServerError }> | { err?: ServerError }
}

/** Names of the driver's errors that say that no server answered. */
const unreachable =
  /^Mongo(?:Network|NetworkTimeout|ServerSelection|NotConnected|TopologyClosed|ServerClosed|PoolCleared|PoolClosed|WaitQueueTimeout|ClientClosed|ExpiredSession)\w*Error$/

/** Numbers of errors: https://github.com/mongodb/mongo/blob/master/src/mongo/base/error_codes.yml */
const codes: Readonly<Record<number, (context: ErrorContext) => Error>> = {
  50: databaseTimeout,
  262: databaseTimeout,
  24: databaseBusy,
  46: databaseBusy,
  112: databaseBusy,
  246: databaseBusy,
  251: databaseBusy,
  6: databaseUnavailable,
  7: databaseUnavailable,
  89: databaseUnavailable,
  91: databaseUnavailable,
  189: databaseUnavailable,
  9001: databaseUnavailable,
  10107: databaseUnavailable,
  11600: databaseUnavailable,
  11602: databaseUnavailable,
  13435: databaseUnavailable,
  13436: databaseUnavailable,
  10334: tooLarge,
  17280: tooLarge,
  13: ({ dataSource }) => new AccessError(dataSource),
  18: ({ dataSource }) => new AccessError(dataSource),
  121: ({ map }) => refusedValue(map?.model.name ?? '', '', 'check', 'the row is refused by the database')
}

export function translateError (error: unknown, context: ErrorContext): unknown {
  if (!(error instanceof Error) || error instanceof RequestError || error instanceof UniqueIndexError) return error
  const isBson = /^BSON\w*Error$/.test(error.name)
  if (!error.name.startsWith('Mongo') && !isBson && !isTooLarge(error)) return error
  return caused(translated(error, isBson, context), error)
}

/** The driver's buffer has the size of the largest document. */
const isTooLarge = (error: Error): boolean =>
  error instanceof RangeError && /out of range|offset|maximum|larger/i.test(error.message)

function translated (error: ServerError, isBson: boolean, context: ErrorContext): Error {
  const { code, name } = error
  if (code === 11000 || code === 11001) return notUnique(error, context)
  if (isTooLarge(error) || /document is larger than the maximum|object to insert too large/i.test(error.message)) return tooLarge()
  const known = typeof code === 'number' ? codes[code]?.(context) : undefined
  if (known !== undefined) return known
  if (name === 'MongoOperationTimeoutError') return databaseTimeout()
  if (unreachable.test(name)) return databaseUnavailable()
  if (error.errorLabels?.includes('TransientTransactionError') === true) return databaseBusy()
  return new StoreError(isBson ? name : String(code ?? name))
}

/** The server says which fields the index has; older ones only its name. */
function notUnique (error: ServerError, { map, id }: ErrorContext): Error {
  if (map === undefined) return new StoreError('11000')
  const { model } = map
  const [first] = Array.isArray(error.writeErrors) ? error.writeErrors : [error.writeErrors]
  const pattern = error.keyPattern ?? first?.err?.keyPattern
  const name = /index: (\S+) dup key/.exec(error.message)?.[1]?.replace(/^[^]*\.\$/, '')
  if (pattern === undefined ? name === '_id_' : Object.hasOwn(pattern, '_id')) return duplicateId(model.name, id)
  const properties = pattern === undefined
    ? model.indexes.find(index => index.name === name)?.columns.map(({ property }) => property)
    : Object.keys(pattern).map(field => map.propertyOf(field))
  return new UniqueIndexError(model.name, properties ?? [])
}
