/** Live queries of a server: `@fastback/client/live`. */
import type { Retry } from '../engine/timers.js'
import { Transport, type ServerOptions } from '../engine/transport.js'
import type { CallOptions, LiveOptions } from '../model-api.js'
import type { RowTypes } from '../options.js'
import type { Filter } from '../query/filter-types.js'
import { followRows } from './live-rows.js'

/** A filter as `find` of the server has it. Relations are named by members of the row's type. */
export interface LiveFilter<R> extends Filter<R> {
  readonly fields?: ReadonlyArray<keyof R & string> | undefined
  readonly include?: (keyof R & string) | ReadonlyArray<keyof R & string> | ReadonlyArray<object> | undefined
}

type Named<I> = I extends string ? I : I extends ReadonlyArray<infer Each> ? Each & string : never
type Chosen<R, F> = F extends { readonly fields: ReadonlyArray<infer K> } ? Pick<R, K & keyof R> : R

/** A row with what `fields` leaves of it, and with what `include` brings. */
export type LiveRow<R, F> = F extends { readonly include: infer I }
  ? Chosen<R, F> & { [K in Named<I> & keyof R]-?: NonNullable<R[K]> }
  : Chosen<R, F>

export interface LiveModel<R extends object> {
  /**
   * The rows that fit, and again whenever they are others, until the loop or the signal ends it.
   * @throws ClientError UNAUTHORIZED, REQUEST_FAILED where the server refuses the filter
   */
  live<const F extends LiveFilter<R>> (filter?: F, options?: CallOptions): AsyncGenerator<Array<LiveRow<R, F>>, void>
  /** The same for a listener. @returns what ends it */
  live<const F extends LiveFilter<R>> (
    filter: F | undefined, listener: (rows: Array<LiveRow<R, F>>) => void, options?: LiveOptions
  ): () => void
}

export type LiveClient<M extends RowTypes<M>> = { readonly [K in keyof M]: LiveModel<M[K]> }

export interface LiveClientOptions<M extends RowTypes<M>> extends ServerOptions {
  /** The models, with their paths. Default of a path: `/` and the name with an s, `/Notes`. */
  readonly models: { readonly [K in keyof M]: { readonly path?: string } }
  /** Milliseconds after a lost connection. Default: `{ first: 1_000, most: 30_000 }`. */
  readonly retry?: Partial<Retry> | undefined
}

/**
 * Makes a client for live queries: rows of the server as they are now and as they become. Nothing is stored, and
 * nothing of it works without a connection; for that there is `createClient` of `@fastback/client`.
 *
 * ```js
 * const client = createLiveClient({ baseUrl: 'https://example.com/api', token: () => token, models: { Order: {} } })
 * for await (const orders of client.Order.live({ where: { open: true }, order: 'at DESC', limit: 20 })) {
 *   render(orders)
 * }
 * ```
 */
export function createLiveClient<M extends RowTypes<M>> (options: LiveClientOptions<M>): LiveClient<M> {
  const transport = new Transport(options, Infinity)
  const retry = { first: options.retry?.first ?? 1_000, most: options.retry?.most ?? 30_000 }
  const models = Object.entries(options.models) as Array<[string, { readonly path?: string }]>
  return Object.fromEntries(models.map(([name, { path = `/${name}s` }]) =>
    [name, liveModel(transport, path, retry)])) as unknown as LiveClient<M>
}

type Listener = (rows: object[]) => void

function liveModel (transport: Transport, path: string, retry: Retry): object {
  const follow = (filter: object | undefined, { signal = new AbortController().signal }: CallOptions) =>
    followRows(transport, { path, filter, retry, signal })
  const listen = (filter: object | undefined, listener: Listener, { signal, onError }: LiveOptions): (() => void) => {
    const end = new AbortController()
    const all = signal === undefined ? end.signal : AbortSignal.any([end.signal, signal])
    const run = async (): Promise<void> => {
      for await (const rows of follow(filter, { signal: all })) {
        if (all.aborted) return
        listener(rows)
      }
    }
    run().catch((error: unknown) => { if (!all.aborted) onError?.(error) })
    return () => { end.abort() }
  }
  return {
    live: (filter?: object, second: Listener | CallOptions = {}, options: LiveOptions = {}) =>
      typeof second === 'function' ? listen(filter, second, options) : follow(filter, second)
  }
}
