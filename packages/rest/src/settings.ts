/** The options of the plugin, with every default filled in. */
import type { ModelClass } from '@fastback/core'
import type { BatchLimits } from './batch/settings.js'
import type { ErrorHandlerOptions } from './errors/error-handler.js'
import type { Explaining } from './handlers/explained-list.js'
import type { TotalCount } from './handlers/total-count.js'
import type { IdempotencySetting } from './idempotency/settings.js'
import type { LineLimits } from './lines/settings.js'
import type { LiveSocketLimits } from './live/settings.js'
import type { FormLimits } from './multipart/form-limits.js'
import type { RestOptions } from './options-schema.js'
import type { BodyOptions } from './parse/body-parser.js'
import type { Coercion } from './parse/loopback3.js'
import type { TextLimits } from './parse/query.js'
import type { PatchLimits } from './patches/json-patch.js'
import type { HoldingLimits } from './responses/response-batch.js'
import type { Streaming } from './rows/streaming.js'

export interface Settings {
  readonly models: NonNullable<RestOptions['models']>
  readonly ofApplication: readonly ModelClass[] | undefined
  readonly sharedMethods: Readonly<Record<string, boolean>> | undefined
  readonly normalizeHttpPath: boolean
  readonly xml: boolean
  readonly supportedTypes: readonly string[] | undefined
  readonly arrayItemDelimiters: readonly string[] | undefined
  readonly coercion: Coercion
  readonly handleErrors: boolean
  readonly handleUnknownPaths: boolean
  readonly errorHandler: ErrorHandlerOptions
  readonly body: BodyOptions
  readonly mediaTypes: readonly string[]
  readonly limits: TextLimits
  readonly totalCount: TotalCount
  readonly explaining: Explaining
  readonly methodNotAllowed: boolean
  readonly heartbeat: number
  readonly forms: Partial<FormLimits>
  readonly patches: PatchLimits
  readonly lines: LineLimits
  /** Undefined: each answer at once. */
  readonly responseBatching: HoldingLimits | undefined
  readonly streaming: Streaming
  readonly idempotency: IdempotencySetting
  /** Undefined: there is no route for them. */
  readonly batch: BatchLimits | undefined
  /** Undefined: there is no route for them. */
  readonly liveSocket: LiveSocketLimits | undefined
  readonly accessControl: boolean
  readonly application: object | undefined
  /** Set when every request must fail, with this message (specification, Versioning 16). */
  readonly removedContext: string | undefined
}
