/** How many requests go to one host at once, so that a slow receiver holds up its own only. */

/** Those that wait for one host. More are left to the next look for what is due. */
const mostWaiting = 1000

export class HostGate {
  readonly #running = new Map<string, number>()
  readonly #waiting = new Map<string, Set<string>>()
  readonly #work = new Set<Promise<void>>()
  #isClosed = false

  /** @param failed told of an error of work that waited, for which nobody waits */
  constructor (readonly perHost: number, readonly failed: (error: unknown) => void) {}

  /**
   * Runs work for a host now, or, where enough of it is running, later: the promise is resolved at once then.
   * @param key of works with one key one waits at most
   */
  async run (
    host: string, key: string, work: () => Promise<void>, again: (key: string) => Promise<void>
  ): Promise<void> {
    if (this.#isClosed) return
    const running = this.#running.get(host) ?? 0
    if (running >= this.perHost) {
      const waiting = this.#waiting.get(host) ?? new Set()
      this.#waiting.set(host, waiting)
      if (waiting.size < mostWaiting) waiting.add(key)
      return
    }
    this.#running.set(host, running + 1)
    const done = work().finally(() => {
      this.#work.delete(done)
      this.#leave(host, again)
    })
    this.#work.add(done)
    await done
  }

  #leave (host: string, again: (key: string) => Promise<void>): void {
    const running = (this.#running.get(host) ?? 1) - 1
    if (running === 0) this.#running.delete(host)
    else this.#running.set(host, running)
    const waiting = this.#waiting.get(host)
    const [next] = waiting ?? []
    if (waiting === undefined || next === undefined) return
    waiting.delete(next)
    if (waiting.size === 0) this.#waiting.delete(host)
    if (!this.#isClosed) again(next).catch(this.failed)
  }

  /** Begins nothing more, and waits for what runs. */
  async close (): Promise<void> {
    this.#isClosed = true
    this.#waiting.clear()
    await Promise.allSettled([...this.#work])
  }
}
