import { Type, type Static } from '@sinclair/typebox'
import { WebhooksSchema } from './webhooks/options.js'

const Text = Type.Optional(Type.String({ minLength: 1 }))
const Count = Type.Optional(Type.Integer({ minimum: 1 }))
const CountOrNone = Type.Optional(Type.Integer({ minimum: 0 }))

const RetentionSettings = Type.Object({
  /** Jobs that are completed. Default: 3,600,000 (an hour). */
  completed: CountOrNone,
  /** Jobs that failed for good. Default: 1,209,600,000 (two weeks). */
  failed: CountOrNone
}, { additionalProperties: false })

/** Options of the plugin. */
export const EventsSchema = Type.Object({
  /**
   * What runs jobs. Default: `bullmq` where `redis` is set, `pg-boss` where the data source is PostgreSQL and the
   * package is installed, else `embedded`.
   */
  engine: Type.Optional(Type.Union([Type.Literal('embedded'), Type.Literal('pg-boss'), Type.Literal('bullmq')])),
  /** Data source of jobs and internal models. Default: `db`, else the first that stores rows. */
  dataSource: Text,
  /** URL of the Redis server that BullMQ uses: `redis://127.0.0.1:6379`. Default: none. */
  redis: Text,
  /** Schema of pg-boss's tables. Default: `fastback_jobs`. */
  schema: Type.Optional(Type.String({ pattern: '^[a-z_][a-z0-9_]{0,49}$' })),
  /** What keys of BullMQ begin with. Default: `fastback`. */
  prefix: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_-]{1,50}$' })),
  /** Milliseconds between two looks for jobs of other processes. Default: 1000. */
  pollInterval: Type.Optional(Type.Integer({ minimum: 10 })),
  /** Milliseconds after which the jobs of a process that died are given out again. Default: 30,000. */
  lease: Type.Optional(Type.Integer({ minimum: 100 })),
  /** Milliseconds that jobs have to finish when the application closes. Default: 10,000. */
  stopTimeout: CountOrNone,
  /** Milliseconds that jobs can be read when they have ended. */
  retention: Type.Optional(RetentionSettings),
  /** Bytes of a job's data as JSON. Default: 262,144. */
  largestData: Count,
  /** What other packages deliver by jobs: `mail` is sent with retries, outside of the request. Default: nothing. */
  deliver: Type.Optional(Type.Array(Type.Literal('mail'))),
  /** Whether this process runs jobs, or only sends them. Default: true. */
  work: Type.Optional(Type.Boolean()),
  /** Webhooks: true, or options of theirs. Default: none. */
  webhooks: Type.Optional(WebhooksSchema)
}, { additionalProperties: false })

export type EventsOptions = Static<typeof EventsSchema>

/** Options with every default filled in; `undefined` where the application decides. */
export interface Settings {
  readonly engine: 'embedded' | 'pg-boss' | 'bullmq' | undefined
  readonly dataSource: string | undefined
  readonly redis: string | undefined
  readonly schema: string
  readonly prefix: string
  readonly pollInterval: number
  readonly lease: number
  readonly stopTimeout: number
  readonly retention: { readonly completed: number, readonly failed: number }
  readonly largestData: number
  readonly deliver: readonly string[]
  readonly work: boolean
}

const hour = 3_600_000
const twoWeeks = 1_209_600_000

export const settingsOf = (options: EventsOptions): Settings => ({
  engine: options.engine,
  dataSource: options.dataSource,
  redis: options.redis,
  schema: options.schema ?? 'fastback_jobs',
  prefix: options.prefix ?? 'fastback',
  pollInterval: options.pollInterval ?? 1000,
  lease: options.lease ?? 30_000,
  stopTimeout: options.stopTimeout ?? 10_000,
  retention: {
    completed: options.retention?.completed ?? hour,
    failed: options.retention?.failed ?? twoWeeks
  },
  largestData: options.largestData ?? 262_144,
  deliver: options.deliver ?? [],
  work: options.work ?? true
})
