/** What a client is made with. */
import type { ConflictPolicy } from './engine/conflict-policy.js'
import type { ServerOptions } from './engine/transport.js'
import type { Dates } from './query/read-where.js'
import type { Where } from './query/filter-types.js'
import type { Store } from './store.js'
import { ClientError } from './errors.js'
import type { SyncedModel } from './engine/push.js'

export type { ServerOptions }

/** Row types by the names of their models: those of the generated client, or any interfaces. */
export type RowTypes<M> = { readonly [K in keyof M]: object }

/** How a model is synced. */
export interface ModelOptions<R> {
  /** Path of the model below `baseUrl`. Default: `/` and the name with an s: `/Notes`. */
  readonly path?: string
  /** The id property. Default: `id`. Rows that are made without one get a UUID. */
  readonly id?: keyof R & string
  /** Which rows come down; the others stay at the server. Default: all that the user may read. */
  readonly where?: Where<R>
  /** Whose row stays where the server reports a conflict. Default: `manual`. */
  readonly conflict?: ConflictPolicy<R>
  /** Properties whose texts are instants: filters then compare them as such, however written. Default: none. */
  readonly dates?: ReadonlyArray<keyof R & string>
}

export interface ClientOptions<M extends RowTypes<M>> extends ServerOptions {
  /** The models; rows of those that come first go up first. */
  readonly models: { readonly [K in keyof M]: ModelOptions<M[K]> }
  /** Where rows, waiting writes and cursors are kept. */
  readonly store: Store
  /** Whose rows these are. The store of one user is not opened for another (SYD-34). Default: nobody's. */
  readonly user?: string | number
  /** The version of the rows that the application is made for (`sync.version` of the server). Default: none. */
  readonly version?: number
  /**
   * Brings a row of an older version to this one; undefined drops it, and it comes from the server again. Waiting
   * writes are brought along. Default: all rows that nothing waits for come from the server again.
   */
  readonly migrate?: (
    model: keyof M & string, row: Record<string, unknown>, from: number | null
  ) => Record<string, unknown> | undefined
  /** What tabs of one store know each other by. Default: the name of the store. */
  readonly name?: string
  /** Whether it syncs by itself: at the start, after writes, when the line is back. Default: true. Else by `sync()`. */
  readonly automatic?: boolean
  /** Whether the server's streams are listened to: of the first three models, in one tab. Default: as `automatic`. */
  readonly live?: boolean
  /** Milliseconds between two looks at the server, besides what the streams tell. Default: 60,000. */
  readonly pollInterval?: number
  /** Milliseconds to wait after a failure, first and at most; twice as long each time. Default: 1,000 and 300,000. */
  readonly retry?: { readonly first?: number, readonly most?: number }
  /** Changes of one push, 1 to 1,000, and rows of one pull. Default: 100 and 1,000. */
  readonly batch?: { readonly push?: number, readonly pull?: number }
  /** Milliseconds that a response may take. Default: 30,000. */
  readonly timeout?: number
}

/** A model with its defaults. */
export interface Model extends SyncedModel {
  readonly id: string
  readonly dates: Dates
}

/** What the client's own members are called: no model can. */
const taken = ['state', 'conflicts', 'refused', 'sync', 'close', 'signOut', 'ready', 'then']

const policies: readonly unknown[] = ['client', 'server', 'fields', 'manual']

/** @throws ClientError BAD_OPTIONS */
export function modelsOf (options: ClientOptions<any>): Model[] {
  const entries = Object.entries(options.models as Record<string, ModelOptions<any>>)
  return entries.map(([name, { path = `/${name}s`, id = 'id', where, conflict = 'manual', dates = [] }]) => {
    if (taken.includes(name)) throw new ClientError('BAD_OPTIONS', `A client cannot have a model "${name}": it has that name itself.`)
    if (typeof conflict !== 'function' && !policies.includes(conflict)) {
      throw new ClientError('BAD_OPTIONS', `The conflict policy of "${name}" is none of ${policies.join(', ')}, nor a function.`)
    }
    return { name, path, id, conflict, dates: new Set(dates), filter: where === undefined ? undefined : { where } }
  })
}
