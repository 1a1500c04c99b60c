/** The engine over a store that only stores jobs: who takes them, when it looks, and what is sent at which time. */
import type { DataSource } from '@fastback/core'
import { nowAndThen, whenCommitted } from '@fastback/core/remote'
import type { EngineOptions } from './engine-options.js'
import type {
  FailedJob, JobEngine, JobHandler, QueueCounts, QueueSchedule, QueueSettings, SendOptions
} from './engine.js'
import type { JobStore, Schedule, StoredJob } from './job-store.js'
import { nextTick } from './next-tick.js'
import { QueueWorker, type TakenJob } from './queue-worker.js'
import { stopWorkers } from './stop-workers.js'

const topic = 'fastback jobs'
const cleanInterval = 60_000

export class StoredEngine implements JobEngine {
  readonly #queues = new Map<string, QueueSettings>()
  readonly #workers = new Map<string, QueueWorker>()
  #isStopped = false
  #releasing: NodeJS.Timeout | undefined
  #unsubscribe: (() => void) | undefined

  /** Before the registry starts. */
  constructor (readonly store: JobStore, readonly options: EngineOptions) {
    const { registry, log } = options
    nowAndThen(registry, {
      interval: cleanInterval,
      work: async () => { await store.clean() },
      failed: err => { log.warn({ err }, 'jobs that have ended could not be removed') }
    })
  }

  get kind (): JobEngine['kind'] {
    return this.store.kind
  }

  joinsTransactionsOf (dataSource: DataSource): boolean {
    return dataSource === this.store.dataSource
  }

  async start (): Promise<void> {
    await this.store.start()
    const { registry: { bus }, settings: { lease, pollInterval }, log } = this.options
    this.#unsubscribe = bus.subscribe(topic, {
      message: queue => { this.#workers.get(String(queue))?.look() },
      reset: () => { for (const worker of this.#workers.values()) worker.look() }
    })
    const release = async (): Promise<void> => {
      if (this.#workers.size > 0) await this.store.release([...this.#workers.keys()])
    }
    const failed = (err: unknown): void => { log.debug({ err }, 'jobs of other processes could not be released') }
    this.#releasing = setInterval(() => { release().catch(failed) }, Math.max(pollInterval, lease / 3)).unref()
  }

  async define (queue: string, settings: QueueSettings): Promise<void> {
    this.#queues.set(queue, settings)
    await this.store.define(queue, settings)
  }

  async send (queue: string, data: unknown, options: SendOptions = {}): Promise<string | undefined> {
    const { uniqueKey, startAfter, transaction } = options
    const due = startAfter ?? new Date()
    const { id, isNew } = await this.store.add({ queue, data: textOf(data), due, uniqueKey }, transaction)
    if (!isNew) return undefined
    if (due.getTime() <= Date.now()) {
      const { dataSource } = this.store
      whenCommitted({ Model: { dataSource }, options: { transaction } }, () => { this.#wake(queue) })
    }
    return id
  }

  async work (queue: string, handler: JobHandler): Promise<void> {
    const { settings: { pollInterval }, log } = this.options
    const settings = this.#queues.get(queue) as QueueSettings
    const source = {
      take: async (count: number) =>
        (await this.store.take(queue, count, settings)).map(job => this.#withNext(queue, job))
    }
    const renewInterval = this.store.leaseOf(settings) / 3
    await this.store.release([queue])
    // Who stops the engine meanwhile has stopped all workers that there were.
    if (this.#isStopped) return
    this.#workers.set(queue, new QueueWorker({ queue, settings, handler, source, pollInterval, renewInterval, log }))
  }

  async schedule (queue: string, cron: string, { timeZone, data }: { timeZone: string, data: unknown }): Promise<void> {
    const id = await this.#sendNext({ cron, timeZone }, queue, textOf(data))
    await this.store.removeScheduled(queue, id)
  }

  async unschedule (queue: string): Promise<void> {
    await this.store.removeScheduled(queue)
  }

  async scheduled (queue: string): Promise<QueueSchedule | undefined> {
    return await this.store.scheduled(queue)
  }

  async counts (queue: string): Promise<QueueCounts> {
    return await this.store.counts(queue)
  }

  async failed (queue: string, limit: number): Promise<FailedJob[]> {
    return await this.store.failed(queue, limit)
  }

  async retry (queue: string, id: string): Promise<boolean> {
    const found = await this.store.retry(queue, id)
    if (found) this.#wake(queue)
    return found
  }

  async discard (queue: string, id: string): Promise<boolean> {
    return await this.store.discard(queue, id)
  }

  async stop ({ timeout }: { readonly timeout: number }): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#releasing)
    this.#unsubscribe?.()
    await stopWorkers([...this.#workers.values()], timeout)
    this.#workers.clear()
    await this.store.stop()
  }

  /** Looks at once in this process, and in others that are told of it. */
  #wake (queue: string): void {
    this.#workers.get(queue)?.look()
    const { bus } = this.options.registry
    if (bus.driver !== undefined) bus.publish(topic, queue)
  }

  async #sendNext (schedule: Schedule, queue: string, data: string): Promise<string> {
    const due = nextTick(queue, schedule.cron, schedule.timeZone)
    return (await this.store.add({ queue, data, due, schedule }, undefined)).id
  }

  /** A scheduled job sends the next one before its handler runs: a process that dies in the handler has done so. */
  #withNext (queue: string, job: StoredJob): TakenJob {
    const { schedule, text } = job
    if (schedule === undefined) return job
    return Object.assign(job, { begin: async () => { await this.#sendNext(schedule, queue, text) } })
  }
}

const textOf = (data: unknown): string => JSON.stringify(data ?? null)
