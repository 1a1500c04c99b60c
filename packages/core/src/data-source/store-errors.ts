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

/**
 * 503: others hold what the operation needs for longer than the connector waits.
 *
 * ```js
 * throw caused(databaseBusy(), error) // code DATABASE_BUSY
 * ```
 */
export const databaseBusy = (): RequestError =>
  new RequestError(503, 'The database is busy.', { code: 'DATABASE_BUSY' })

/**
 * 503: an operation took longer than it may.
 *
 * ```js
 * throw caused(databaseTimeout(), error) // code DATABASE_TIMEOUT
 * ```
 */
export const databaseTimeout = (): RequestError =>
  new RequestError(503, 'The database did not answer in time.', { code: 'DATABASE_TIMEOUT' })

/**
 * 503: the connection broke, or none could be had.
 *
 * ```js
 * throw caused(databaseUnavailable(), error) // code DATABASE_UNAVAILABLE
 * ```
 */
export const databaseUnavailable = (): RequestError =>
  new RequestError(503, 'The database cannot be reached.', { code: 'DATABASE_UNAVAILABLE' })
