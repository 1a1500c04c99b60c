/** Whose operation it is. */
import type { OperationOptions } from '../interfaces/operation-options.js'

/** As much of a token as says whose it is. */
interface Bearer { readonly userId?: unknown, readonly principalType?: unknown }

/**
 * The session of an operation: what the option `session` says, else the user of the token. Undefined: nobody's in
 * particular.
 *
 * ```js
 * sessionOf({ accessToken: { userId: 7, principalType: 'Customer' } }) // 'Customer 7'
 * ```
 */
export function sessionOf ({ session, accessToken }: OperationOptions): string | undefined {
  if (typeof session === 'string') return session
  if (accessToken === null || typeof accessToken !== 'object') return undefined
  const { userId, principalType } = accessToken as Bearer
  if (userId === undefined || userId === null) return undefined
  return `${typeof principalType === 'string' ? principalType : ''} ${String(userId)}`
}
