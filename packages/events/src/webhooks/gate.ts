/** How much is done at once for one host, or for one user, so that a slow receiver holds up its own only. */

/** Those that wait for one group. More are left to the next look for what is due. */
const mostWaiting = 1000

export class Gate {
  readonly #running = new Map<string, number>()
  readonly #waiting = new Map<string, Set<string>>()
  readonly #work = new Set<Promise<void>>()
  #isClosed = false

  /** @param failed told of an error of work that waited, for which nobody waits */
  constructor (readonly most: number, readonly failed: (error: unknown) => void) {}

  /**
   * Runs work for a group now, or, where enough of it is running, later: the promise is resolved at once then.
   * @param key of works with one key one waits at most
   */
  async run (
    group: string, key: string, work: () => Promise<void>, again: (key: string) => Promise<void>
  ): Promise<void> {
    if (this.#isClosed) return
    const running = this.#running.get(group) ?? 0
    if (running >= this.most) {
      const waiting = this.#waiting.get(group) ?? new Set()
      this.#waiting.set(group, waiting)
      if (waiting.size < mostWaiting) waiting.add(key)
      return
    }
    this.#running.set(group, running + 1)
    const done = work().finally(() => {
      this.#work.delete(done)
      this.#leave(group, again)
    })
    this.#work.add(done)
    await done
  }

  #leave (group: string, again: (key: string) => Promise<void>): void {
    const running = (this.#running.get(group) ?? 1) - 1
    if (running === 0) this.#running.delete(group)
    else this.#running.set(group, running)
    const waiting = this.#waiting.get(group)
    const [next] = waiting ?? []
    if (waiting === undefined || next === undefined) return
    waiting.delete(next)
    if (waiting.size === 0) this.#waiting.delete(group)
    if (!this.#isClosed) again(next).catch(this.failed)
  }

  /** Begins nothing more, and waits for what runs. */
  async close (): Promise<void> {
    this.#isClosed = true
    this.#waiting.clear()
    await Promise.allSettled([...this.#work])
  }
}
