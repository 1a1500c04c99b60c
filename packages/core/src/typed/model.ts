/** The face of a model class and its instances for typed code. At run time it is the class that the registry made. */
import type { Readable } from 'node:stream'
import type { ChangeStreamOptions } from '../changes/options.js'
import type { ModelClass, ModelFacts } from '../interfaces/model-class.js'
import type { OperationCallback } from '../callbacks.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import type { Transaction, TransactionOptions, TransactionSettings } from '../data-source/transaction.js'
import type { Aggregated, AggregateFilter, DistinctRow, KnownAggregate } from './aggregate.js'
import type { ClassFunctions } from './class-functions.js'
import type { Declarators } from './declarators.js'
import type {
  BuiltinModelTypes,
  CreateType,
  Definition,
  DEFINITION,
  IdOf,
  IsClosed,
  IsList,
  ModelTypes,
  PatchType,
  RelationName,
  RootOf,
  RowType,
  Target
} from './definitions.js'
import type { Distinct, Filter, Known, Where } from './filter.js'
import type { KeyValueStatics } from './key-value.js'
import type { OwnMethods, OwnStatics } from './methods.js'
import type { IncludedRows, Picked, Result } from './result.js'
import type { RowVersion } from '../interfaces/row-version.js'
import type { RuledModel, UntypedRuledModel } from './ruled.js'

type Options = OperationOptions

/** An operation's two forms: a promise, or a trailing callback and nothing returned. */
interface Operation<Args extends unknown[], T> {
  (...args: Args): Promise<T>
  (...args: [...Args, OperationCallback<T>]): void
}

/** Operations on a related list: `order.items.create({ … })`. Called, it loads (or gives what include loaded). */
export interface ListOperations<D extends Definition> {
  create (data: ReadonlyArray<CreateType<D>>, options?: Options): Promise<Array<Instance<D>>>
  create (data: CreateType<D>, options?: Options): Promise<Instance<D>>
  build (data?: Partial<CreateType<D>>): Instance<D>
  find <const F extends Filter<D>>(filter?: F & Known<D, F>, options?: Options): Promise<Array<Instance<D, F>>>
  findOne <const F extends Filter<D>>(filter?: F & Known<D, F>, options?: Options): Promise<Instance<D, F> | null>
  /** @throws 404 */
  findById (id: IdOf<D>, options?: Options): Promise<Instance<D>>
  updateById (id: IdOf<D>, data: PatchType<D>, options?: Options): Promise<Instance<D>>
  /** hasMany only. */
  updateAll (where: Where<D>, data: PatchType<D>, options?: Options): Promise<{ count: number }>
  destroy (id: IdOf<D>, options?: Options): Promise<unknown>
  destroyById (id: IdOf<D>, options?: Options): Promise<unknown>
  destroyAll (where?: Where<D>, options?: Options): Promise<unknown>
  exists (id: IdOf<D>, options?: Options): Promise<boolean>
  count (where?: Where<D>, options?: Options): Promise<number>
  /** Lists of keys and joined lists. `data`: properties of the joining row. */
  add (target: IdOf<D> | Instance<D>, data?: Readonly<Record<string, unknown>>, options?: Options): Promise<unknown>
  remove (target: IdOf<D> | Instance<D>, options?: Options): Promise<unknown>
  getAsync (options?: Options): Promise<Array<Instance<D>>>
}

/** Operations on a single related row. */
export interface OneOperations<D extends Definition> {
  create (data: CreateType<D>, options?: Options): Promise<Instance<D>>
  build (data?: Partial<CreateType<D>>): Instance<D>
  update (data: PatchType<D>, options?: Options): Promise<Instance<D>>
  destroy (options?: Options): Promise<unknown>
  get (options?: Options): Promise<Instance<D> | null>
  getAsync (options?: Options): Promise<Instance<D> | null>
}

/** What include loaded is at hand; anything else is a promise. */
type Accessor<D extends Definition, R extends string, F> =
  IsList<D, R> extends true
    ? ListOperations<Target<D, R>> &
        (R extends keyof IncludedRows<F>
          ? () => Array<Instance<Target<D, R>, IncludedRows<F>[R]>>
          : (filter?: Filter<Target<D, R>>) => Promise<Array<Instance<Target<D, R>>>>)
    : OneOperations<Target<D, R>> &
        (R extends keyof IncludedRows<F>
          ? () => Instance<Target<D, R>, IncludedRows<F>[R]> | undefined
          : (refresh?: boolean) => Promise<Instance<Target<D, R>> | null>)

/** Methods that every instance has. */
interface PlainMethods<D extends Definition, F = {}> {
  isValid(): boolean | Promise<boolean>
  getId(): IdOf<D>
  /** The data with hidden properties, as a plain object. */
  toObject(onlySchema?: boolean, removeHidden?: boolean, removeProtected?: boolean): Result<D, F>
  /** What clients see. */
  toJSON(): Result<D, F>
}

