/** Operations that code begins and does not wait for, such as those of a boot script that gives no promise. */
import { AsyncLocalStorage } from 'node:async_hooks'

/** Which group an operation belongs to: what was begun in its wake belongs to the same one. */
const groups = new AsyncLocalStorage<PendingOperations>()

/**
 * A group of operations, to be waited for as a whole:
 *
 * ```js
 * const pending = new PendingOperations()
 * pending.run(() => { User.create(admin) })
 * await pending.settled(10_000)
 * ```
 */
export class PendingOperations {
  #count = 0

  /** How many are under way. */
  get count (): number {
    return this.#count
  }

  /** Runs code; operations that it begins now or later belong to the group. */
  run<T> (work: () => T): T {
    return groups.run(this, work)
  }

  /** Counts one until it ends, in whatever way. */
  add (operation: Promise<unknown>): void {
    this.#count++
    const ended = (): void => { this.#count-- }
    operation.then(ended, ended)
  }

  /**
   * Waits until all have ended, and those that their callbacks began. Later operations belong to no group any more, so
   * that a running server pays nothing for it.
   * @param limit milliseconds
   * @returns whether they ended in time
   */
  async settled (limit: number): Promise<boolean> {
    const end = Date.now() + limit
    // Callbacks run in a later turn, and begin what comes next.
    for (let idle = 0; idle < 3; idle = this.#count === 0 ? idle + 1 : 0) {
      if (Date.now() > end) return false
      await new Promise(resolve => { if (this.#count === 0) setImmediate(resolve); else setTimeout(resolve, 5) })
    }
    groups.disable()
    return true
  }
}

/** The group that the running code belongs to. */
export const pendingOperations = (): PendingOperations | undefined => groups.getStore()
