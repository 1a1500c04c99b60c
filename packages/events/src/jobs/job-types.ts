/** What jobs are for code that defines and sends them. */
import type { Static, TSchema } from '@sinclair/typebox'
import type { ModelRegistry, Models } from '@fastback/core'
import type { FastifyBaseLogger } from 'fastify'

/**
 * Types of the data of jobs by their names, for `registry.jobs.send`:
 *
 * ```ts
 * declare module '@fastback/events' {
 *   interface JobTypes { remind: { noteId: number } }
 * }
 * ```
 */
export interface JobTypes {}

/** The data of a job of a name; anything where `JobTypes` does not say what. */
export type JobData<N extends string> = N extends keyof JobTypes ? JobTypes[N] : unknown

/** What the handler of a job gets. */
export interface JobContext<Data = unknown> {
  readonly data: Data
  /** Model classes by name, without rules of access: as code of the application has them. */
  readonly models: Models
  readonly registry: ModelRegistry
  /** Says which job it is about. */
  readonly log: FastifyBaseLogger
  /** Aborted when the job takes longer than its `timeout`, and when the application closes and does not wait longer. */
  readonly signal: AbortSignal
  /** 1 when the job is tried for the first time. */
  readonly attempt: number
  /** The same in all attempts: a key for what must not happen twice. */
  readonly id: string
}

export type JobFunction<Data = unknown> = (context: JobContext<Data>) => unknown

export interface JobOptions<S extends TSchema = TSchema> {
  /**
   * Cron expression of five parts, or of six with seconds: `0 8 * * *`. pg-boss knows five. One job is sent at each
   * time, among all processes. Default: none.
   */
  readonly schedule?: string
  /** Time zone of `schedule`: `Europe/Berlin`. Default: `UTC`. */
  readonly timeZone?: string
  /** Data of jobs that the schedule sends. Default: null. */
  readonly scheduleData?: Static<S>
  /** How many times a job that failed is tried again. Default: 3. */
  readonly retryLimit?: number
  /**
   * Milliseconds before each retry; the last one holds for all that follow. Default: `[5000, 60000, 600000]`.
   */
  readonly retryDelays?: readonly number[]
  /** Jobs that run at once in a process. Default: 1. */
  readonly concurrency?: number
  /** Milliseconds that a job may take. Default: 900,000. */
  readonly timeout?: number
  /** TypeBox schema of the data. It is checked when a job is sent, and when it runs. Default: any JSON. */
  readonly schema?: S
}

export interface JobSendOptions {
  /** Of the jobs with the same key that have not ended only the first is stored. */
  readonly uniqueKey?: string
  /** Not before this time. */
  readonly startAfter?: Date
  /** The job is there when this transaction is committed, and never if it is rolled back. */
  readonly transaction?: unknown
}

/** A job that was defined. */
export interface Job<Data = unknown> {
  readonly name: string
  /** As `registry.jobs.send`. */
  send (data: Data, options?: JobSendOptions): Promise<string | undefined>
}

export interface Jobs {
  /**
   * Sends a job. The application is ready when it can be called.
   * @returns the job's id, undefined if one with its unique key has not ended
   * @throws FBK_EVENTS_UNKNOWN_JOB, FBK_EVENTS_NOT_STARTED, FBK_EVENTS_NO_TRANSACTION; RequestError 422
   * INVALID_JOB_DATA for data that is no JSON, too large, or not of the job's schema
   */
  send<const N extends string> (name: N, data: JobData<N>, options?: JobSendOptions): Promise<string | undefined>
}

declare module '@fastback/core' {
  interface RegistryExtensions {
    /**
     * Defines a job: what is done with data that is sent to it, in this process or another one.
     *
     * ```js
     * const remind = registry.job('remind', { retryLimit: 5 }, async ({ data, models }) => {
     *   await models.Email.send({ to: data.to, subject: 'Remember' })
     * })
     * await remind.send({ to: 'ann@example.com' })
     * ```
     * @throws FBK_EVENTS_INVALID_NAME, FBK_EVENTS_INVALID_JOB, FBK_EVENTS_DUPLICATE_JOB
     */
    job<S extends TSchema = TSchema> (
      name: string, options: JobOptions<S>, handler: JobFunction<S extends TSchema ? Static<S> : unknown>
    ): Job<Static<S>>
    readonly jobs: Jobs
  }
}
