/** Settings of a route of a method. */
import type { ModelRegistry } from '@fastback/core'
import type { FastifyRequest } from 'fastify'
import type { IdempotencySetting } from '../idempotency/settings.js'
import type { ReaderContext } from '../parse/argument-reader.js'
import type { FormLimits } from '../multipart/form-limits.js'
import type { OpenStreams } from '../stream/open-streams.js'
import type { CallPhases } from '../remoting/phases.js'
import type { Streaming } from '../rows/streaming.js'
import type { Explaining } from './explained-list.js'
import type { LineLimits } from '../lines/settings.js'
import type { PatchLimits } from '../patches/json-patch.js'
import type { TotalCount } from './total-count.js'

export interface RouteSettings {
  readonly registry: ModelRegistry
  readonly readers: ReaderContext
  /** Media types on offer. */
  readonly offered: readonly string[]
  /** What `ctx.req.app` is. */
  readonly application: () => object | undefined
  readonly streams: OpenStreams
  readonly totalCount: TotalCount
  /** Whether lists are written row by row to who asks for it, and with which limits; models may say otherwise. */
  readonly streaming: Streaming
  readonly explaining: Explaining
  /** Limits on forms with files. */
  readonly forms: Partial<FormLimits>
  /** Limits on patches of rows. */
  readonly patches: PatchLimits
  /** Limits on rows that come as lines of JSON. */
  readonly lines: LineLimits
  /** Whether requests that write may have a key for their repeats; models may say otherwise. */
  readonly idempotency: IdempotencySetting
  /** Whether a request is an operation of a batch. Undefined where there are none. */
  readonly isInBatch: ((request: FastifyRequest) => boolean) | undefined
  /** What stands around the calls of all methods. */
  readonly phases: CallPhases
}

/** What of a route's options in `http` counts at run time. */
export interface RouteHttp {
  readonly verb: string
  readonly path: string
  readonly status?: number | undefined
  readonly errorStatus?: number | undefined
}
