/** Jobs in Redis, by BullMQ. */
import type * as bullmq from 'bullmq'
import type { DataSource } from '@fastback/core'
import type { Redis } from 'ioredis'
import type { EngineOptions } from '../engine-options.js'
import { JobIds, slotOfKey } from '../embedded/job-id.js'
import type {
  FailedJob, JobEngine, JobHandler, QueueCounts, QueueSchedule, QueueSettings, SendOptions
} from '../engine.js'
import { engineAway } from '../../errors.js'
import { nextTick } from '../next-tick.js'
import { connectRedis, disconnectRedis, type RedisClass } from './connection.js'
import { HandOver } from './hand-over.js'
import { jobOptions, JobWorker, type BullJob, type BullJobData } from './job-worker.js'

/** Of a queue, whose schedule is one. */
const schedulerId = 'schedule'
/** Processes that died while they ran a job, before it has failed. */
const deathsForgiven = 3
/** Milliseconds that jobs have to end after their signal was aborted. */
const afterAbort = 2000
/** Other ids would be other keys of the queue. */
const idPattern = /^(?:[0-9a-z]{9}-[0-9a-z]{6}-[\w-]{12}|repeat:schedule:\d+)$/

type Queue = bullmq.Queue<BullJobData>

export interface BullModules {
  readonly bullmq: Pick<typeof bullmq, 'Queue' | 'Worker' | 'WaitingError'>
  readonly Redis: RedisClass
}

interface Defined { readonly queue: Queue, readonly settings: QueueSettings }

export class BullEngine implements JobEngine {
  readonly kind = 'bullmq'
  readonly #ids = new JobIds()
  readonly #queues = new Map<string, Defined>()
  readonly #workers = new Map<string, JobWorker>()
  #sending: Redis | undefined
  #working: Redis | undefined

  readonly #handOver: HandOver

  /** Before the registry starts. */
  constructor (readonly modules: BullModules, readonly url: string, readonly options: EngineOptions) {
    this.#handOver = new HandOver(options)
  }

  joinsTransactionsOf (dataSource: DataSource): boolean {
    return dataSource === this.#handOver.dataSource
  }

