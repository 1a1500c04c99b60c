/** Errors of stores as Fastback has them. */
import { RequestError, UniqueIndexError, ValidationError, type Row, type StoredModel } from '@fastback/core'
import { duplicateId, shownId } from '@fastback/core/connector'
import { caused, storeBusy, StoreError, storeUnavailable } from './errors.js'

interface StoreFailure {
  readonly code?: unknown
  readonly message?: unknown
  readonly detail?: unknown
  readonly constraint?: unknown
  readonly statusCode?: unknown
  readonly status?: unknown
}

/** PostgreSQL, MySQL, SQLite, MongoDB, juggler's own. */
const duplicates = ['23505', 'ER_DUP_ENTRY', 'ER_DUP_KEY', 'SQLITE_CONSTRAINT', 11000, '11000', 'DUPLICATE_ID']
const unreachable = [
  'ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH', 'EPIPE', 'EAI_AGAIN',
  'PROTOCOL_CONNECTION_LOST', 'PROTOCOL_ENQUEUE_AFTER_FATAL_ERROR', 'POOL_CLOSED',
  '57P01', '57P03', '08000', '08003', '08006'
]

/** Others got in the way: a serialisation failure, a deadlock, a lock. */
const conflicts = [
  '40001', '40P01', '55P03', 'ER_LOCK_DEADLOCK', 'ER_LOCK_WAIT_TIMEOUT', 'SQLITE_BUSY', 'SQLITE_LOCKED'
]

export const statusOf = (error: unknown): unknown => {
  const { statusCode, status } = (error ?? {}) as StoreFailure
  return statusCode ?? status
}

/** Whether a connector says that there is no such row. */
export const isNotFound = (error: unknown): boolean => statusOf(error) === 404

const isOurs = (error: unknown): boolean => error instanceof RequestError || error instanceof UniqueIndexError ||
  error instanceof ValidationError || String((error as StoreFailure | null)?.code).startsWith('FBK_')

/**
 * The error to throw for one that a connector reported. Those that blame the caller stay, as in LoopBack.
 * @param row what was to be written
 */
export function failure (model: StoredModel | undefined, error: unknown, row?: Row): unknown {
  if (isOurs(error)) return error
  const { code, message } = (error ?? {}) as StoreFailure
  if (model !== undefined && isDuplicate((error ?? {}) as StoreFailure)) {
    return caused(duplicate(model, error as StoreFailure, row), error)
  }
  if (unreachable.includes(String(code))) return caused(storeUnavailable(), error)
  if (conflicts.includes(String(code))) return caused(storeBusy(), error)
  if (error instanceof Error && Number(statusOf(error)) < 500) return error
  return caused(new StoreError(String(code ?? (error instanceof Error ? error.name : typeof message))), error)
}

function isDuplicate (error: StoreFailure): boolean {
  const { code, message } = error
  if (statusOf(error) === 409) return true
  if (!duplicates.includes(code as string)) return /^duplicate (entry|key|id)\b/i.test(String(message))
  return code !== 'SQLITE_CONSTRAINT' || /unique|primary key/i.test(String(message))
}

function duplicate (model: StoredModel, error: StoreFailure, row: Row | undefined): Error {
  const { id } = model
  const text = [error.constraint, error.detail, error.message].join(' ').toLowerCase()
  const unique = model.indexes.filter(index => index.unique)
  const ofColumns = unique.filter(({ columns }) => columns.every(column => names(text, column.property)))
  // The index with the most columns that are all named: (team, number) rather than (team).
  const found = ofColumns.sort((a, b) => b.columns.length - a.columns.length)[0] ??
    unique.find(index => text.includes(index.name.toLowerCase()))
  const isKey = model.key.length > 1
    ? namesPrimary(text) || found?.columns.every(({ property }) => model.key.some(({ name }) => name === property))
    : id !== undefined && (found === undefined || namesPrimary(text))
  if (isKey === true) return duplicateId(model.name, row === undefined ? undefined : shownId(model, row))
  return new UniqueIndexError(model.name, (found ?? unique[0])?.columns.map(column => column.property) ?? [])
}

const namesPrimary = (text: string): boolean => /_pkey\b|'(?:[^']*\.)?primary'|\bprimary key\b/.test(text)

/** PostgreSQL `Key (email)=`, SQLite `Member.email`, MySQL `for key 'Member.email_1'`. */
function names (text: string, property: string): boolean {
  const name = property.toLowerCase().replace(/[^a-z0-9_]/g, '')
  return new RegExp(`(?:^|[(,.\\s"'\`_])${name}(?:[),\\s"'\`_]|$)`).test(text)
}
