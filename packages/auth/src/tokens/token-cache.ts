/** Tokens looked up a moment ago. Bounded, short-lived, and empty after every change of a token that this process makes. */
import type { Row } from '@fastback/core'

/** A token's row, or its absence; with whether its user may have tokens that do not end. */
export interface KnownToken {
  readonly row: Row
  readonly eternal: boolean
}

interface Entry { readonly known: KnownToken, readonly until: number }

export interface CacheOptions {
  /** Tokens kept. Default: 10,000. */
  readonly size: number
  /** Milliseconds that a token removed in another process may still be taken for valid. 0: every request looks. Default: 1,000. */
  readonly ttl: number
}

export class TokenCache {
  readonly #entries = new Map<string, Entry>()
  #generation = 0

  constructor (readonly options: CacheOptions) {}

  /** Counts changes: what was looked up before one must not be kept after it. */
  get generation (): number {
    return this.#generation
  }

  get (text: string): KnownToken | undefined {
    const entry = this.#entries.get(text)
    if (entry === undefined) return undefined
    if (entry.until > Date.now()) return entry.known
    this.#entries.delete(text)
    return undefined
  }

  /** @param generation that of before the look-up */
  set (text: string, known: KnownToken, generation: number): void {
    const { size, ttl } = this.options
    if (ttl === 0 || generation !== this.#generation) return
    if (this.#entries.size >= size) {
      // The oldest entry: a Map keeps the order of insertion.
      const [oldest] = this.#entries.keys()
      this.#entries.delete(oldest as string)
    }
    this.#entries.set(text, { known, until: Date.now() + ttl })
  }

  clear (): void {
    this.#generation++
    this.#entries.clear()
  }
}
