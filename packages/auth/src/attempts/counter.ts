/** Counts within windows of time. One counter serves all limits of an application, in this process or in Redis. */
import type { MaybePromise } from '@fastback/core'

export interface Limit {
  /** Attempts within the window. */
  readonly max: number
  /** Milliseconds. The first attempt begins the window; refused ones do not make it longer. */
  readonly timeWindow: number
}

export interface Count {
  readonly allowed: boolean
  /** When the window ends, by `Date.now()`. */
  readonly until: number
}

export interface AttemptCounter {
  /** Counts one attempt, unless there were as many as the limit allows. To look and to count is one step. */
  take(key: string, limit: Limit): MaybePromise<Count>
  /** The same without counting. */
  look(key: string, limit: Limit): MaybePromise<Count>
  /** Gives one attempt back, while its window lasts. */
  giveBack(key: string, count: Count): MaybePromise<void>
  /** Forgets the attempts of a key. */
  clear(key: string): MaybePromise<void>
  /** Keeps a mark for so many milliseconds. */
  mark(key: string, time: number): MaybePromise<void>
  isMarked(key: string): MaybePromise<boolean>
}

interface Window {
  count: number
  readonly until: number
}

/**
 * Counts in the memory of this process, at most 100,000 keys.
 *
 * ```js
 * const counter = new MemoryCounter()
 * counter.take('pin 7', { max: 1, timeWindow: 60_000 }).allowed // true
 * counter.take('pin 7', { max: 1, timeWindow: 60_000 }).allowed // false
 * ```
 */
export class MemoryCounter implements AttemptCounter {
  readonly #windows = new Map<string, Window>()
  /** Apart from the others: who makes up names does not drive out what was found right. */
  readonly #marks = new Map<string, number>()

  take (key: string, { max, timeWindow }: Limit): Count {
    const now = Date.now()
    let window = this.#windows.get(key)
    if (window === undefined || window.until <= now) {
      window = { count: 0, until: now + timeWindow }
      keepBounded(this.#windows, key, window)
    }
    if (window.count >= max) return { allowed: false, until: window.until }
    window.count++
    return { allowed: true, until: window.until }
  }

  /** Counts an attempt that was made elsewhere; the first one begins a window that ends when that one does. */
  add (key: string, until: number): void {
    const window = this.#windows.get(key)
    if (window === undefined || window.until <= Date.now()) keepBounded(this.#windows, key, { count: 1, until })
    else window.count++
  }

  look (key: string, { max }: Limit): Count {
    const { count, until } = this.#windows.get(key) ?? { count: 0, until: 0 }
    return { allowed: until <= Date.now() || count < max, until }
  }

  giveBack (key: string, { until }: Count): void {
    const window = this.#windows.get(key)
    if (window?.until === until && window.count > 0) window.count--
  }

  /** Gives one back that was made elsewhere: its window is not this one, but it was counted in this one. */
  takeBack (key: string): void {
    const window = this.#windows.get(key)
    if (window !== undefined && window.until > Date.now() && window.count > 0) window.count--
  }

  clear (key: string): void {
    this.#windows.delete(key)
  }

  mark (key: string, time: number): void {
    keepBounded(this.#marks, key, Date.now() + time)
  }

  isMarked (key: string): boolean {
    const until = this.#marks.get(key)
    return until !== undefined && until > Date.now()
  }
}

const capacity = 100_000

/**
 * Keys are chosen by anyone who sends requests: no more than `capacity` are kept, the oldest goes first. (A Map keeps
 * the order of insertion. An LRU cache of this size would take three megabytes before the first attempt.)
 *
 * ```js
 * const seen = new Map()
 * keepBounded(seen, request.ip, Date.now())
 * ```
 */
export function keepBounded<Value> (map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key)
  if (map.size >= capacity) map.delete(map.keys().next().value as string)
  map.set(key, value)
}
