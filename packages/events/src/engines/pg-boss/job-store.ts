/** Jobs that pg-boss stores and gives out, in a schema of its own in the data source's database. */
import type { DataSource } from '@fastback/core'
import type PgBoss from 'pg-boss'
import { EngineUnavailableError } from '../../errors.js'
import type { EngineOptions } from '../engine-options.js'
import { slotOfKey } from '../embedded/job-id.js'
import type { FailedJob, QueueCounts, QueueSchedule, QueueSettings } from '../engine.js'
import type { JobStore, NewJob, Schedule, StoredJob } from '../job-store.js'
import { reasonOf } from '../reason.js'
import { mostAttempts } from '../retry-delay.js'
import { Database, type SqlRow } from './database.js'
import { isUuid, uuidOfTick } from './job-id.js'
import { bossStatements, type BossStatements } from './statements.js'

/** Jobs that nobody has taken for so long are none any more. pg-boss knows no other way to say "for ever". */
const longestWait = 10 * 365 * 24 * 60

/** What is stored as a job's data: PostgreSQL's JSON is not JavaScript's (no zero characters, no order of keys). */
interface Stored { readonly json: string, readonly schedule?: Schedule }

/** What pg-boss gives of a job. */
interface Fetched { readonly id: string, readonly data: Stored, readonly retryCount: number, readonly createdOn: Date }

const seconds = (milliseconds: number): number => Math.max(1, Math.ceil(milliseconds / 1000))

export class BossStore implements JobStore {
  readonly kind = 'pg-boss'
  readonly dataSource: DataSource
  readonly #boss: PgBoss
  readonly #database: Database
  readonly #sql: BossStatements
  readonly #queues = new Map<string, QueueSettings>()

