/** Counts failed attempts and refuses more when there were too many (O-094, O-148). */
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
  /** @param window milliseconds */
  constructor (readonly max: number, readonly window: number, readonly store: FailureStore = new MemoryStore()) {}

  /** @throws TemporarilyUnavailable 429 */
  async check (key: string, address: string): Promise<void> {
    for (const [name, max] of [[key, this.max], [addressKey(address), this.max * 10]] as const) {
      const found = await this.store.get(name)
      if (found !== undefined && found.count >= max) throw new TemporarilyUnavailable(429, Math.max(1, Math.ceil((found.until - Date.now()) / 1000)))
    }
  }

  async failed (key: string, address: string): Promise<void> {
    await this.store.add(key, this.window)
    await this.store.add(addressKey(address), this.window)
  }

  async succeeded (key: string): Promise<void> {
    await this.store.clear(key)
  }
}

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