/** Methods of instances of connected models. */
export interface InstanceMethods<D extends Definition, F = {}> extends PlainMethods<D, F> {
  save(options?: Options): Promise<Instance<D>>
  patchAttributes(data: PatchType<D>, options?: Options): Promise<Instance<D>>
  updateAttributes(data: PatchType<D>, options?: Options): Promise<Instance<D>>
  updateAttribute<K extends keyof PatchType<D>>(
    name: K,
    value: PatchType<D>[K],
    options?: Options
  ): Promise<Instance<D>>
  replaceAttributes(data: CreateType<D>, options?: Options): Promise<Instance<D>>
  destroy(options?: Options): Promise<{ count: number }>
  reload(options?: Options): Promise<Instance<D>>
  isNewRecord(): boolean
}

type MethodsOf<D extends Definition, F> =
  RootOf<D> extends 'PersistedModel' ? InstanceMethods<D, F> : PlainMethods<D, F>

/** An instance of a read with filter `F`: the row's properties, its relations, the methods. */
export type Instance<D extends Definition, F = {}> =
  Picked<RowType<D>, F> & { readonly [R in RelationName<D>]: Accessor<D, R, F> } & MethodsOf<D, F> & OwnMethods<D>

/** What every model class has. */
interface AnyStatics<D extends Definition> extends ModelFacts, ClassFunctions, Declarators<D> {
  new (data?: Partial<CreateType<D>>): Instance<D>
  readonly modelName: D['name']
  /** For the compiler alone: nothing is there at run time. */
  readonly [DEFINITION]: D
}

type RootStatics<D extends Definition> =
  RootOf<D> extends 'PersistedModel' ? PersistedStatics<D> : RootOf<D> extends 'KeyValueModel' ? KeyValueStatics : unknown

/** A model class. */
export type Model<D extends Definition> = AnyStatics<D> & RootStatics<D> & OwnStatics<D>

/** What a read gives: instances, or values in place of rows. */
type Found<D extends Definition, F> = F extends Distinct ? DistinctRow<D, F> : Instance<D, F>

/** Rows in order, with the cursors of the pages beside them. */
export interface Page<Row> {
  readonly rows: Row[]
  /** For `after`; undefined where no row follows. */
  readonly next: string | undefined
  /** For `before`; undefined where no row comes first. */
  readonly prev: string | undefined
}

/** Which rows a bulk write is for: one of the first three. */
export interface BulkRows<D extends Definition> {
  readonly ids?: ReadonlyArray<IdOf<D>>
  readonly where?: Where<D>
  readonly all?: true
  /** Whether the rows are given as well. Default: `count`. */
  readonly return?: 'count' | 'rows'
}

export interface BulkUpsert<D extends Definition> {
  readonly rows: ReadonlyArray<PatchType<D> & { [K in keyof RowType<D>]?: unknown }>
  /** The key by which rows are found. Default: the id. */
  readonly by?: ReadonlyArray<keyof RowType<D> & string>
  readonly return?: 'count' | 'rows'
}

export interface BulkResult<D extends Definition> {
  readonly count: number
  /** Present with `return: 'rows'`. */
  readonly rows?: Array<Instance<D>>
}

