/** One run of a job's handler. */
import type { EngineJob, JobHandler } from './engine.js'

/** Why the signal of a job is aborted when the application closes. */
export const stopped = new Error('The application closes.')

/** Why the signal of a job is aborted when its lease was over before it was renewed. */
export const lost = new Error('Another process has the job.')

class JobTimeout extends Error {
  constructor (timeout: number) {
    super(`The job took longer than ${timeout} ms.`)
  }
}

/**
 * Until the handler is done, the time of the job is over, or its signal is aborted. A handler that goes on then has
 * nobody who waits for it.
 * @param timeout milliseconds
 * @throws what the handler throws, or why the signal was aborted
 */
export async function runHandler (
  handler: JobHandler, job: Omit<EngineJob, 'signal'>, abort: AbortController, timeout: number
): Promise<void> {
  const { signal } = abort
  const timer = setTimeout(() => { abort.abort(new JobTimeout(timeout)) }, timeout)
  try {
    await new Promise<void>((resolve, reject) => {
      const ended = (): void => { reject(signal.reason as Error) }
      if (signal.aborted) {
        ended()
        return
      }
      signal.addEventListener('abort', ended, { once: true })
      const { id, queue, data, attempt } = job
      handler({ id, queue, data, attempt, signal }).then(() => { resolve() }, reject)
    })
  } finally {
    clearTimeout(timer)
  }
}
