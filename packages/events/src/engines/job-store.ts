/** Where an engine that is looked at stores its jobs: the data source, or the tables of pg-boss. */
import type { DataSource } from '@fastback/core'
import type { EngineKind, FailedJob, QueueCounts, QueueSchedule, QueueSettings } from './engine.js'
import type { TakenJob } from './queue-worker.js'

export interface Schedule { readonly cron: string, readonly timeZone: string }

export interface NewJob {
  readonly queue: string
  /** JSON. */
  readonly data: string
  readonly due: Date
  readonly uniqueKey?: string | undefined
  /** Of a job that is sent at the times of an expression: all processes give that of one time the same id. */
  readonly schedule?: Schedule | undefined
}

/** Which rows of a job there are is known by its queue, its id and its attempt. */
export interface StoredJob extends TakenJob {
  /** JSON. */
  readonly text: string
  readonly schedule: Schedule | undefined
}

export interface JobStore {
  readonly kind: EngineKind
  readonly dataSource: DataSource
  start (): Promise<void>
  stop (): Promise<void>
  define (queue: string, settings: QueueSettings): Promise<void>
  /**
   * @param transaction of the data source. Default: the one that the caller is in
   * @returns its id, and whether it is new: it is not where another job has its key, or its time
   */
  add (job: NewJob, transaction: unknown): Promise<{ readonly id: string, readonly isNew: boolean }>
  /** Takes jobs that are due, the oldest first. */
  take (queue: string, count: number, settings: QueueSettings): Promise<StoredJob[]>
  /** Lets others take what processes have left that died. */
  release (queues: readonly string[]): Promise<void>
  /** Milliseconds that a job belongs to its process without a word of it. */
  leaseOf (settings: QueueSettings): number
  scheduled (queue: string): Promise<QueueSchedule | undefined>
  /** Removes jobs of a schedule that have not begun. */
  removeScheduled (queue: string, exceptId?: string): Promise<void>
  counts (queue: string): Promise<QueueCounts>
  failed (queue: string, limit: number): Promise<FailedJob[]>
  retry (queue: string, id: string): Promise<boolean>
  discard (queue: string, id: string): Promise<boolean>
  /** Removes jobs whose time to be read is over. */
  clean (): Promise<void>
}
