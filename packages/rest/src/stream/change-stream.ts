/** The streams of a model's rows, for a client: its changes (behaviour.md, section 11), and live queries. */
import type { Change, ChangeStreamOptions, MaybePromise } from '@fastback/core'
import { openChangeStream as openStream, persistedStatics } from '@fastback/core/remote'
import type { Readable } from 'node:stream'
import type { RemoteContext } from '../hooks/context.js'
import { mustHaveHooksOfFind } from './hooks-of-find.js'

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

/**
 * What opens the stream of a built-in method; undefined for other methods, and for those that the application has
 * replaced. What a client asks for comes from outside; one that comes back with `Last-Event-ID` gets what it missed. A
 * stream carries what a `find` of the same client would give (security.md, S-91).
 */
export function streamOpener (
  { method: { builtin, model } }: RemoteContext
): ((context: RemoteContext) => MaybePromise<Readable>) | undefined {
  if (builtin !== 'createChangeStream' && builtin !== 'live') return undefined
  return model[builtin] === persistedStatics[builtin] ? openers[builtin] : undefined
}

const openers = {
  createChangeStream: (context: RemoteContext): MaybePromise<Readable> => {
    const { where } = (context.args.options ?? {}) as { where?: unknown }
    const last = Number(context.request.headers['last-event-id'] ?? NaN)
    const options: ChangeStreamOptions = { where, ...(Number.isSafeInteger(last) ? { after: last } : {}) }
    return openStream(context.method.model, options, context.options)
  },
  live: async ({ args, method: { model }, request, options }: RemoteContext): Promise<Readable> => {
    mustHaveHooksOfFind(model)
    const { openLiveQuery } = await import('@fastback/core/live')
    const last = request.headers['last-event-id']
    return await openLiveQuery(model, args.filter, options, typeof last === 'string' ? last : undefined)
  }
}
