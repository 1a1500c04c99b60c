/** Operations that code begins and does not wait for, such as those of a boot script that gives no promise. */

/**
 * Counts operations until they end. A registry that has one (`registry.pending`) counts those of its models:
 *
 * ```js
 * registry.pending = new PendingOperations()
 * User.create(admin, () => {})
 * await registry.pending.settled(10_000)
 * registry.pending = undefined
 * ```
 */
export class PendingOperations {
  #count = 0

  /** How many are under way. */
  get count (): number {
    return this.#count
  }

  /** Counts one until it ends, in whatever way. */
  add (operation: Promise<unknown>): void {
    this.#count++
    const ended = (): void => { this.#count-- }
    operation.then(ended, ended)
  }

  /**
   * Waits until all have ended, and those that their callbacks began.
   * @param limit milliseconds
   * @returns whether they ended in time
   */
  async settled (limit: number): Promise<boolean> {
    const end = Date.now() + limit
    // Callbacks run in a later tick, and begin what comes next.
    for (let idle = 0; idle < 3; idle = this.#count === 0 ? idle + 1 : 0) {
      if (Date.now() > end) return false
      await new Promise(resolve => { if (this.#count === 0) setImmediate(resolve); else setTimeout(resolve, 5) })
    }
    return true
  }
}
