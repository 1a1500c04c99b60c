/** The remote methods of a model by name, with what they take and give, as remote hooks see them. */
import type { Readable } from 'node:stream'
import type { RowVersion } from '../interfaces/row-version.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import type {
  CreateType, Definition, IdOf, IsClosed, IsUnknown, PatchType, RelationName, RootOf, RowType
} from './definitions.js'
import type { AggregateFilter } from './aggregate.js'
import type { Filter, Where } from './filter.js'
import type { OwnCalls, RemoteCall } from './methods.js'
import type { BulkResult, BulkRows, BulkUpsert, Instance } from './model.js'

type Call<Args, Result> = { args: Args & { options?: OperationOptions }, result: Result }

/** Data of a row that may have its id. */
type WithId<D extends Definition, Data> = Data & { [K in keyof RowType<D>]?: unknown }

interface PersistedCalls<D extends Definition> {
  create: Call<{ data: CreateType<D> | Array<CreateType<D>> }, Instance<D>>
  find: Call<{ filter?: Filter<D> }, Array<Instance<D>>>
  findOne: Call<{ filter?: Filter<D> }, Instance<D> | null>
  findById: Call<{ id: IdOf<D>, filter?: Pick<Filter<D>, 'fields' | 'include' | 'deleted'> }, Instance<D> | null>
  exists: Call<{ id: IdOf<D> }, { exists: boolean }>
  aggregate: Call<{ filter: AggregateFilter<D> }, Array<Record<string, unknown>>>
  count: Call<{ where?: Where<D> }, { count: number }>
  updateAll: Call<{ where: Where<D>, data: PatchType<D> }, { count: number }>
  upsertWithWhere: Call<{ where: Where<D>, data: PatchType<D> }, Instance<D>>
  patchOrCreate: Call<{ data: WithId<D, PatchType<D>> }, Instance<D>>
  replaceOrCreate: Call<{ data: WithId<D, CreateType<D>> }, Instance<D>>
  replaceById: Call<{ id: IdOf<D>, data: CreateType<D> }, Instance<D>>
  deleteById: Call<{ id: IdOf<D> }, { count: number }>
  bulkPatch: Call<{ request: BulkRows<D> & { readonly data: PatchType<D> } }, BulkResult<D>>
  bulkDelete: Call<{ request: BulkRows<D> }, BulkResult<D>>
  bulkUpsert: Call<{ request: BulkUpsert<D> }, BulkResult<D>>
  'prototype.patchAttributes': Call<{ data: PatchType<D> }, Instance<D>>
  createChangeStream: Call<{}, Readable>
  live: Call<{ filter?: Filter<D> }, Readable>
  historyOf: Call<{ id: IdOf<D>, filter?: { limit?: number, skip?: number } }, RowVersion[]>
  revert: Call<{ id: IdOf<D>, version: number }, Instance<D>>
  restoreById: Call<{ id: IdOf<D> }, Instance<D>>
}

/** Other names of the same. */
interface Aliases {
  update: 'updateAll'
  upsert: 'patchOrCreate'
  updateOrCreate: 'patchOrCreate'
  patchOrCreateWithWhere: 'upsertWithWhere'
  destroyById: 'deleteById'
  removeById: 'deleteById'
  restore: 'restoreById'
  history: 'historyOf'
  'prototype.updateAttributes': 'prototype.patchAttributes'
}

interface KeyValueCalls {
  get: { args: { key: string }, result: unknown }
  set: { args: { key: string, value: unknown, ttl?: number }, result: unknown }
  expire: { args: { key: string, ttl: number }, result: unknown }
  ttl: { args: { key: string }, result: unknown }
  keys: { args: { filter?: { match?: string } }, result: string[] }
}

type RootCalls<D extends Definition> =
  RootOf<D> extends 'PersistedModel' ? PersistedCalls<D> : RootOf<D> extends 'KeyValueModel' ? KeyValueCalls : {}
type RootAlias<D extends Definition> = RootOf<D> extends 'PersistedModel' ? keyof Aliases : never

type RelationVerb =
  'get' | 'create' | 'update' | 'delete' | 'destroy' | 'count' | 'findById' | 'updateById' | 'destroyById' | 'exists' |
  'link' | 'unlink' | 'patchAttributes'
type KnownName<D extends Definition> =
  | (keyof OwnCalls<D> & string)
  | (keyof RootCalls<D> & string)
  | RootAlias<D>
  | `prototype.__${RelationVerb}__${RelationName<D>}`

/** Several methods: `*`, `prototype.*`, `**`, `*.save`. */
type Pattern = `${string}*${string}`

/**
 * Names of a model's remote methods; `prototype.` stands before those of instances. Models that are not closed take any
 * name.
 */
export type MethodName<D extends Definition> = IsUnknown<D> extends true
  ? string
  : KnownName<D> | (IsClosed<D> extends true ? never : string & {})

/** What hooks name: a method, or a pattern. */
export type MethodPattern<D extends Definition> = MethodName<D> | Pattern

/** A call that nobody declared. */
export type AnyCall = { args: Record<string, unknown>, result: unknown }
type Of<Calls, M> = M extends keyof Calls ? Calls[M] extends RemoteCall ? Calls[M] : AnyCall : never

/** The call of a method; of a pattern, or of a name that nobody declared, any. */
export type CallOf<D extends Definition, M extends string> =
  IsUnknown<D> extends true ? AnyCall
    : M extends keyof OwnCalls<D> ? Of<OwnCalls<D>, M>
      : M extends keyof RootCalls<D> ? Of<RootCalls<D>, M>
        : M extends keyof Aliases ? Of<RootCalls<D>, Aliases[M]>
          : AnyCall
