import type { ErrorForm } from '../errors/error-form.js'
import { errorTypes } from '../errors/error-handler.js'
import { offeredTypes } from '../handlers/format.js'
import type { TotalCount } from '../handlers/total-count.js'
import type { IdempotencySetting } from '../idempotency/settings.js'
import type { Streaming } from '../rows/streaming.js'
import type { Settings } from '../settings.js'

/** What holds for the responses of all routes, for anyone who documents them. */
export interface Conventions {
  /** When lists come with their total. */
  readonly totalCount: TotalCount
  /** Whether lists are written row by row to who asks for it; models may say otherwise. */
  readonly streaming: Streaming
  /** Whether requests that write may have a key for their repeats; models may say otherwise. */
  readonly idempotency: IdempotencySetting
  /** Operations of one request to `/batch`, at most; undefined: there is no such route. */
  readonly batch: number | undefined
  /** Whether a path that other verbs have answers 405. */
  readonly methodNotAllowed: boolean
  /** Media types of results, best first. */
  readonly results: readonly string[]
  /** Media types of bodies that are JSON. */
  readonly jsonBodies: readonly string[]
  readonly errors: {
    /** The property around the error; false: none. */
    readonly root: string | false
    /** Media types. */
    readonly types: readonly string[]
    /** `problem`: what is JSON otherwise is a problem (RFC 9457). */
    readonly form: ErrorForm
  }
}

export function conventionsOf (settings: Settings): Conventions {
  const { totalCount, streaming, idempotency, batch, methodNotAllowed, body, errorHandler } = settings
  return {
    totalCount,
    streaming,
    idempotency,
    batch: batch?.maxOperations,
    methodNotAllowed,
    results: offeredTypes(settings),
    jsonBodies: body.jsonTypes,
    errors: { root: errorHandler.rootProperty ?? 'error', types: errorTypes(errorHandler), form: errorHandler.errors ?? 'coded' }
  }
}
