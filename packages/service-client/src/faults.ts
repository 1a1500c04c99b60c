import { RequestError } from '@fastback/core'
import { ResponseError } from './response.js'
import type { Outcome } from './breaker.js'
import type { Deadline } from './deadline.js'
import { badGateway, gatewayTimeout, ServiceError, serviceUnavailable } from './errors.js'

const timeouts: ReadonlySet<unknown> = new Set([
  'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT'
])
const closed: ReadonlySet<unknown> = new Set(['UND_ERR_CLOSED', 'UND_ERR_DESTROYED'])
/** A call that nobody can make: what made it is wrong, not the service. */
const misuse: ReadonlySet<unknown> = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED'])

/** What a call that went wrong ends with: errors of sockets, TLS and undici become those of `errors.ts`. */
export function faultOf (error: unknown, dataSource: string, deadline: Deadline): unknown {
  if (error instanceof RequestError) return error
  if (deadline.isOver) return gatewayTimeout(dataSource, error)
  if (deadline.hasEnded) return deadline.reason
  const code = (error as { code?: unknown } | undefined)?.code
  if (timeouts.has(code)) return gatewayTimeout(dataSource, error)
  if (closed.has(code)) return serviceUnavailable(dataSource)
  if (misuse.has(code)) return error
  if (error instanceof ResponseError) return badGateway(dataSource, error.message, error)
  return badGateway(dataSource, `the service gives no response${typeof code === 'string' ? ` (${code})` : ''}`, error)
}

/** Whether the service may have been at fault, and may do better another time. */
export const isPassing = (error: unknown): boolean =>
  isFailure(error) && !(error.cause instanceof ResponseError)

/** For the breaker (service-connectors.md, LI-3). */
export const outcomeOf = (error: unknown): Outcome => isFailure(error) ? 'failure' : 'unknown'

const isFailure = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && (error.statusCode === 502 || error.statusCode === 504)
