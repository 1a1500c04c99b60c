/** The change stream of a model, for a client (behaviour.md, section 11). */
import type { ChangeStreamOptions, MaybePromise } from '@fastback/core'
import { createChangeStream, persistedStatics } from '@fastback/core/remote'
import type { Readable } from 'node:stream'
import type { RemoteContext } from '../hooks/context.js'

/**
 * Set on a request by whoever decides about access: which changes this client may see, asked for each when it is sent
 * (security.md, S-60).
 */
export interface ChangeGuard {
  /** @param data the row, without hidden properties */
  allows (data: Record<string, unknown>): MaybePromise<boolean>
  /** Aborted when the client's rights end; the stream is then closed. */
  readonly signal?: AbortSignal | undefined
}

export const hasBuiltinChangeStream = ({ method }: RemoteContext): boolean =>
  method.builtin === 'createChangeStream' && method.model.createChangeStream === persistedStatics.createChangeStream

/**
 * Opens the stream. The condition comes from outside; a client that comes back with `Last-Event-ID` gets what it
 * missed.
 * @throws RequestError 400
 */
export function openChangeStream (context: RemoteContext): Readable {
  const { where } = (context.args.options ?? {}) as { where?: unknown }
  const last = Number(context.request.headers['last-event-id'] ?? NaN)
  const options: ChangeStreamOptions = { where, ...(Number.isSafeInteger(last) ? { after: last } : {}) }
  return createChangeStream(context.method.model, options, context.options)
}
