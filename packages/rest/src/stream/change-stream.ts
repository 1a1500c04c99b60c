/** The change stream of a model, for a client (behaviour.md, section 11). */
import type { Change, ChangeStreamOptions, MaybePromise } from '@fastback/core'
import { openChangeStream as openStream, persistedStatics } from '@fastback/core/remote'
import type { Readable } from 'node:stream'
import type { RemoteContext } from '../hooks/context.js'

/**
 * Set on a request by anyone who decides about access: which changes this client may see, asked for each when it is
 * sent (security.md, S-60).
 */
export interface ChangeGuard {
  /** @param data the row; of a change of this server's own models with hidden properties */
  allows (data: Record<string, unknown>, isGone?: boolean): MaybePromise<boolean>
  /** A change without what the client may not read; the same one where that is nothing. */
  shows?: (change: Change) => MaybePromise<Change>
  /** Aborted when the client's rights end; the stream then ends, with nothing more of what it carries. */
  readonly signal?: AbortSignal | undefined
}

export const hasBuiltinChangeStream = ({ method }: RemoteContext): boolean =>
  method.builtin === 'createChangeStream' && method.model.createChangeStream === persistedStatics.createChangeStream

/**
 * Opens the stream. The condition comes from outside; a client that comes back with `Last-Event-ID` gets what it
 * missed. It carries what a `find` of the same client would give (security.md, S-91).
 * @throws RequestError 400; what an `access` hook throws
 */
export function openChangeStream (context: RemoteContext): MaybePromise<Readable> {
  const { where } = (context.args.options ?? {}) as { where?: unknown }
  const last = Number(context.request.headers['last-event-id'] ?? NaN)
  const options: ChangeStreamOptions = { where, ...(Number.isSafeInteger(last) ? { after: last } : {}) }
  return openStream(context.method.model, options, context.options)
}
