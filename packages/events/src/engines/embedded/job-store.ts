/** Jobs that are rows of the data source: on every store, without another server. */
import type { DataSource, ModelClass } from '@fastback/core'
import type { EngineOptions } from '../engine-options.js'
import type { FailedJob, QueueCounts, QueueSchedule, QueueSettings } from '../engine.js'
import type { JobStore, NewJob, Schedule, StoredJob } from '../job-store.js'
import { idOfTick, JobIds, slotOfKey } from './job-id.js'
import { attachJobModel } from './job-model.js'
import { JobRows, type JobRow } from './job-rows.js'

export class EmbeddedStore implements JobStore {
  readonly kind = 'embedded'
  readonly dataSource: DataSource
  readonly #rows: JobRows
  readonly #ids = new JobIds()
  readonly #lease: number

  /** Before the registry starts: its model is migrated with the others. */
  constructor ({ registry, dataSource, settings }: EngineOptions) {
    const Model: ModelClass = attachJobModel(registry, dataSource)
    this.dataSource = dataSource
    this.#lease = settings.lease
    this.#rows = new JobRows(Model)
  }

  async start (): Promise<void> {}

  async stop (): Promise<void> {}

  async define (): Promise<void> {}

  async add ({ queue, data, due, uniqueKey, schedule }: NewJob, transaction: unknown): Promise<{
    id: string, isNew: boolean
  }> {
    if (schedule !== undefined) {
      const id = idOfTick(queue, schedule.cron, schedule.timeZone, due)
      const row = { id, queue, due, slot: id, data, schedule: JSON.stringify(schedule) }
      return { id, isNew: await this.#rows.addOnce(row, transaction) }
    }
    const id = this.#ids.next()
    if (uniqueKey !== undefined) {
      const row = { id, queue, due, slot: slotOfKey(queue, uniqueKey), data }
      return { id, isNew: await this.#rows.addOnce(row, transaction) }
    }
    await this.#rows.add({ id, queue, due, slot: id, data }, transaction)
    return { id, isNew: true }
  }

  leaseOf ({ timeout }: QueueSettings): number {
    return Math.min(this.#lease, timeout)
  }

  async take (queue: string, count: number, settings: QueueSettings): Promise<StoredJob[]> {
    const rows = await this.#rows.take(queue, count, this.#leaseEnd(settings))
    return rows.map(row => this.#taken(row, settings))
  }

  async release (queues: readonly string[]): Promise<void> {
    await this.#rows.release(queues)
  }

  async scheduled (queue: string): Promise<QueueSchedule | undefined> {
    const row = await this.#rows.scheduled(queue)
    return row === undefined ? undefined : { ...scheduleOf(row) as Schedule, next: row.due }
  }

  async removeScheduled (queue: string, exceptId?: string): Promise<void> {
    await this.#rows.removeScheduled(queue, exceptId)
  }

  async counts (queue: string): Promise<QueueCounts> {
    return await this.#rows.counts(queue)
  }

  async failed (queue: string, limit: number): Promise<FailedJob[]> {
    return await this.#rows.failed(queue, limit)
  }

  async retry (queue: string, id: string): Promise<boolean> {
    return await this.#rows.retry(queue, id)
  }

  async discard (queue: string, id: string): Promise<boolean> {
    return await this.#rows.discard(queue, id)
  }

  async clean (): Promise<void> {
    await this.#rows.removeOld()
  }

  #leaseEnd (settings: QueueSettings): Date {
    return new Date(Date.now() + this.leaseOf(settings))
  }

  #taken (row: JobRow, settings: QueueSettings): StoredJob {
    const { id, data, attempts } = row
    const schedule = scheduleOf(row)
    const rows = this.#rows
    return {
      id,
      text: data,
      data: JSON.parse(data) as unknown,
      attempt: attempts,
      schedule,
      renew: async () => await rows.change(row, { due: this.#leaseEnd(settings) }),
      complete: async () => {
        const { completed } = settings.retention
        // That of a time stays for a while, so that nobody whose clock is late sends it again.
        if (completed === 0 && schedule === undefined) await rows.remove(row)
        else await rows.change(row, { state: 'completed', ...ended(id, completed) })
      },
      fail: async (reason, delay) => {
        await rows.change(row, delay === undefined
          ? { state: 'failed', reason, ...ended(id, settings.retention.failed) }
          : { state: 'waiting', lease: '', reason, due: new Date(Date.now() + delay) })
      },
      giveBack: async () => {
        await rows.change(row, { state: 'waiting', lease: '', attempts: attempts - 1, due: new Date() })
      }
    }
  }
}

const scheduleOf = ({ schedule }: JobRow): Schedule | undefined =>
  typeof schedule === 'string' ? JSON.parse(schedule) as Schedule : undefined

/** @param retention milliseconds that the row can be read for */
function ended (id: string, retention: number): { slot: string, ended: Date, due: Date } {
  const now = Date.now()
  return { slot: id, ended: new Date(now), due: new Date(now + retention) }
}
