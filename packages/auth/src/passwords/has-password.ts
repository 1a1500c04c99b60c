/** Whether a password is an account's, as the class says. */
import { resultOf } from '../builtin.js'

/**
 * Asks the account's own `hasPassword`, which returns the response, promises it or calls back. Only `true` is a yes.
 *
 * ```js
 * await isPasswordOf(user, 'secret')
 * ```
 */
export const isPasswordOf = async (account: { hasPassword?: unknown }, plain: unknown): Promise<boolean> =>
  typeof account.hasPassword === 'function' && await resultOf(account.hasPassword, account, plain) === true
