import { subjectOf } from './error-subject.js'
import type { MaybePromise } from './maybe-promise.js'
import type { CallersPromises } from './interfaces/callers-promises.js'
import type { PendingOperations } from './pending-operations.js'

/** Callback form of every operation; operations called with one return nothing (specification, Versioning 10). */
export type OperationCallback<T = unknown> = (error: unknown, result?: T, ...more: unknown[]) => void

/** Who an operation is done for: a registry, or a part of one. */
export interface OperationOwner {
  /** Counts the operation. */
  readonly pending?: PendingOperations | undefined
  readonly promises?: CallersPromises | undefined
}

/**
 * The two forms of every operation: without a callback it gives a promise, with one it returns nothing and calls back
 * in a later tick (specification, Versioning 10). An error thrown by the callback is the caller's: it is not swallowed
 * by a promise.
 *
 * ```js
 * const count = await promiseOrCallback(() => connector.count(model, undefined, {}))
 * promiseOrCallback(() => connector.count(model, undefined, {}), (error, count) => { … })
 * ```
 * @param spread whether an array result is handed over as several arguments (`findOrCreate`)
 * @param owner the registry whose operation it is
 */
export function promiseOrCallback<T> (
  run: () => MaybePromise<T>,
  callback?: OperationCallback<T>,
  spread = false,
  owner?: OperationOwner
): Promise<T> | undefined {
  const promise = new Promise<T>(resolve => resolve(run()))
  owner?.pending?.add(promise)
  if (callback === undefined) return owner?.promises === undefined ? promise : owner.promises(promise)
  promise.then(
    result =>
      process.nextTick(() => {
        if (spread) callback(null, ...(result as unknown as [T]))
        else if (result === undefined) callback(null)
        else callback(null, result)
      }),
    error => {
      const subject = subjectOf(error)
      if (subject === undefined) process.nextTick(callback, error)
      else process.nextTick(callback, error, subject)
    }
  )
}

/**
 * Splits the arguments of a call into those before a trailing callback and the callback. Trailing `undefined`s are
 * dropped.
 *
 * ```js
 * splitCallback([{ limit: 1 }, callback]) // { values: [{ limit: 1 }], callback }
 * splitCallback([1, callback, undefined]) // { values: [1], callback }
 * ```
 */
export function splitCallback (args: readonly unknown[]): {
  values: readonly unknown[]
  callback: OperationCallback<any> | undefined
} {
  let end = args.length
  while (end > 0 && args[end - 1] === undefined) end--
  const last = args[end - 1]
  return typeof last === 'function'
    ? { values: args.slice(0, end - 1), callback: last as OperationCallback }
    : { values: args, callback: undefined }
}
