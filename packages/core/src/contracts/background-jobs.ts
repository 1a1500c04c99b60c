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
  /** As it was sent: it may hold secrets. Undefined where nobody is to read it. */
  readonly data: unknown
  readonly attempts: number
  readonly failedAt: Date
  readonly reason: string
}

/** What a package does later where an application has jobs. */
export interface DeferredWork {
  /** What the option `deliver` calls it: `mail`. */
  readonly kind: string
  /** Of its queue. */
  readonly name: string
  readonly concurrency: number
  /** Milliseconds. */
  readonly timeout: number
  /** Whether nobody is to read its data, which is removed when it is done. */
  readonly isSecret: boolean
  run (data: unknown): Promise<unknown>
}

export interface BackgroundJobs {
  /** What the application wants to be delivered by jobs: `mail`. */
  readonly delivers: ReadonlySet<string>
  /** @throws as `registry.jobs.send` of `@fastback/events` */
  send (name: string, data: unknown, options?: { readonly transaction?: unknown }): Promise<string | undefined>
  queues (): Promise<JobQueue[]>
  /** The newest first; undefined where there is no such queue. */
  failed (queue: string, limit: number): Promise<FailedJobEntry[] | undefined>
  /** @returns whether there was one that failed */
  retry (queue: string, id: string): Promise<boolean>
  /** @returns whether there was one that failed */
  discard (queue: string, id: string): Promise<boolean>
}

const kDeferred = Symbol('fastback.deferredWork')

/**
 * What packages do later where an application has jobs; they add it before the application is ready.
 *
 * ```js
 * deferredWorkIn(registry).set(work.name, work)
 * ```
 */
export const deferredWorkIn = (registry: Pick<ModelRegistry, 'slot'>): Map<string, DeferredWork> =>
  registry.slot(kDeferred, () => new Map<string, DeferredWork>())

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
