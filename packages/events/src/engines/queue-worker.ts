/** Takes jobs of one queue from a store that is looked at, and runs them: for engines that only store jobs. */
import { AsyncResource } from 'node:async_hooks'
import type { EventsLog } from '../events-context.js'
import type { JobHandler, QueueSettings } from './engine.js'
import { reasonOf } from './reason.js'
import { mostAttempts, retryDelay } from './retry-delay.js'
import { lost, runHandler, stopped } from './run-handler.js'

/** A job that this process has, for as long as its lease is renewed. */
export interface TakenJob {
  readonly id: string
  readonly data: unknown
  readonly attempt: number
  /** Says that the process is alive. @returns false where another one has the job by now */
  renew (): Promise<boolean>
  /** Before the handler runs. */
  begin? (): Promise<void>
  complete (): Promise<void>
  /** @param delay milliseconds before the next attempt; undefined: there is none */
  fail (reason: string, delay: number | undefined): Promise<void>
  /** Gives it back as if it had not been taken. */
  giveBack (): Promise<void>
}

export interface JobSource {
  take (count: number): Promise<TakenJob[]>
}

export interface WorkerOptions {
  readonly queue: string
  readonly settings: QueueSettings
  readonly handler: JobHandler
  readonly source: JobSource
  /** Milliseconds. */
  readonly pollInterval: number
  /** Milliseconds between two renewals of a lease. */
  readonly renewInterval: number
  readonly log: EventsLog
}

interface Running { readonly taken: TakenJob, readonly abort: AbortController, readonly done: Promise<void> }

export class QueueWorker {
  /** Who sends a job may be in a transaction or a request, which the job has nothing to do with. */
  readonly #context = new AsyncResource('FastbackJobs')
  readonly #running = new Set<Running>()
  #looking: Promise<void> | undefined
  #again = false
  #isStopped = false
  #hasFault = false
  readonly #timer: NodeJS.Timeout

  constructor (readonly options: WorkerOptions) {
    this.#timer = setInterval(() => { this.look() }, options.pollInterval)
    this.look()
  }

  /** Takes what is there; there may be more than before. */
  look (): void {
    if (this.#isStopped || this.#running.size >= this.options.settings.concurrency) return
    if (this.#looking !== undefined) {
      this.#again = true
      return
    }
    this.#looking = this.#context.runInAsyncScope(async () => { await this.#take() }).finally(() => {
      this.#looking = undefined
      if (!this.#again) return
      this.#again = false
      this.look()
    })
  }

  /** Takes no more. */
  async close (): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#timer)
    await this.#looking
  }

  /** All that runs has ended. */
  async idle (): Promise<void> {
    await Promise.all([...this.#running].map(async ({ done }) => { await done }))
  }

  /** Ends the signals of what still runs, and gives those jobs back. */
  async abort (): Promise<void> {
    const running = [...this.#running]
    for (const { abort } of running) abort.abort(stopped)
    await Promise.all(running.map(async ({ done }) => { await done }))
  }

  async #take (): Promise<void> {
    const { queue, settings, source, log } = this.options
    try {
      const free = settings.concurrency - this.#running.size
      const jobs = await source.take(free)
      this.#hasFault = false
      for (const taken of jobs) this.#start(taken)
      if (jobs.length === free) this.#again = true
    } catch (err) {
      // The store is down: one message, and the next look tries again.
      if (!this.#hasFault) log.error({ err, queue }, 'jobs of a queue could not be read')
      this.#hasFault = true
    }
  }

  #start (taken: TakenJob): void {
    const abort = new AbortController()
    const done = this.#run(taken, abort).catch((err: unknown) => {
      const { queue, log } = this.options
      log.error({ err, queue, job: taken.id }, 'the end of a job could not be written: it is given out again')
    }).finally(() => {
      this.#running.delete(running)
      this.look()
    })
    const running = { taken, abort, done }
    this.#running.add(running)
  }

  async #run (taken: TakenJob, abort: AbortController): Promise<void> {
    const { settings, renewInterval, queue, handler } = this.options
    if (taken.attempt > mostAttempts(settings)) {
      await taken.fail(`The process ended ${taken.attempt - 1} times while it ran the job.`, undefined)
      return
    }
    await taken.begin?.()
    const renewal = setInterval(() => {
      taken.renew().then(isOurs => { if (!isOurs) abort.abort(lost) }, () => {})
    }, renewInterval)
    try {
      const { id, data, attempt } = taken
      await runHandler(handler, { id, queue, data, attempt }, abort, settings.timeout)
      await taken.complete()
    } catch (error) {
      await this.#failed(taken, error)
    } finally {
      clearInterval(renewal)
    }
  }

  async #failed (taken: TakenJob, error: unknown): Promise<void> {
    const { settings, queue, log } = this.options
    if (error === lost) return
    if (error === stopped) {
      await taken.giveBack()
      return
    }
    const delay = retryDelay(settings, taken.attempt)
    const details = { err: error, queue, job: taken.id, attempt: taken.attempt }
    if (delay === undefined) log.error(details, 'a job failed for good')
    else log.warn(details, 'a job failed and is tried again')
    await taken.fail(reasonOf(error), delay)
  }
}
