/** Milliseconds. */
const shortest = 100
const longest = 30_000
/** One that served for so long was well: its end is no sign that the next one will fail, too. */
const wellAfter = 60_000

/**
 * How long to wait after accidents that follow each other: 100 ms, twice as long each time, 30 s at most.
 *
 * ```js no-run
 * const backOff = new BackOff()
 * backOff.after(0) // 100
 * backOff.after(0) // 200
 * backOff.after(90_000) // 100
 * ```
 */
export class BackOff {
  #accidents = 0

  /** @param lived milliseconds that the one served that has ended; 0: it never did */
  after (lived: number): number {
    if (lived >= wellAfter) this.#accidents = 0
    return Math.min(longest, shortest * 2 ** this.#accidents++)
  }
}
