/** Bounds for what a server that no longer answers would keep waiting for ever. */
import { caused, databaseTimeout } from '../../errors.js'

/** What was waited for did not come: nobody knows what the connection is good for, where there is one. */
export class DatabaseSilent extends Error {}

/** RequestError 503 DATABASE_TIMEOUT, with `DatabaseSilent` as its cause. */
export const databaseSilent = (): Error => caused(databaseTimeout(), new DatabaseSilent())

export const isDatabaseSilent = (error: unknown): boolean =>
  error instanceof Error && (error as { cause?: unknown }).cause instanceof DatabaseSilent

/**
 * The result of `work`, if it comes in time.
 * @param milliseconds 0: any time
 * @throws what `databaseSilent` makes
 */
export function inTime<T> (milliseconds: number, work: Promise<T>): Promise<T> {
  if (milliseconds === 0) return work
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => { reject(databaseSilent()) }, milliseconds)
    // A driver may report much later that the connection was closed: that is heard here, and goes nowhere.
    work.then(
      result => {
        clearTimeout(timer)
        resolve(result)
      },
      (error: unknown) => {
        clearTimeout(timer)
        reject(error as Error)
      }
    )
  })
}

/** Milliseconds that a timer of Node can have at most. */
export const longestTimer = 2 ** 31 - 1

/** Who waits for something that a server gives. */
export interface Waiting {
  /** Milliseconds of `performance.now()`; the list writes it. */
  until: number
}

/** All who wait for the same, each for no longer than a time, with one timer for all. */
export class WaitingList<Waits extends Waiting> {
  /** Those who have waited longest come first. */
  readonly #waiting = new Set<Waits>()
  #timer: NodeJS.Timeout | undefined

  /**
   * @param milliseconds for which each waits at most; 0: for ever
   * @param refuse is told of who has waited for that long, and is on the list no more
   */
  constructor (readonly milliseconds: number, readonly refuse: (waiting: Waits) => void) {}

  get size (): number {
    return this.#waiting.size
  }

  /** Puts somebody at the end of the list, for the whole time. */
  add (waiting: Waits): void {
    this.#waiting.add(waiting)
    if (this.milliseconds === 0) return
    waiting.until = performance.now() + this.milliseconds
    this.#timer ??= this.#timerFor(this.milliseconds)
  }

  /** Whether it was still on the list: what comes too late goes nowhere. */
  delete (waiting: Waits): boolean {
    return this.#waiting.delete(waiting)
  }

  /** Takes who has waited longest off the list. */
  shift (): Waits | undefined {
    const { value } = this.#waiting.values().next()
    if (value !== undefined) this.#waiting.delete(value)
    return value
  }

  /** What is waited for keeps the process alive, not the timer. */
  #timerFor (milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => { this.#refuse() }, Math.min(milliseconds, longestTimer)).unref()
  }

  #refuse (): void {
    this.#timer = undefined
    const now = performance.now()
    for (const waiting of this.#waiting) {
      if (waiting.until > now) {
        this.#timer = this.#timerFor(waiting.until - now)
        return
      }
      this.#waiting.delete(waiting)
      this.refuse(waiting)
    }
  }
}