  async start (): Promise<void> {
    const { modules: { Redis }, url, options: { log } } = this
    this.#sending = await connectRedis(Redis, url, false, log)
    this.#working = await connectRedis(Redis, url, true, log)
    await this.#handOver.start(async ({ queue, data, uniqueKey, startAfter }, id) => {
      await this.#add(queue, data, id, uniqueKey, startAfter === undefined ? undefined : new Date(startAfter))
    })
  }

  async define (name: string, settings: QueueSettings): Promise<void> {
    const queue = this.#queues.get(name)?.queue ?? this.#open(name)
    this.#queues.set(name, { queue, settings })
  }

  async send (name: string, data: unknown, options: SendOptions = {}): Promise<string | undefined> {
    const { uniqueKey, startAfter, transaction } = options
    if (this.#handOver.isWanted(transaction)) {
      const job = { queue: name, data, uniqueKey, startAfter: startAfter?.toISOString() }
      return await this.#handOver.send(job, transaction)
    }
    return await this.#add(name, data, this.#ids.next(), uniqueKey, startAfter)
  }

  async #add (
    name: string, data: unknown, jobId: string, uniqueKey: string | undefined, startAfter: Date | undefined
  ): Promise<string | undefined> {
    const delay = startAfter === undefined ? 0 : Math.max(0, startAfter.getTime() - Date.now())
    try {
      const { id } = await this.#queue(name).add('job', { data: data ?? null }, {
        ...this.#jobOptions(name),
        jobId,
        delay,
        ...(uniqueKey === undefined ? {} : { deduplication: { id: slotOfKey(name, uniqueKey) } })
      })
      return id === jobId ? id : undefined
    } catch (error) {
      throw Object.assign(engineAway(), { cause: error })
    }
  }

  async work (name: string, handler: JobHandler): Promise<void> {
    const { settings } = this.#queues.get(name) as Defined
    const { settings: { lease }, log } = this.options
    const { Worker, WaitingError } = this.modules.bullmq
    this.#workers.set(name, new JobWorker({ Worker, WaitingError }, name, handler, settings, {
      connection: this.#working as Redis,
      ...this.#common(name),
      lockDuration: lease,
      stalledInterval: lease,
      maxStalledCount: deathsForgiven
    }, log))
  }

  async schedule (name: string, cron: string, { timeZone, data }: { timeZone: string, data: unknown }): Promise<void> {
    const template = { name: 'job', data: { data: data ?? null }, opts: this.#jobOptions(name) }
    await this.#queue(name).upsertJobScheduler(schedulerId, { pattern: cron, tz: timeZone }, template)
  }

  async unschedule (name: string): Promise<void> {
    await this.#queue(name).removeJobScheduler(schedulerId)
  }

  async scheduled (name: string): Promise<QueueSchedule | undefined> {
    const found = await this.#queue(name).getJobScheduler(schedulerId)
    if (found?.pattern === undefined) return undefined
    const { pattern, tz = 'UTC', next } = found
    return { cron: pattern, timeZone: tz, next: next === undefined ? undefined : new Date(Number(next)) }
  }

  async counts (name: string): Promise<QueueCounts> {
    const { wait = 0, delayed = 0, active = 0, completed = 0, failed = 0 } =
      await this.#queue(name).getJobCounts('wait', 'delayed', 'active', 'completed', 'failed')
    return { waiting: wait, delayed, active, completed, failed }
  }

  async failed (name: string, limit: number): Promise<FailedJob[]> {
    const jobs = await this.#queue(name).getFailed(0, limit - 1)
    return jobs.map(job => ({
      id: job.id as string,
      data: job.data.data,
      attempts: job.attemptsStarted,
      failedAt: new Date(job.finishedOn as number),
      reason: job.failedReason
    }))
  }

  async retry (name: string, id: string): Promise<boolean> {
    const job = await this.#failedJob(name, id)
    if (job === undefined) return false
    await job.retry('failed', { resetAttemptsMade: true, resetAttemptsStarted: true })
    return true
  }

  async discard (name: string, id: string): Promise<boolean> {
    const job = await this.#failedJob(name, id)
    if (job === undefined) return false
    await job.remove()
    return true
  }

  async stop ({ timeout }: { readonly timeout: number }): Promise<void> {
    const workers = [...this.#workers.values()]
    this.#workers.clear()
    await this.#handOver.stop(timeout)
    const isAway = this.#working?.status !== 'ready'
    const closed = Promise.all(workers.map(async worker => { await worker.close(isAway).catch(() => {}) }))
    await within(closed, timeout)
    for (const worker of workers) worker.abort()
    await within(closed, afterAbort)
    for (const { queue } of this.#queues.values()) await within(queue.close().catch(() => {}), afterAbort)
    this.#queues.clear()
    await disconnectRedis(this.#sending)
    await disconnectRedis(this.#working)
  }

  #queue (name: string): Queue {
    return (this.#queues.get(name) as Defined).queue
  }

  #jobOptions (name: string): bullmq.JobsOptions {
    return jobOptions((this.#queues.get(name) as Defined).settings)
  }

  #open (name: string): Queue {
    const queue: Queue = new this.modules.bullmq.Queue<BullJobData>(
      name, { connection: this.#sending as Redis, ...this.#common(name) })
    // Connections report their errors themselves.
    queue.on('error', err => { this.options.log.debug({ err, queue: name }, 'a queue reports an error') })
    return queue
  }

  #common (name: string): { prefix: string, settings: bullmq.AdvancedOptions } {
    return {
      prefix: this.options.settings.prefix,
      settings: {
        repeatStrategy: (millis, { pattern, tz = 'UTC' }) =>
          nextTick(name, pattern as string, tz, new Date(millis)).getTime()
      }
    }
  }

  async #failedJob (name: string, id: string): Promise<BullJob | undefined> {
    const queue = this.#queues.get(name)?.queue
    if (queue === undefined || !idPattern.test(id)) return undefined
    const job = await queue.getJob(id) as BullJob | undefined
    return job !== undefined && await job.isFailed() ? job : undefined
  }
}

/** Until it is done, or the milliseconds are over. */
async function within (work: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<void>(resolve => { timer = setTimeout(resolve, milliseconds) })
  await Promise.race([work, over]).finally(() => { clearTimeout(timer) })
}
