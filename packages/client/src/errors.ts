/** What is wrong, told by a code that stays. */

/**
 * - `BAD_FILTER`: a filter that cannot be read here; the message says what of it
 * - `BAD_OPTIONS`: `createClient` was told what cannot be
 * - `CLIENT_OUTDATED`: the server has another version of the rows; load the application again, waiting writes are kept
 * - `CLOSED`: the client was closed, or signed out here or in another tab
 * - `NO_CONFLICT`: the conflict was settled meanwhile
 * - `NOT_FOUND`: there is no row of that id here
 * - `OFFLINE`: the server could not be reached
 * - `OTHER_USER`: the store has waiting writes of another user: open it as that user, or sign out
 * - `QUOTA_EXCEEDED`: the store is full; nothing of the write was kept
 * - `ROW_EXISTS`: there is a row of that id here
 * - `STORE_BUSY`: others write to the store all the time; try again
 * - `STORE_FAILED`: the store could not be read or written; `cause` is what it says
 * - `STORE_NEWER`: another tab has a newer version of the application; load this one again
 * - `UNAUTHORIZED`: 401; syncing waits for a new token and `sync()`, waiting writes are kept
 * - `REQUEST_FAILED`: any other response; `statusCode` and `details` say which
 */
export type ClientErrorCode =
  'BAD_FILTER' | 'BAD_OPTIONS' | 'CLIENT_OUTDATED' | 'CLOSED' | 'NO_CONFLICT' | 'NOT_FOUND' | 'OFFLINE' | 'OTHER_USER' |
  'QUOTA_EXCEEDED' | 'ROW_EXISTS' | 'STORE_BUSY' | 'STORE_FAILED' | 'STORE_NEWER' | 'UNAUTHORIZED' | 'REQUEST_FAILED'

/** An error of this client. Programs go by `code`, people read `message`. */
export class ClientError extends Error {
  /** Of a response of the server. */
  readonly statusCode: number | undefined
  /** What the server says of it: its `error`, with `code`, `message` and `details`. */
  readonly details: unknown
  /** Milliseconds after which the server wants to be asked again. */
  readonly retryAfter: number | undefined

  constructor (
    readonly code: ClientErrorCode,
    message: string,
    more: {
      readonly cause?: unknown, readonly statusCode?: number, readonly details?: unknown
      readonly retryAfter?: number | undefined
    } = {}
  ) {
    super(message, more.cause === undefined ? {} : { cause: more.cause })
    this.name = 'ClientError'
    this.statusCode = more.statusCode
    this.details = more.details
    this.retryAfter = more.retryAfter
  }
}

/** Faults of a store, or of this client, in the shape of its errors. */
export const asClientError = (error: unknown): ClientError => error instanceof ClientError
  ? error
  : new ClientError('STORE_FAILED', error instanceof Error ? error.message : String(error), { cause: error })

export const isCode = (error: unknown, ...codes: readonly ClientErrorCode[]): error is ClientError =>
  error instanceof ClientError && codes.includes(error.code)
