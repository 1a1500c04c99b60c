/**
 * What was looked up a moment ago: bounded, short-lived, and emptied when this process changes what it is made of. What
 * another process changes is seen when an entry's time is over.
 */

interface Entry<Value> { readonly value: Value, readonly until: number }

export interface RecentOptions {
  /** Entries kept; the oldest goes first. */
  readonly size: number
  /** Milliseconds that an entry lives. 0: nothing is kept. */
  readonly ttl: number
}

export class RecentCache<Value> {
  readonly #entries = new Map<string, Entry<Value>>()
  #generation = 0

  constructor (readonly options: RecentOptions) {}

  /** Counts changes: what was looked up before one must not be kept after it. */
  get generation (): number {
    return this.#generation
  }

  get (key: string): Value | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    if (entry.until > Date.now()) return entry.value
    this.#entries.delete(key)
    return undefined
  }

  /** @param generation that of before the look-up */
  set (key: string, value: Value, generation: number): void {
    const { size, ttl } = this.options
    if (ttl === 0 || generation !== this.#generation) return
    if (this.#entries.size >= size) {
      // A Map keeps the order of insertion.
      const [oldest] = this.#entries.keys()
      this.#entries.delete(oldest as string)
    }
    this.#entries.set(key, { value, until: Date.now() + ttl })
  }

  clear (): void {
    this.#generation++
    this.#entries.clear()
  }
}
