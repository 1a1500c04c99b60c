/** A bound for what a server that no longer answers would keep waiting for ever. */
import { caused, databaseTimeout } from '../../errors.js'

/** The answer did not come: nobody knows what the connection is good for. */
export class NoAnswer extends Error {}

/**
 * The result of `work`, if it comes in time.
 * @param milliseconds 0: any time
 * @throws RequestError 503 DATABASE_TIMEOUT, with `NoAnswer` as its cause
 */
export async function inTime<T> (milliseconds: number, work: Promise<T>): Promise<T> {
  if (milliseconds === 0) return await work
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => { reject(caused(databaseTimeout(), new NoAnswer())) }, milliseconds)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
    // A driver may report much later that the connection was closed.
    work.catch(() => {})
  }
}

export const isNoAnswer = (error: unknown): boolean =>
  error instanceof Error && (error as { cause?: unknown }).cause instanceof NoAnswer
