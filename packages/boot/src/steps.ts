/**
 * Work that is written once and runs at once where nothing has to be waited for: a folder of CommonJS files has its
 * models as soon as `boot(app, dir)` returns, one with ES modules a little later.
 */
import type { MaybePromise } from '@fastback/core'
import { isRecord } from './load/is-record.js'

/** Work in steps; what it yields is waited for. */
export type Steps<T> = Generator<PromiseLike<unknown>, T, unknown>

/** Whether something must be waited for. Promises of applications come from any library. */
export const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  isRecord(value) && typeof value.then === 'function'

/** Within steps: the value, waited for where it is a promise: `const files = yield * settled(load())`. */
export function * settled<T> (value: T | PromiseLike<T>): Steps<T> {
  return isThenable(value) ? (yield value) as T : value as T
}

/**
 * Runs steps to their end: their result, or a promise of it as soon as one of them has to be waited for.
 *
 * ```js
 * perform((function * () { return 1 })()) // 1
 * await perform((function * () { return yield Promise.resolve(2) })()) // 2
 * ```
 * @throws what a step throws before anything was waited for
 */
export function perform<T> (steps: Steps<T>): MaybePromise<T> {
  const first = steps.next()
  return first.done === true ? first.value : performRest(steps, first.value)
}

async function performRest<T> (steps: Steps<T>, pending: PromiseLike<unknown>): Promise<T> {
  let step = await resumed(steps, pending)
  while (step.done !== true) step = await resumed(steps, step.value)
  return step.value
}

type Step<T> = IteratorResult<PromiseLike<unknown>, T>

const resumed = <T>(steps: Steps<T>, pending: PromiseLike<unknown>): PromiseLike<Step<T>> =>
  // `then` of other libraries need not give a promise.
  Promise.resolve(pending).then(value => steps.next(value), (error: unknown) => steps.throw(error))
