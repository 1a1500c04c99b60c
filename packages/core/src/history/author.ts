/** Who writes a row, and in which request. */
import type { Author } from '../data-source/connector.js'
import { REQUEST_ID, type OperationOptions } from '../interfaces/operation-options.js'

interface Token {
  readonly userId?: unknown
  readonly principalType?: unknown
  readonly appId?: unknown
  readonly clientId?: unknown
}

const text = (value: unknown): string | undefined =>
  value === undefined || value === null ? undefined : String(value).slice(0, 255)

/**
 * The author of what an operation writes; undefined for code of the application that says nothing of one.
 *
 * ```js
 * authorOf({ accessToken: { userId: 7 } })?.userId // '7', as JSON
 * ```
 */
export function authorOf ({ accessToken, [REQUEST_ID]: requestId }: OperationOptions): Author | undefined {
  const token = accessToken as Token | null | undefined
  if ((token === undefined || token === null) && requestId === undefined) return undefined
  const { userId } = token ?? {}
  return {
    userId: userId === undefined || userId === null ? undefined : JSON.stringify(userId)?.slice(0, 255),
    userType: text(token?.principalType),
    clientId: text(token?.appId ?? token?.clientId),
    requestId: text(requestId)
  }
}