/** Operations of connected models. */
interface PersistedStatics<D extends Definition> {
  create: {
    (data: CreateType<D>, options?: Options): Promise<Instance<D>>
    (data: ReadonlyArray<CreateType<D>>, options?: Options): Promise<Array<Instance<D>>>
    (data: CreateType<D>, callback: OperationCallback<Instance<D>>): void
  }
  find: {
    <const F extends Filter<D>>(filter?: F & Known<D, F>, options?: Options): Promise<Array<Found<D, F>>>
    (filter: Filter<D>, callback: OperationCallback<Array<Instance<D>>>): void
  }
  /** A page with cursors: `next` and `prev` for `after` and `before` of a filter, undefined at the ends. */
  findPage: {
    <const F extends Filter<D>>(filter?: F & Known<D, F>, options?: Options): Promise<Page<Instance<D, F>>>
    (filter: Filter<D>, callback: OperationCallback<Page<Instance<D>>>): void
  }
  findOne: {
    <const F extends Filter<D>>(filter?: F & Known<D, F>, options?: Options): Promise<Instance<D, F> | null>
    (filter: Filter<D>, callback: OperationCallback<Instance<D> | null>): void
  }
  findById: {
    <const F extends Pick<Filter<D>, 'fields' | 'include'>>(
      id: IdOf<D>,
      filter?: F & Known<D, F>,
      options?: Options
    ): Promise<Instance<D, F> | null>
    (id: IdOf<D>, callback: OperationCallback<Instance<D> | null>): void
  }
  findByIds<const F extends Filter<D>>(
    ids: ReadonlyArray<IdOf<D>>,
    filter?: F & Known<D, F>,
    options?: Options
  ): Promise<Array<Instance<D, F>>>
  findOrCreate(filter: Filter<D>, data: CreateType<D>, options?: Options): Promise<[Instance<D>, boolean]>
  exists: Operation<[id: IdOf<D>], boolean>
  aggregate<const F extends AggregateFilter<D>>(
    filter: F & KnownAggregate<D, F>, options?: Options
  ): Promise<Array<Aggregated<D, F>>>
  count: {
    (where?: Where<D>, options?: Options): Promise<number>
    (where: Where<D>, callback: OperationCallback<number>): void
  }
  updateAll(where: Where<D>, data: PatchType<D>, options?: Options): Promise<{ count: number }>
  updateOrCreate(data: PatchType<D> & { [K in keyof RowType<D>]?: unknown }, options?: Options): Promise<Instance<D>>
  upsert(data: PatchType<D> & { [K in keyof RowType<D>]?: unknown }, options?: Options): Promise<Instance<D>>
  upsertWithWhere(where: Where<D>, data: PatchType<D>, options?: Options): Promise<Instance<D>>
  replaceOrCreate(data: CreateType<D> & { [K in keyof RowType<D>]?: unknown }, options?: Options): Promise<Instance<D>>
  replaceById(id: IdOf<D>, data: CreateType<D>, options?: Options): Promise<Instance<D>>
  /** Sets values on many rows: those with these ids, those of a condition, or all. */
  bulkPatch(
    request: BulkRows<D> & { readonly data: PatchType<D> }, options?: Options
  ): Promise<BulkResult<D>>
  bulkDelete(request: BulkRows<D>, options?: Options): Promise<BulkResult<D>>
  /** Changes the rows that have the key of these (`by`; default: the id), and creates the others. */
  bulkUpsert(request: BulkUpsert<D>, options?: Options): Promise<BulkResult<D>>
  destroyAll(where?: Where<D>, options?: Options): Promise<{ count: number }>
  destroyById: Operation<[id: IdOf<D>], { count: number }>
  deleteById: Operation<[id: IdOf<D>], { count: number }>
  /** Of a model with `softDelete`: brings a row back that was put away. */
  restoreById: Operation<[id: IdOf<D>], Instance<D>>
  /** Of a model with `history`: the versions of a row, the oldest first. */
  historyOf (id: IdOf<D>, page?: { limit?: number, skip?: number }, options?: Options): Promise<RowVersion[]>
  /** Of a model with `history`: writes a row as it was after a version. */
  revert (id: IdOf<D>, version: number, options?: Options): Promise<Instance<D>>
  /** Of a model with `softDelete`: removes rows for good that were put away. */
  purge: Operation<[which?: { readonly before?: Date }], { count: number }>
  removeById: Operation<[id: IdOf<D>], { count: number }>
  deleteAll(where?: Where<D>, options?: Options): Promise<{ count: number }>
  patchById(id: IdOf<D>, data: PatchType<D>, options?: Options): Promise<Instance<D>>
  patchOrCreate(data: PatchType<D> & { [K in keyof RowType<D>]?: unknown }, options?: Options): Promise<Instance<D>>
  patchOrCreateWithWhere(where: Where<D>, data: PatchType<D>, options?: Options): Promise<Instance<D>>
  /**
   * Commits what `work` did when its promise is kept, and rolls it back otherwise. With `transaction`, in a part of
   * that one, behind a savepoint.
   */
  transaction<T>(
    work: (options: { transaction: Transaction }) => Promise<T>,
    options?: TransactionOptions & { readonly transaction?: Transaction }
  ): Promise<T>
  beginTransaction(options?: TransactionSettings): Promise<Transaction>
  createChangeStream(options?: ChangeStreamOptions): Promise<Readable>
  /** Events of the rows of a filter and of what changes in them: `{ event: 'rows' | 'changes', id, data }`. */
  live(filter?: Filter<D>, options?: Options): Promise<Readable>
}

/** The class of a definition. One that is not closed takes any name, as LoopBack's models do. */
export type ClassOf<D extends Definition> = IsClosed<D> extends true ? Model<D> : Model<D> & ModelClass

/** Model classes by name, typed by their definitions: `TypedModels<{ Note: typeof Note }>`. */
export type TypedModels<Types> = {
  readonly [K in keyof Types]: Types[K] extends Definition ? ClassOf<Types[K]> : never
}

type KnownTypes = ModelTypes & Omit<BuiltinModelTypes, keyof ModelTypes>
type IsSaid = [keyof ModelTypes] extends [never] ? false : true

/**
 * What `app.models` is: the models that `ModelTypes` names, and built-in ones. While it names none, any, untyped.
 * `registry.findModel(name)` looks for one whose name is not known.
 */
export type Models = IsSaid extends true ? TypedModels<KnownTypes> : Record<string, ModelClass>

type DefinitionOf<M> = M extends { readonly [DEFINITION]: infer D extends Definition } ? D : never

/** The models of `Models` for one caller: what `registry.as` gives. */
export type RuledModels = {
  readonly [K in keyof Models]: [DefinitionOf<Models[K]>] extends [never]
    ? UntypedRuledModel
    : RuledModel<DefinitionOf<Models[K]>>
}

/** Names of models, as `ModelTypes` has them. */
export type ModelName = IsSaid extends true ? keyof KnownTypes & string : string
/** The class of a model by its name. */
export type ModelNamed<N extends string> = N extends keyof Models ? Models[N] : ModelClass
