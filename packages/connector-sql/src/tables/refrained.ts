/** Statements that lately were of no use, and are not tried again for a while. */
import { StatementCache } from '../statement-cache.js'

/** How many times another way is taken at once. */
const pause = 16

export class Refrained {
  readonly #left = new StatementCache<number>(200)

  /** Whether the statement with this key is not to be tried this time. */
  has (key: string): boolean {
    const left = this.#left.get(key) ?? 0
    if (left > 0) this.#left.set(key, left - 1)
    return left > 0
  }

  add (key: string): void {
    this.#left.set(key, pause)
  }
}
