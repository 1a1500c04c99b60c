/** Counts failed attempts and refuses more when there were too many (O-094, O-148). */
import { chain, type MaybePromise } from '@fastback/core'
import { TemporarilyUnavailable } from './errors.js'

/** Where counts are kept; the default keeps them in this process. Times are in milliseconds. */
export interface FailureStore {
  /** Failures of a key in its current window, and when that window ends. */
  get (key: string): Promise<FailureCount | undefined> | FailureCount | undefined
  /** Counts one failure; the first begins a window. */
  add (key: string, window: number): Promise<void> | void
  clear (key: string): Promise<void> | void
}

export interface FailureCount {
  readonly count: number
  readonly until: number
}

export class Failures {
  readonly store: FailureStore

  /** @param window milliseconds */
  constructor (readonly max: number, readonly window: number, store?: FailureStore) {
    this.store = store === undefined ? new MemoryStore() : awaited(store)
  }

  /** @throws TemporarilyUnavailable 429 */
  check (key: string, address: string): MaybePromise<void> {
    return chain(this.#check(key, this.max), () => this.#check(addressKey(address), this.max * 10))
  }

  #check (name: string, max: number): MaybePromise<void> {
    return chain(this.store.get(name), found => {
      if (found !== undefined && found.count >= max) {
        throw new TemporarilyUnavailable(429, Math.max(1, Math.ceil((found.until - Date.now()) / 1000)))
      }
    })
  }

  async failed (key: string, address: string): Promise<void> {
    await this.store.add(key, this.window)
    await this.store.add(addressKey(address), this.window)
  }

  succeeded (key: string): MaybePromise<void> {
    return this.store.clear(key)
  }
}

/** Stores of applications may answer with anything that can be awaited. */
const awaited = (store: FailureStore): FailureStore => ({
  get: async key => await store.get(key),
  add: async (key, window) => { await store.add(key, window) },
  clear: async key => { await store.clear(key) }
})

const addressKey = (address: string): string => `address:${address}`

/** Keys are chosen by whoever sends requests: no more than this many are kept, the oldest goes first. */
const capacity = 100_000

class MemoryStore implements FailureStore {
  readonly #counts = new Map<string, FailureCount>()

  get (key: string): FailureCount | undefined {
    const found = this.#counts.get(key)
    if (found === undefined || found.until > Date.now()) return found
    this.#counts.delete(key)
    return undefined
  }

  add (key: string, window: number): void {
    const found = this.get(key)
    if (found === undefined && this.#counts.size >= capacity) this.#counts.delete(this.#counts.keys().next().value as string)
    this.#counts.set(key, { count: (found?.count ?? 0) + 1, until: found?.until ?? Date.now() + window })
  }

  clear (key: string): void {
    this.#counts.delete(key)
  }
}
