/** Takes the jobs of one queue, and says of each how it ended. */
import type { Job, JobsOptions, Worker, WorkerOptions } from 'bullmq'
import type { EventsLog } from '../../events-context.js'
import type { JobHandler, QueueSettings } from '../engine.js'
import { reasonOf } from '../reason.js'
import { retryDelay } from '../retry-delay.js'
import { lost, runHandler, stopped } from '../run-handler.js'

export interface BullJobData { readonly data: unknown }
export type BullJob = Job<BullJobData>
export type BullWorker = Worker<BullJobData>

/** What of BullMQ is used. */
export interface BullWorkerClasses {
  readonly Worker: typeof Worker
  readonly WaitingError: new () => Error
}

const seconds = (milliseconds: number): number => Math.ceil(milliseconds / 1000)

/** What jobs of a queue are stored with. */
export const jobOptions = ({ retryLimit, retention: { completed, failed } }: QueueSettings): JobsOptions => ({
  attempts: retryLimit + 1,
  backoff: { type: 'custom' },
  // Stacks are for logs.
  stackTraceLimit: 0,
  removeOnComplete: completed === 0 ? true : { age: seconds(completed) },
  removeOnFail: failed === 0 ? true : { age: seconds(failed) }
})

/** The jobs of a queue that this process runs. */
export class JobWorker {
  readonly #running = new Map<string, AbortController>()
  readonly #work = new Set<Promise<void>>()
  readonly #worker: BullWorker

  constructor (
    readonly classes: BullWorkerClasses,
    readonly queue: string,
    readonly handler: JobHandler,
    readonly settings: QueueSettings,
    options: WorkerOptions,
    readonly log: EventsLog
  ) {
    this.#worker = new classes.Worker<BullJobData>(
      queue, async (job: BullJob, token?: string) => { await this.#counted(this.#process(job, token)) },
      {
        ...options,
        concurrency: settings.concurrency,
        settings: {
          ...options.settings,
          backoffStrategy: (attempts: number) => retryDelay(settings, attempts) ?? -1
        }
      }
    )
    // Connections report their errors themselves.
    this.#worker.on('error', err => { log.debug({ err, queue }, 'a worker of jobs reports an error') })
    this.#worker.on('lockRenewalFailed', (ids: string[]) => {
      for (const id of ids) this.#running.get(id)?.abort(lost)
    })
  }

  /**
   * Takes no more, and waits for those that run.
   * @param isAway whether the server cannot be reached: BullMQ would wait for it, and keep the process
   */
  async close (isAway: boolean): Promise<void> {
    await this.#worker.close(isAway)
    await Promise.allSettled([...this.#work])
  }

  async #counted (work: Promise<void>): Promise<void> {
    this.#work.add(work)
    await work.finally(() => { this.#work.delete(work) })
  }

  abort (): void {
    for (const abort of this.#running.values()) abort.abort(stopped)
  }

  async #process (job: BullJob, token: string | undefined): Promise<void> {
    const id = job.id as string
    const { queue, handler, settings } = this
    const abort = new AbortController()
    this.#running.set(id, abort)
    const attempt = job.attemptsStarted
    try {
      await runHandler(handler, { id, queue, data: job.data.data, attempt }, abort, settings.timeout)
    } catch (error) {
      if (error === stopped) {
        await job.moveToWait(token)
        throw new this.classes.WaitingError()
      }
      this.#report(error, id, attempt, job.attemptsMade)
      // Its message is stored.
      throw new Error(reasonOf(error))
    } finally {
      this.#running.delete(id)
    }
  }

  #report (error: unknown, job: string, attempt: number, failures: number): void {
    if (error === lost) return
    const details = { err: error, queue: this.queue, job, attempt }
    const isLast = failures >= this.settings.retryLimit
    if (isLast) this.log.error(details, 'a job failed for good')
    else this.log.warn(details, 'a job failed and is tried again')
  }
}
