/** Work that an application does later: what `@fastback/events` offers to packages that do not import it. */
import type { ModelRegistry } from '../interfaces/model-registry.js'

/** A queue of jobs, with the numbers of all processes. */
export interface JobQueue {
  readonly name: string
  readonly waiting: number
  /** Those whose time has not come, retries among them. */
  readonly delayed: number
  readonly active: number
  readonly completed: number
  /** Those that are not tried again. */
  readonly failed: number
  readonly schedule?: { readonly cron: string, readonly timeZone: string, readonly next: Date | undefined } | undefined
}

/** A job that failed for good. */
export interface FailedJobEntry {
  readonly id: string
  /** As it was sent: it may hold secrets. */
  readonly data: unknown
  readonly attempts: number
  readonly failedAt: Date
  readonly reason: string
}

export interface DeferredWork {
  readonly name: string
  readonly retryLimit?: number
  /** Milliseconds before each retry; the last one holds for all that follow. */
  readonly retryDelays?: readonly number[]
  readonly concurrency?: number
  /** Milliseconds. */
  readonly timeout?: number
  run (data: unknown): Promise<unknown>
}

export interface BackgroundJobs {
  /** What the application wants to be delivered by jobs: `mail`. */
  readonly delivers: ReadonlySet<string>
  /** Before the application is ready, or then. @returns sends one */
  define (work: DeferredWork): (data: unknown, options?: { readonly transaction?: unknown }) => Promise<void>
  queues (): Promise<JobQueue[]>
  /** The newest first; undefined where there is no such queue. */
  failed (queue: string, limit: number): Promise<FailedJobEntry[] | undefined>
  /** @returns whether there was one that failed */
  retry (queue: string, id: string): Promise<boolean>
  /** @returns whether there was one that failed */
  discard (queue: string, id: string): Promise<boolean>
}

const kJobs = Symbol('fastback.backgroundJobs')

interface Kept { by: BackgroundJobs | undefined }

/**
 * What runs an application's jobs; undefined where nothing does: `@fastback/events` is not registered.
 *
 * ```js
 * await backgroundJobsIn(app.registry).by?.queues()
 * ```
 */
export const backgroundJobsIn = (registry: Pick<ModelRegistry, 'slot'>): Kept =>
  registry.slot<Kept>(kJobs, () => ({ by: undefined }))
