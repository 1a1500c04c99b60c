/**
 * What runs jobs: pg-boss, BullMQ, or the data source itself. Everything else of this package knows only this
 * interface, and one suite of tests holds for all (`test/engines/suite.ts`).
 *
 * A job is delivered at least once: a process that dies in the middle of one leaves it to the next.
 */

import type { DataSource } from '@fastback/core'

export type EngineKind = 'embedded' | 'pg-boss' | 'bullmq'

/** A job as its handler gets it. */
export interface EngineJob {
  readonly id: string
  readonly queue: string
  /** JSON. */
  readonly data: unknown
  /** 1 when it is tried for the first time. */
  readonly attempt: number
  /**
   * Aborted when the engine stops and its time to finish is over, and when the job has taken longer than its queue
   * allows.
   */
  readonly signal: AbortSignal
}

export interface QueueSettings {
  /** How many times a job that failed is tried again. */
  readonly retryLimit: number
  /** Waits before each of them in milliseconds; the last one holds for all that follow. */
  readonly retryDelays: readonly number[]
  /** Jobs that run at once in this process. */
  readonly concurrency: number
  /**
   * How long a job may take in milliseconds. A job of a process that died is given out again after that time at the
   * latest.
   */
  readonly timeout: number
  /** How long jobs that are completed, and that failed for good, can be read, in milliseconds. */
  readonly retention: { readonly completed: number, readonly failed: number }
}

export interface SendOptions {
  /** Of the jobs with the same key that have not ended only the first is kept. */
  readonly uniqueKey?: string
  /** Not before this time. */
  readonly startAfter?: Date
  /**
   * A transaction of the data source that jobs are in: the job is there when it is committed, and never if it is rolled
   * back.
   * A transaction that the caller is in counts as well.
   */
  readonly transaction?: unknown
}

/** How many jobs of a queue there are. */
export interface QueueCounts {
  readonly waiting: number
  /** Those whose time has not come, retries among them. */
  readonly delayed: number
  readonly active: number
  readonly completed: number
  /** Those that are not tried again. */
  readonly failed: number
}

/** When the next job of an expression is due. */
export interface QueueSchedule {
  readonly cron: string
  readonly timeZone: string
  readonly next: Date | undefined
}

/** A job that failed for good. */
export interface FailedJob {
  readonly id: string
  readonly data: unknown
  readonly attempts: number
  readonly failedAt: Date
  /** What its handler said the last time. */
  readonly reason: string
}

export type JobHandler = (job: EngineJob) => Promise<unknown>

export interface JobEngine {
  readonly kind: EngineKind
  /** Whether `send` takes a transaction of this data source. */
  joinsTransactionsOf (dataSource: DataSource): boolean
  start (): Promise<void>
  /** Before anything else is done with the queue. Its settings follow what is given, also when the queue is stored. */
  define (queue: string, settings: QueueSettings): Promise<void>
  /** @returns the job's id, undefined if one with its unique key has not ended */
  send (queue: string, data: unknown, options?: SendOptions): Promise<string | undefined>
  /** Takes jobs of a queue until the engine stops. Once for each queue. */
  work (queue: string, handler: JobHandler): Promise<void>
  /** A job with this data at each time of the expression, one among all processes. Replaces what was there. */
  schedule (queue: string, cron: string, options: { readonly timeZone: string, readonly data: unknown }): Promise<void>
  unschedule (queue: string): Promise<void>
  /** Undefined where the queue has no schedule. */
  scheduled (queue: string): Promise<QueueSchedule | undefined>
  counts (queue: string): Promise<QueueCounts>
  /** The newest first. */
  failed (queue: string, limit: number): Promise<FailedJob[]>
  /** Sends a job that failed for good once more. @returns whether there was one */
  retry (queue: string, id: string): Promise<boolean>
  /** @returns whether there was such a job that failed */
  discard (queue: string, id: string): Promise<boolean>
  /** Takes no more jobs, waits for those that run, and then ends their signals. */
  stop (options: { readonly timeout: number }): Promise<void>
}
