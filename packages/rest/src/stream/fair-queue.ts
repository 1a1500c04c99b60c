/**
 * Milliseconds of computing in one tick. What it leaves to the system, writing to sockets, takes a few times as long.
 */
const turn = 0.5
/** Rests shorter than this, in milliseconds, are put together: timers have no finer grain. */
const shortestRest = 1
/** Milliseconds that a rest lasts at most, however busy everybody else is. */
const longestRest = 50

/**
 * Work for many clients that becomes due at the same moment, such as a change that a thousand streams carry: a little
 * of it at a time, and after each turn as long a rest as the turn took, so that requests in between wait for little of
 * it, and it never takes more than half of the process's time. What becomes due for a client meanwhile is done together
 * in its next turn: the more there is to do, the less each part of it costs. Nobody waits where there is little.
 */
export class FairQueue {
  readonly #waiting = new Set<() => void>()
  /** Whether a turn or the rest after one is going on. */
  #isBusy = false
  /** Milliseconds of rest that are due. */
  #rest = 0

  /** Runs `work` once, soon; it must not throw. Asking again before that changes nothing. */
  add (work: () => void): void {
    this.#waiting.add(work)
    if (this.#isBusy) return
    this.#isBusy = true
    setImmediate(this.#take)
  }

  /** `work` need not be done any more. */
  remove (work: () => void): void {
    this.#waiting.delete(work)
  }

  readonly #take = (): void => {
    const begun = performance.now()
    for (const work of this.#waiting) {
      this.#waiting.delete(work)
      work()
      if (performance.now() - begun >= turn) break
    }
    // By then, what the turn has set going is done, too.
    setImmediate(this.#afterTick, begun)
  }

  readonly #afterTick = (begun: number): void => {
    this.#rest += performance.now() - begun
    if (this.#rest < shortestRest) {
      this.#next()
      return
    }
    setTimeout(this.#next, Math.min(this.#rest, longestRest))
    this.#rest = 0
  }

  readonly #next = (): void => {
    if (this.#waiting.size > 0) this.#take()
    else this.#isBusy = false
  }
}