  constructor (Boss: typeof PgBoss, readonly options: EngineOptions) {
    const { dataSource, settings: { schema, retention }, log } = options
    this.dataSource = dataSource
    this.#database = new Database(dataSource)
    this.#sql = bossStatements(schema)
    this.#boss = new Boss({
      db: this.#database,
      schema,
      // Schedules are jobs, and this package says when it looks after them.
      schedule: false,
      supervise: false,
      archiveCompletedAfterSeconds: seconds(retention.completed),
      archiveFailedAfterSeconds: seconds(retention.failed),
      deleteAfterSeconds: 1
    })
    this.#boss.on('error', err => { log.warn({ err }, 'pg-boss reports an error') })
  }

  async start (): Promise<void> {
    try {
      await this.#boss.start()
      await this.#database.executeSql(this.#sql.uniqueKeys)
    } catch (error) {
      throw Object.assign(new EngineUnavailableError(this.kind, reasonOf(error)), { cause: error })
    }
  }

  async stop (): Promise<void> {
    await this.#boss.stop({ graceful: false, close: false })
  }

  async define (queue: string, settings: QueueSettings): Promise<void> {
    this.#queues.set(queue, settings)
    // Processes that died are what pg-boss counts; failures are counted here.
    const options = {
      name: queue,
      retryLimit: mostAttempts(settings) - 1,
      retryDelay: 0,
      expireInSeconds: seconds(this.leaseOf(settings)),
      retentionMinutes: longestWait
    }
    await this.#boss.createQueue(queue, options)
    await this.#boss.updateQueue(queue, options)
  }

  async add ({ queue, data, due, uniqueKey, schedule }: NewJob, transaction: unknown): Promise<{
    id: string, isNew: boolean
  }> {
    const stored: Stored = { json: data, ...(schedule === undefined ? {} : { schedule }) }
    const tickId = schedule === undefined ? undefined : uuidOfTick(queue, schedule, due)
    const id = await this.#boss.send(queue, stored, {
      ...(tickId === undefined ? {} : { id: tickId }),
      ...(due.getTime() <= Date.now() ? {} : { startAfter: due.toISOString() }),
      ...(uniqueKey === undefined ? {} : { singletonKey: slotOfKey(queue, uniqueKey) }),
      db: this.#database.within(transaction)
    })
    return { id: id ?? tickId ?? '', isNew: id !== null }
  }

  /** Whole seconds. */
  leaseOf ({ timeout }: QueueSettings): number {
    return seconds(Math.min(this.options.settings.lease, timeout)) * 1000
  }

  async take (queue: string, count: number): Promise<StoredJob[]> {
    const fetched = await this.#fetch(queue, count)
    return fetched
      .sort((a, b) => a.createdOn.getTime() - b.createdOn.getTime() || (a.id < b.id ? -1 : 1))
      .map(job => this.#taken(queue, job))
  }

  /** pg-boss takes errors of the statement for jobs that there are none of. */
  async #fetch (queue: string, batchSize: number): Promise<Fetched[]> {
    const fault: { error?: unknown } = {}
    const db = {
      executeSql: async (text: string, values: unknown[]) => {
        try {
          return await this.#database.executeSql(text, values)
        } catch (error) {
          fault.error = error
          throw error
        }
      }
    }
    const jobs = await this.#boss.fetch(queue, { batchSize, includeMetadata: true, priority: false, db } as never)
    if (fault.error !== undefined) throw fault.error
    return jobs as unknown as Fetched[]
  }

  async release (): Promise<void> {
    await this.#boss.expire()
  }

  async scheduled (queue: string): Promise<QueueSchedule | undefined> {
    const [row] = await this.#database.rows(this.#sql.scheduled, [queue])
    if (row === undefined) return undefined
    return { ...(row.data as Required<Stored>).schedule, next: row.start_after as Date }
  }

  async removeScheduled (queue: string, exceptId?: string): Promise<void> {
    await this.#database.executeSql(this.#sql.removeScheduled, [queue, exceptId ?? null])
  }

  async counts (queue: string): Promise<QueueCounts> {
    const rows = await this.#database.rows(this.#sql.counts, [queue])
    const of = (state: string): number => Number(rows.find(row => row.state === state)?.count ?? 0)
    return {
      waiting: of('waiting'), delayed: of('delayed'), active: of('active'), completed: of('completed'), failed: of('failed')
    }
  }

  async failed (queue: string, limit: number): Promise<FailedJob[]> {
    return (await this.#database.rows(this.#sql.failed, [queue, limit])).map(failedJob)
  }

  async retry (queue: string, id: string): Promise<boolean> {
    return isUuid(id) && (await this.#database.rows(this.#sql.retry, [queue, id])).length === 1
  }

  async discard (queue: string, id: string): Promise<boolean> {
    return isUuid(id) && (await this.#database.rows(this.#sql.discard, [queue, id])).length === 1
  }

  async clean (): Promise<void> {
    await this.#boss.maintain()
  }

  #taken (queue: string, { id, data, retryCount }: Fetched): StoredJob {
    const change = async (sql: string, ...values: unknown[]): Promise<SqlRow[]> =>
      await this.#database.rows(sql, [queue, id, retryCount, ...values])
    const { renew, complete, remove, fail, retryLater, giveBack } = this.#sql
    const isReadable = this.#queues.get(queue)?.retention.completed !== 0
    return {
      id,
      text: data.json,
      data: JSON.parse(data.json) as unknown,
      attempt: retryCount + 1,
      schedule: data.schedule,
      renew: async () => (await change(renew)).length === 1,
      // The job of a time stays for a while, so that nobody whose clock is late sends it again.
      complete: async () => { await change(isReadable || data.schedule !== undefined ? complete : remove) },
      fail: async (reason, delay) => {
        const output = JSON.stringify({ reason })
        if (delay === undefined) await change(fail, output)
        else await change(retryLater, output, delay)
      },
      giveBack: async () => { await change(giveBack) }
    }
  }
}

function failedJob ({ id, data, retry_count: retries, completed_on: failedAt, output }: SqlRow): FailedJob {
  const attempts = Number(retries) + 1
  return {
    id: String(id),
    data: JSON.parse((data as Stored).json) as unknown,
    attempts,
    failedAt: failedAt as Date,
    reason: (output as { readonly reason?: string } | null)?.reason ?? `The process ended ${attempts} times while it ran the job.`
  }
}
