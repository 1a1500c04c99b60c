/** Which functions of the built-in models an application has put its own in the place of (security.md, S-96). */
import { callWithNext, mayCallBack } from '@fastback/core/remote'

const kBuiltin = Symbol('fastback.builtin')

type Callable = (...args: never[]) => unknown

/**
 * Marks functions that the built-in models have: what is not marked is the application's.
 *
 * ```js
 * Role.isInRole = builtin(async role => role === '$everyone')
 * ```
 */
export const builtin = <F extends Callable>(work: F): F =>
  Object.defineProperty(work, kBuiltin, { value: true, configurable: true })

/**
 * Whether a member of a class is a function that the application put there.
 *
 * ```js
 * isOwn(Customer.hashPassword) // false; true after Customer.hashPassword = plain => …
 * ```
 */
export const isOwn = (member: unknown): member is Callable => typeof member === 'function' && !(kBuiltin in member)

/**
 * Calls a function of the application's, which returns what it gives, promises it or calls back: where it has a
 * parameter beyond the values (or rest parameters), that may be the call-back, or something of its own. What is
 * returned at once counts.
 *
 * ```js
 * await answerOf(Customer.hashPassword, Customer, 'secret')
 * ```
 */
export async function resultOf (own: unknown, self: unknown, ...values: readonly unknown[]): Promise<unknown> {
  const call = own as (...args: unknown[]) => unknown
  const callsBack = mayCallBack(call, values.length)
  return await callWithNext(next => {
    const returned = call.apply(self, callsBack ? [...values, next] : [...values])
    if (typeof returned === 'string' || typeof returned === 'boolean') next(null, returned)
    return returned
  }, callsBack)
}
