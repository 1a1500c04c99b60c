/**
 * What the studio's server says of its activity: `activity.json`, `activity/requests.json`,
 * `activity/requests/{id}.json`.
 */
import type { FailedJobEntry, JobQueue } from '@fastback/core/remote'

/** One second. */
export interface ActivitySecond {
  /** Milliseconds since 1970, of its beginning. */
  readonly at: number
  readonly requests: number
  /** Milliseconds; 0 without requests. */
  readonly p50: number
  readonly p99: number
  /** Responses by status class. */
  readonly clientErrors: number
  readonly serverErrors: number
  /** Milliseconds that the event loop came late, at most. */
  readonly eventLoopDelay: number
  /** From 0 to 1. */
  readonly eventLoopUtilization: number
  /** Bytes. */
  readonly heapUsed: number
  readonly rss: number
}

export interface PoolActivity {
  readonly dataSource: string
  readonly used: number
  readonly size: number
  readonly waiting: number
}

/** `GET activity.json` */
export interface Activity {
  /** The last 5 minutes at most, the oldest first; the second that goes on is not among them. */
  readonly seconds: readonly ActivitySecond[]
  readonly now: {
    /** Milliseconds since the process began. */
    readonly uptime: number
    readonly inFlight: number
    readonly openStreams: number
    readonly hashesRunning: number
    readonly hashesWaiting: number
    readonly pushWaiting: number
    readonly pools: readonly PoolActivity[]
  }
  /** Whether the application has background jobs (`activity/jobs.json`). */
  readonly jobs: boolean
  /** Whether requests are kept at the moment (`POST activity/pause`, `POST activity/resume`). */
  readonly recording: boolean
  /** From how many milliseconds on a request is slow. */
  readonly slow: number
  /** How many requests are kept at most. */
  readonly capacity: number
}

/** Why somebody should look at a request. */
export type RequestMark = 'slow' | 'repeated' | 'missing index' | 'error'

export interface RequestSummary {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly method: string
  /** The pattern, `/api/Notes/:id`: values are not kept. Absent where no route fits. */
  readonly route?: string
  /** 0 where the client went away first. */
  readonly status: number
  /** Milliseconds. */
  readonly duration: number
  /** `Note`, and `Note.find`, of routes of models. */
  readonly model?: string
  readonly operation?: string
  /** Absent: nobody is logged in. */
  readonly caller?: { readonly userId: string, readonly userModel?: string }
  /** Of the response's body, where it is known before it is sent. */
  readonly bytes?: number
  /** How many statements stores were sent. */
  readonly statements: number
  readonly marks: readonly RequestMark[]
}

/** `GET activity/requests.json?slow=true&status=5&model=Note&after=<id>`: the newest first. */
export interface RequestList {
  readonly requests: readonly RequestSummary[]
}

export interface Span {
  /** `rule`: access was decided; `hook`, `method`, `query` as they run. */
  readonly kind: 'rule' | 'method' | 'hook' | 'query'
  /** `Note.find`, `Note before save`, the name of a data source. */
  readonly name: string
  readonly model?: string
  /** Milliseconds from the beginning of the request. */
  readonly start: number
  /** Milliseconds. */
  readonly duration: number
  /** Position of the span that this one is within, in the list. */
  readonly parent?: number
  readonly failed?: boolean
  /** Of `rule`. */
  readonly decision?: { readonly allowed: boolean, readonly rule?: Readonly<Record<string, unknown>> | string }
  /** Of `hook`: names of properties that it set. */
  readonly changed?: readonly string[]
  /** Of `query`: `SELECT`, and the statement with placeholders, without values. */
  readonly operation?: string
  readonly text?: string
  /** Of `query`: rows that came back, where the store says. */
  readonly rows?: number
}

/** Something that would make a request faster. */
export interface Hint {
  readonly mark: RequestMark
  /** In words: what it is and what helps. */
  readonly text: string
  /** What goes into the definition of `model`. */
  readonly definition?: string
  readonly model?: string
  /** Positions of the spans that it is about. */
  readonly spans: readonly number[]
}

/** `GET activity/requests/{id}.json?plan=true`: with `plan`, stores are asked how they would do each SELECT. */
export interface RequestDetail extends RequestSummary {
  readonly spans: readonly Span[]
  /** How many spans were not kept. */
  readonly left: number
  readonly hints: readonly Hint[]
  readonly plans?: ReadonlyArray<{
    readonly dataSource: string
    readonly text: string
    /** Lines of the plan; empty where the store tells none: `note` says why. */
    readonly plan: readonly string[]
    readonly rowsRead?: number
    readonly note?: string
  }>
}

/** `POST activity/pause` and `POST activity/resume` */
export interface Recording { readonly recording: boolean }

/** A queue of background jobs as JSON has it. */
export interface JobQueueActivity extends Omit<JobQueue, 'schedule'> {
  /** `next`: milliseconds since 1970. */
  readonly schedule?: Omit<NonNullable<JobQueue['schedule']>, 'next'> & { readonly next?: number }
}

/** `GET activity/jobs.json` */
export interface JobActivity { readonly queues: readonly JobQueueActivity[] }

/** A job that failed for good. */
export interface FailedJobActivity extends Pick<FailedJobEntry, 'id' | 'attempts' | 'reason'> {
  /** As JSON, with secrets masked and no more than its first characters. Absent: it is a secret. */
  readonly data?: string
  /** Milliseconds since 1970. */
  readonly at: number
}

/** `GET activity/jobs/{queue}/failed.json`: the newest first. */
export interface FailedJobs { readonly jobs: readonly FailedJobActivity[] }

/** `POST activity/jobs/{queue}/{id}/retry` and `…/discard`, with `{}`: whether there was one that failed. */
export interface JobChanged { readonly changed: boolean }
