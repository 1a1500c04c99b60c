/** Models that obey the rules of a caller, as `registry.as` gives them: operations that give plain rows. */
import type { Readable } from 'node:stream'
import type { ChangeStreamOptions } from '../changes/options.js'
import type { Aggregated, AggregateFilter, DistinctRow, KnownAggregate } from './aggregate.js'
import type { CreateType, Definition, IdOf, PatchType, RowType } from './definitions.js'
import type { Distinct, Filter, Known, Where } from './filter.js'
import type { Result } from './result.js'

/** Who acts: a user by id or row, a token, or an application by its id. `user: null`: somebody who is not logged in. */
export type Acting =
  | { readonly user: unknown, /** With several user models: the name of the user's. */ readonly userModel?: string }
  | { readonly token: unknown }
  | { readonly appId: unknown }

type FoundRow<D extends Definition, F> = F extends Distinct ? DistinctRow<D, F> : Result<D, F>
type WithId<D extends Definition> = PatchType<D> & { [K in keyof RowType<D>]?: unknown }

/** The operations of a model, for one caller. They give rows as clients see them, without methods. */
export interface RuledModel<D extends Definition> {
  create: {
    (data: CreateType<D>): Promise<Result<D>>
    (data: ReadonlyArray<CreateType<D>>): Promise<Array<Result<D>>>
  }
  find<const F extends Filter<D>>(filter?: F & Known<D, F>): Promise<Array<FoundRow<D, F>>>
  findOne<const F extends Filter<D>>(filter?: F & Known<D, F>): Promise<Result<D, F> | null>
  /** null for a row that is not there, and for one that the caller may not see. */
  findById<const F extends Pick<Filter<D>, 'fields' | 'include'>>(
    id: IdOf<D>, filter?: F & Known<D, F>
  ): Promise<Result<D, F> | null>
  exists(id: IdOf<D>): Promise<boolean>
  count(where?: Where<D>): Promise<number>
  aggregate<const F extends AggregateFilter<D>>(filter: F & KnownAggregate<D, F>): Promise<Array<Aggregated<D, F>>>
  /** @throws RequestError 404 for a row that is not there, or that the caller may not write */
  patchById(id: IdOf<D>, data: PatchType<D>): Promise<Result<D>>
  replaceById(id: IdOf<D>, data: CreateType<D>): Promise<Result<D>>
  patchOrCreate(data: WithId<D>): Promise<Result<D>>
  replaceOrCreate(data: CreateType<D> & { [K in keyof RowType<D>]?: unknown }): Promise<Result<D>>
  upsertWithWhere(where: Where<D>, data: PatchType<D>): Promise<Result<D>>
  updateAll(where: Where<D>, data: PatchType<D>): Promise<{ count: number }>
  deleteById(id: IdOf<D>): Promise<{ count: number }>
  createChangeStream(options?: ChangeStreamOptions): Promise<Readable>
}

type AnyRow = Record<string, any>

/** The same of a model whose definition is not known. */
export interface UntypedRuledModel {
  create(data: object): Promise<any>
  find(filter?: object): Promise<AnyRow[]>
  findOne(filter?: object): Promise<AnyRow | null>
  findById(id: unknown, filter?: object): Promise<AnyRow | null>
  exists(id: unknown): Promise<boolean>
  count(where?: object): Promise<number>
  aggregate(filter: object): Promise<AnyRow[]>
  patchById(id: unknown, data: object): Promise<AnyRow>
  replaceById(id: unknown, data: object): Promise<AnyRow>
  patchOrCreate(data: object): Promise<AnyRow>
  replaceOrCreate(data: object): Promise<AnyRow>
  upsertWithWhere(where: object, data: object): Promise<AnyRow>
  updateAll(where: object, data: object): Promise<{ count: number }>
  deleteById(id: unknown): Promise<{ count: number }>
  createChangeStream(options?: ChangeStreamOptions): Promise<Readable>
}
