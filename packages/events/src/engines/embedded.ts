/** Jobs that are rows of the data source: on every store, without another server. */
import type { DataSource, ModelClass } from '@fastback/core'
import { nowAndThen, whenCommitted } from '@fastback/core/remote'
import type { EngineOptions } from './create-engine.js'
import { attachJobModel } from './embedded/job-model.js'
import { idOfTick, JobIds, slotOfKey } from './embedded/job-id.js'
import { JobRows, type JobRow } from './embedded/job-rows.js'
import type {
  FailedJob, JobEngine, JobHandler, QueueCounts, QueueSchedule, QueueSettings, SendOptions
} from './engine.js'
import { nextTick } from './next-tick.js'
import { QueueWorker, type TakenJob } from './queue-worker.js'
import { stopWorkers } from './stop-workers.js'

const topic = 'fastback jobs'
const cleanInterval = 60_000

interface Schedule { readonly cron: string, readonly timeZone: string }

export class EmbeddedEngine implements JobEngine {
  readonly kind = 'embedded'
  readonly #Model: ModelClass
  readonly #rows: JobRows
  readonly #ids = new JobIds()
  readonly #queues = new Map<string, QueueSettings>()
  readonly #workers = new Map<string, QueueWorker>()
  #releasing: NodeJS.Timeout | undefined
  #unsubscribe: (() => void) | undefined

  /** Before the registry starts: its model is migrated with the others. */
  constructor (readonly options: EngineOptions) {
    const { registry, dataSource, log } = options
    this.#Model = attachJobModel(registry, dataSource)
    this.#rows = new JobRows(this.#Model)
    nowAndThen(registry, {
      interval: cleanInterval,
      work: async () => { await this.clean() },
      failed: err => { log.warn({ err }, 'jobs that have ended could not be removed') }
    })
  }

  joinsTransactionsOf (dataSource: DataSource): boolean {
    return dataSource === this.#Model.dataSource
  }

  async start (): Promise<void> {
    const { registry: { bus }, settings: { lease, pollInterval }, log } = this.options
    this.#unsubscribe = bus.subscribe(topic, {
      message: queue => { this.#workers.get(String(queue))?.look() },
      reset: () => { for (const worker of this.#workers.values()) worker.look() }
    })
    const release = async (): Promise<void> => {
      if (this.#workers.size > 0) await this.#rows.release([...this.#workers.keys()])
    }
    const failed = (err: unknown): void => { log.debug({ err }, 'jobs of other processes could not be released') }
    this.#releasing = setInterval(() => { release().catch(failed) }, Math.max(pollInterval, lease / 3))
  }

  async define (queue: string, settings: QueueSettings): Promise<void> {
    this.#queues.set(queue, settings)
  }

  async send (queue: string, data: unknown, options: SendOptions = {}): Promise<string | undefined> {
    const { uniqueKey, startAfter, transaction } = options
    const id = this.#ids.next()
    const due = startAfter ?? new Date()
    const slot = uniqueKey === undefined ? id : slotOfKey(queue, uniqueKey)
    const isNew = await this.#rows.add({ id, queue, due, slot, data: JSON.stringify(data ?? null) }, transaction)
    if (!isNew) return undefined
    if (due.getTime() <= Date.now()) {
      whenCommitted({ Model: this.#Model, options: { transaction } }, () => { this.#wake(queue) })
    }
    return id
  }

  async work (queue: string, handler: JobHandler): Promise<void> {
    const { settings: { lease, pollInterval }, log } = this.options
    const settings = this.#settings(queue)
    const source = {
      take: async (_: string, count: number) =>
        (await this.#rows.take(queue, count, this.#leaseEnd(settings))).map(row => this.#taken(row, settings))
    }
    const renewInterval = Math.min(lease, settings.timeout) / 3
    await this.#rows.release([queue])
    this.#workers.set(queue, new QueueWorker({ queue, settings, handler, source, pollInterval, renewInterval, log }))
  }

  async schedule (queue: string, cron: string, { timeZone, data }: { timeZone: string, data: unknown }): Promise<void> {
    const id = await this.#sendAt({ cron, timeZone }, queue, JSON.stringify(data ?? null))
    await this.#rows.removeScheduled(queue, id)
  }

  async unschedule (queue: string): Promise<void> {
    await this.#rows.removeScheduled(queue)
  }

  async scheduled (queue: string): Promise<QueueSchedule | undefined> {
    const row = await this.#rows.scheduled(queue)
    return row === undefined ? undefined : { ...JSON.parse(row.schedule as string) as Schedule, next: row.due }
  }

  async counts (queue: string): Promise<QueueCounts> {
    return await this.#rows.counts(queue)
  }

  async failed (queue: string, limit: number): Promise<FailedJob[]> {
    return await this.#rows.failed(queue, limit)
  }

  async retry (queue: string, id: string): Promise<boolean> {
    const found = await this.#rows.retry(queue, id)
    if (found) this.#wake(queue)
    return found
  }

  async discard (queue: string, id: string): Promise<boolean> {
    return await this.#rows.discard(queue, id)
  }

  /** Removes jobs whose time to be read is over; done now and then. */
  async clean (): Promise<void> {
    await this.#rows.removeOld()
  }

  async stop ({ timeout }: { readonly timeout: number }): Promise<void> {
    clearInterval(this.#releasing)
    this.#unsubscribe?.()
    await stopWorkers([...this.#workers.values()], timeout)
    this.#workers.clear()
  }

  #settings (queue: string): QueueSettings {
    return this.#queues.get(queue) as QueueSettings
  }

  #leaseEnd ({ timeout }: QueueSettings): Date {
    return new Date(Date.now() + Math.min(this.options.settings.lease, timeout))
  }

  /** Looks at once in this process, and in others that are told of it. */
  #wake (queue: string): void {
    this.#workers.get(queue)?.look()
    const { bus } = this.options.registry
    if (bus.driver !== undefined) bus.publish(topic, queue)
  }

  async #sendAt (schedule: Schedule, queue: string, data: string): Promise<string> {
    const { cron, timeZone } = schedule
    const due = nextTick(queue, cron, timeZone)
    const id = idOfTick(queue, cron, timeZone, due)
    await this.#rows.add({ id, queue, due, slot: id, data, schedule: JSON.stringify(schedule) })
    return id
  }

  #taken (row: JobRow, settings: QueueSettings): TakenJob {
    const { id, queue, data, schedule, attempts } = row
    const rows = this.#rows
    const ended = (readableFor: number): { slot: string, ended: Date, due: Date } => {
      const now = Date.now()
      return { slot: id, ended: new Date(now), due: new Date(now + readableFor) }
    }
    return {
      id,
      data: JSON.parse(data) as unknown,
      attempt: attempts,
      // Before the handler: a process that dies in it has sent the next one.
      begin: async () => {
        if (typeof schedule === 'string') await this.#sendAt(JSON.parse(schedule) as Schedule, queue, data)
      },
      renew: async () => await rows.change(row, { due: this.#leaseEnd(settings) }),
      complete: async () => {
        const { completed } = settings.retention
        if (completed === 0 && typeof schedule !== 'string') await rows.remove(row)
        else await rows.change(row, { state: 'completed', ...ended(completed) })
      },
      fail: async (reason, delay) => {
        await rows.change(row, delay === undefined
          ? { state: 'failed', reason, ...ended(settings.retention.failed) }
          : { state: 'waiting', lease: '', reason, due: new Date(Date.now() + delay) })
      },
      giveBack: async () => {
        await rows.change(row, { state: 'waiting', lease: '', attempts: attempts - 1, due: new Date() })
      }
    }
  }
}
