import { AsyncLocalStorage } from 'node:async_hooks'
import { isPromise, type MaybePromise } from '../maybe-promise.js'

/**
 * What work finds that was started within other work. An `AsyncLocalStorage` that is off while nobody is inside: once
 * on, Node would follow every promise of the process, an eighth of a request that has nothing to do with it.
 *
 * ```js
 * const batch = new Inside()
 * await batch.run({ id: 7 }, async () => { batch.current }) // { id: 7 }
 * ```
 */
export class Inside<T> {
  readonly #storage = new AsyncLocalStorage<T>()
  #inside = 0
  #isLeaving = false

  /** What the caller is in; of what somebody started and did not wait for, also when that is over. */
  get current (): T | undefined {
    return this.#inside === 0 ? undefined : this.#storage.getStore()
  }

  run<R> (what: T, work: () => MaybePromise<R>): MaybePromise<R> {
    this.#inside++
    let result: MaybePromise<R>
    try {
      result = this.#storage.run(what, work)
    } catch (error) {
      this.#leave()
      throw error
    }
    if (isPromise(result)) result.then(this.#leave, this.#leave)
    else this.#leave()
    return result
  }

  /** Off a turn later: of many that come one after the other none has to switch it on again. */
  readonly #leave = (): void => {
    if (--this.#inside > 0 || this.#isLeaving) return
    this.#isLeaving = true
    setImmediate(this.#turnOff)
  }

  readonly #turnOff = (): void => {
    this.#isLeaving = false
    if (this.#inside === 0) this.#storage.disable()
  }
}
