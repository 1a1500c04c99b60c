/** A bound for what a server that no longer answers would keep waiting for ever. */
import { caused, databaseTimeout } from '../../errors.js'

/** The answer did not come: nobody knows what the connection is good for. */
export class NoAnswer extends Error {}

/**
 * The result of `work`, if it comes in time.
 * @param milliseconds 0: any time
 * @throws RequestError 503 DATABASE_TIMEOUT, with `NoAnswer` as its cause
 */
export function inTime<T> (milliseconds: number, work: Promise<T>): Promise<T> {
  if (milliseconds === 0) return work
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => { reject(caused(databaseTimeout(), new NoAnswer())) }, milliseconds)
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

/** Who waits for an answer. */
interface Waiting { readonly until: number, readonly failed: (error: unknown) => void }

/** The same bound for a great deal of work, with one timer for all. */
export class TimeLimit {
  readonly #milliseconds: number
  /** Those who have waited longest come first. */
  readonly #waiting = new Set<Waiting>()
  #timer: NodeJS.Timeout | undefined

  /** @param milliseconds after which who waits is refused; 0: never */
  constructor (milliseconds: number) {
    this.#milliseconds = milliseconds
  }

  /**
   * Begins `work` and tells its result, or its error: RequestError 503 DATABASE_TIMEOUT, with `NoAnswer` as its cause,
   * where it does not come in time.
   */
  limit<T> (work: () => Promise<T>, answered: (result: T) => void, failed: (error: unknown) => void): void {
    let answer: Promise<T>
    try {
      answer = work()
    } catch (error) {
      failed(error)
      return
    }
    const waiting = { until: performance.now() + this.#milliseconds, failed }
    this.#waiting.add(waiting)
    if (this.#milliseconds > 0) this.#timer ??= this.#timerFor(this.#milliseconds)
    // A driver may report much later that the connection was closed: that is heard here, and goes nowhere.
    answer.then(
      result => { if (this.#waiting.delete(waiting)) answered(result) },
      (error: unknown) => { if (this.#waiting.delete(waiting)) failed(error) }
    )
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
      waiting.failed(caused(databaseTimeout(), new NoAnswer()))
    }
  }
}

export const isNoAnswer = (error: unknown): boolean =>
  error instanceof Error && (error as { cause?: unknown }).cause instanceof NoAnswer
