/** Jobs of a transaction of the data source, which go to Redis once it is committed. */
import type { DataSource } from '@fastback/core'
import type { EngineOptions } from '../engine-options.js'
import { EmbeddedStore } from '../embedded/job-store.js'
import type { EngineJob, QueueSettings } from '../engine.js'
import { StoredEngine } from '../stored-engine.js'

const queue = 'fastback.hand-over'

/** Redis may be away for long: a job that was committed is never given up. */
const settings: QueueSettings = {
  retryLimit: 1_000_000,
  retryDelays: [1000, 5000, 30_000],
  concurrency: 10,
  timeout: 60_000,
  retention: { completed: 0, failed: 1_209_600_000 }
}

export interface HandedJob {
  readonly queue: string
  readonly data: unknown
  readonly uniqueKey?: string | undefined
  /** ISO 8601. */
  readonly startAfter?: string | undefined
}

export class HandOver {
  readonly #engine: StoredEngine

  /** Before the registry starts. */
  constructor (readonly options: EngineOptions) {
    this.#engine = new StoredEngine(new EmbeddedStore(options), options)
  }

  get dataSource (): DataSource {
    return this.options.dataSource
  }

  /** Whether a job belongs to a transaction: one that is given, or that the caller is in. */
  isWanted (transaction: unknown): boolean {
    return transaction !== undefined || this.dataSource.ambient.handle !== undefined
  }

  /** @param add stores a job by an id; the same one again changes nothing */
  async start (add: (job: HandedJob, id: string) => Promise<unknown>): Promise<void> {
    await this.#engine.start()
    await this.#engine.define(queue, settings)
    await this.#engine.work(queue, async ({ id, data }: EngineJob) => { await add(data as HandedJob, id) })
  }

  /** @returns the id that the job will have */
  async send (job: HandedJob, transaction: unknown): Promise<string> {
    return await this.#engine.send(queue, job, transaction === undefined ? {} : { transaction }) as string
  }

  async stop (timeout: number): Promise<void> {
    await this.#engine.stop({ timeout })
  }
}
