/** What every connector says when its database cannot do what is asked just now. */
import { RequestError } from '../errors.js'

/**
 * Adds the cause to an error that is about to be thrown; it is shown in logs and never on the wire.
 *
 * ```js
 * throw caused(databaseUnavailable(), error)
 * ```
 */
export function caused<E extends Error> (error: E, cause: unknown): E {
  Object.defineProperty(error, 'cause', { value: cause, configurable: true, writable: true, enumerable: false })
  return error
}

/** Seconds after which a client may come again, for the header `Retry-After`: stores are back soon, or not at all. */
const retryAfter = 1

const later = (message: string, code: string): RequestError => {
  const error = new RequestError(503, message, { code })
  return Object.defineProperty(error, 'retryAfter', { value: retryAfter, enumerable: false })
}

/**
 * 503: others hold what the operation needs for longer than the connector waits.
 *
 * ```js
 * throw caused(databaseBusy(), error) // code DATABASE_BUSY
 * ```
 */
export const databaseBusy = (): RequestError =>
  later('The database is busy.', 'DATABASE_BUSY')

/**
 * 503: an operation took longer than it may.
 *
 * ```js
 * throw caused(databaseTimeout(), error) // code DATABASE_TIMEOUT
 * ```
 */
export const databaseTimeout = (): RequestError =>
  later('The database did not answer in time.', 'DATABASE_TIMEOUT')

/**
 * 503: the connection broke, or none could be had.
 *
 * ```js
 * throw caused(databaseUnavailable(), error) // code DATABASE_UNAVAILABLE
 * ```
 */
export const databaseUnavailable = (): RequestError =>
  later('The database cannot be reached.', 'DATABASE_UNAVAILABLE')

/**
 * Whether a commit that ended with this error may have happened all the same: its response was lost. Any other error
 * says that the store refused it.
 */
export const mayBeCommitted = (error: unknown): boolean =>
  error instanceof RequestError && (error.code === 'DATABASE_UNAVAILABLE' || error.code === 'DATABASE_TIMEOUT')
