/**
 * What a call to a service ends with when it gives no response. What stands in `cause` is for logs, not for clients.
 */
import { RequestError } from '@fastback/core'

/**
 * A call that ended without a response. 5xx: over REST nothing but the status text goes out.
 *
 * ```js
 * try { await client.request(call) } catch (error) { if (error.code === 'GATEWAY_TIMEOUT') … }
 * ```
 */
export class ServiceError extends RequestError {
  /** Whole seconds after which it may be tried again, where that is known. */
  declare readonly retryAfter?: number

  constructor (statusCode: number, code: string, message: string, extra: ErrorOptions & { retryAfter?: number } = {}) {
    super(statusCode, message, { code })
    if (extra.cause !== undefined) Object.defineProperty(this, 'cause', { value: extra.cause, configurable: true })
    if (extra.retryAfter !== undefined) this.retryAfter = extra.retryAfter
  }
}

/**
 * 502 BAD_GATEWAY: no connection, or a response that is none (service-connectors.md, SC-E3).
 *
 * ```js
 * throw badGateway('weather', 'the response is no envelope', error)
 * ```
 * @param what goes on after the name of the data source; nothing of the response
 */
export const badGateway = (dataSource: string, what: string, cause?: unknown): ServiceError =>
  new ServiceError(502, 'BAD_GATEWAY', `Data source "${dataSource}": ${what}.`, { cause })

/**
 * 504 GATEWAY_TIMEOUT: the service took too long (SC-E4).
 *
 * ```js
 * throw gatewayTimeout('weather', error)
 * ```
 */
export const gatewayTimeout = (dataSource: string, cause?: unknown): ServiceError =>
  new ServiceError(504, 'GATEWAY_TIMEOUT', `Data source "${dataSource}": the service took too long.`, { cause })

/** 503 SERVICE_BUSY: as many calls wait as may wait (LI-1). */
export const serviceBusy = (dataSource: string): ServiceError =>
  new ServiceError(503, 'SERVICE_BUSY', `Data source "${dataSource}": too many calls wait for the service.`, {
    retryAfter: 1
  })

/** 503 SERVICE_UNAVAILABLE: the breaker is open (LI-3), or the client is closed. */
export const serviceUnavailable = (dataSource: string, retryAfter?: number): ServiceError =>
  new ServiceError(
    503,
    'SERVICE_UNAVAILABLE',
    `Data source "${dataSource}": the service is not called for now.`,
    retryAfter === undefined ? {} : { retryAfter }
  )

/** 400 INVALID_HEADER_VALUE: it holds what no header may (SC-S3). */
export const invalidHeaderValue = (name: string): RequestError =>
  new RequestError(400, `The value of the header "${name}" holds characters that no header may have.`, {
    code: 'INVALID_HEADER_VALUE'
  })

/** 400 INVALID_URL: what arguments made of an address is none. */
export const invalidUrl = (): RequestError =>
  new RequestError(400, 'The arguments make no valid address.', { code: 'INVALID_URL' })

/** 400 HOST_NOT_ALLOWED: arguments name a host that `allowHosts` does not (SC-S4). */
export const hostNotAllowed = (): RequestError =>
  new RequestError(400, 'The host that the arguments name may not be called.', { code: 'HOST_NOT_ALLOWED' })
