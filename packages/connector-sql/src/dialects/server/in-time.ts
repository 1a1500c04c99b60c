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

export const isNoAnswer = (error: unknown): boolean =>
  error instanceof Error && (error as { cause?: unknown }).cause instanceof NoAnswer
