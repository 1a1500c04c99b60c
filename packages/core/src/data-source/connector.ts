/**
 * What a data store must offer. A connector knows the query AST and nothing of HTTP; it gets rows whose values have
 * their property's type and gives back rows of the same kind. Whatever the store, the responses must equal those of
 * `@fastback/connector-memory` (the shared suite in `@fastback/connector-tests` checks that).
 */
import type { Condition, OrderTerm, Query, Selection } from '../query/ast.js'
import type { PropertyDefinition } from '../definition/definition.js'
import type { CompiledProperty, StoredModel } from '../definition/stored-model.js'
import type { Row } from '../properties/types.js'
import type { MaybePromise } from '../maybe-promise.js'
import type { BusOffer } from '../bus/bus.js'
import type { Around } from '../observers.js'
import type { DiscoveredModel, DiscoveryOptions } from './discovered-schema.js'
import type { Explanation, StoreRead, StoreStatement } from './explanation.js'
import type { MigrationOptions, PlanSupport } from './migration-plan.js'
import type { PolicySupport } from './row-policies.js'
import type { Author, Deletion, Ending, StoreOptions } from './store-options.js'
import type { TextSupport } from './text-support.js'
import type { StoredAggregation, StoredResult } from './aggregation.js'

export type { Author, Deletion, Ending, StoreOptions }

/** An id as the store has it: text, number or bigint. Never an object, a list or a pattern (security.md, S-01). */
export type Id = string | number | bigint

/** What a pool of connections has to do. */
export interface PoolUsage {
  /** Connections that work is done on. */
  readonly used: number
  /** How many there may be. */
  readonly size: number
  /** Statements and transactions that wait for one. */
  readonly waiting: number
}

export interface Connector {
  /**
   * Where definitions keep what belongs to this kind of store, `postgresql` in `{ "postgresql": { "table": … } }`.
   * Default: `name`.
   */
  readonly settingsKey?: string
  /** Models of what the store holds already (discovery.md, DI-11). */
  discover?(options: DiscoveryOptions): Promise<DiscoveredModel[]>
  /** Short name used in messages and settings: `memory`, `sql`, … */
  readonly name: string

  /** Opens what must be open before the first operation. Called once, before any `attach`ed model is used. */
  connect(): MaybePromise<void>
  /**
   * Present where the connector works with rows of other data sources: ends that work. Called before any data source is
   * closed.
   */
  leave?(): MaybePromise<void>
  /** Closes everything, waits for writes that were acknowledged. */
  disconnect(): MaybePromise<void>
  /** Connections of a pool; undefined where there is none, or it is not open. */
  poolUsage?(): PoolUsage | undefined
  /** A cheap round trip; rejects when the store cannot be reached. */
  ping(): MaybePromise<void>

  /**
   * Makes a model known. Called when a model is attached and again whenever its compiled form changes (a property was
   * defined late): what was prepared for the earlier form must be forgotten. Must not touch the store.
   */
  attach(model: StoredModel): void

  /**
   * What happens to tables at start when the data source does not say (`migrate`): `update` for embedded stores, `none`
   * for servers.
   */
  readonly defaultMigration: 'none' | 'update' | 'reset'

  /** Type of the ids that this store generates: `number` (SQL, memory) or `string`. */
  readonly generatedIdType: 'number' | 'string'
  /**
   * Whether a generated id has the type that its definition names all the same, since the definition says how the store
   * keeps it: a UUID in a column of that type. Default: never.
   */
  keepsIdType?(property: PropertyDefinition): boolean

  /**
   * Stores one row and returns it with its generated id. Throws `DuplicateIdError` (409) when the id is taken,
   * `UniqueError` when a unique index refuses. Number ids are never used twice, also after deletes.
   */
  create(model: StoredModel, row: Row, options: StoreOptions): MaybePromise<Row>
  /** Stores all rows or none. */
  createMany(model: StoredModel, rows: readonly Row[], options: StoreOptions): MaybePromise<Row[]>

  /**
   * Rows of `query` with the properties of `query.select` (and no others). `query.include` is none of the connector's
   * business. Default order: by id ascending.
   */
  find(model: StoredModel, query: Query, options: StoreOptions): MaybePromise<Row[]>
  /** The row with this id, or undefined. */
  findById(model: StoredModel, id: Id, select: Selection, options: StoreOptions): MaybePromise<Row | undefined>
  count(model: StoredModel, where: Condition | undefined, options: StoreOptions): MaybePromise<number>
  /**
   * Whether conditions go on to somebody who may not keep to them. Those of rules of access are marked then
   * (`byRules`), and the connector looks at the rows again (security.md, S-200). Default: false.
   */
  readonly handsConditionsOn?: boolean

  /**
   * Sets `changes` on every matching row and returns how many matched. `undefined` in `changes` removes the value.
   * Never contains the id.
   */
  updateAll(model: StoredModel, where: Condition | undefined, changes: Row, options: StoreOptions): MaybePromise<number>
  /**
   * Sets `changes` on the row with this id and returns the whole row after the change, in one step where the store can
   * (`UPDATE … RETURNING`); undefined when there is no such row.
   */
  updateById(model: StoredModel, id: Id, changes: Row, options: StoreOptions): MaybePromise<Row | undefined>
  /** Replaces the row with this id: what is not in `row` is gone. Returns the row, or undefined when there is none. */
  replaceById(model: StoredModel, id: Id, row: Row, options: StoreOptions): MaybePromise<Row | undefined>
  /** Finds the first match of `query`, or creates `row`; atomic against other calls on this store. */
  findOrCreate(
    model: StoredModel,
    query: Query,
    row: Row,
    options: StoreOptions
  ): MaybePromise<{ row: Row; created: boolean }>

  /**
   * Whether the store answers this condition, which has `linked` parts (`LinkedCondition`), by itself. Absent: it never
   * does, and keys of related rows are read first. All models of the parts are in the same data source.
   * @param isWrite whether the condition is of an update or a delete
   */
  supportsLinks?(model: StoredModel, condition: Condition, isWrite: boolean, options: StoreOptions): boolean
  /** Whether the store puts rows in this order itself, which has `LinkedOrder` terms. Absent: it never does. */
  supportsLinkedOrder?(model: StoredModel, order: readonly OrderTerm[], options: StoreOptions): boolean
  /**
   * What groups of rows come to. Undefined, as where the method is absent: the store does not say it as JavaScript does
   * (`query/aggregate-rows.ts`), and the rows are read.
   */
  aggregate?(
    model: StoredModel, aggregation: StoredAggregation, options: StoreOptions
  ): MaybePromise<readonly StoredResult[] | undefined>

  /** Removes matching rows and returns how many. */
  deleteAll(model: StoredModel, where: Condition | undefined, options: StoreOptions): MaybePromise<number>

  /** Brings the store's tables to the models without losing rows: creates tables, adds columns and indexes. */
  autoupdate(models: readonly StoredModel[], options?: MigrationOptions): MaybePromise<void>
  /** Drops and creates the tables of the models. */
  automigrate(models: readonly StoredModel[]): MaybePromise<void>
  /** Whether `autoupdate` would change nothing. */
  isActual(models: readonly StoredModel[]): MaybePromise<boolean>
  /** Present where rows are in tables that can lack what a model needs. Without it there is nothing to plan. */
  readonly plans?: PlanSupport | undefined
  /** Present where the database itself can narrow rows by policies. */
  readonly policies?: PolicySupport | undefined
  /** Whether work for callers is done as somebody whom policies bind (`StoreOptions.caller`). Default: false. */
  readonly narrowsCallers?: boolean

  /**
   * Present where rows have their ids before they are stored, if they ever are. Rows that are embedded in others are
   * given one then.
   */
  generateId?(model: StoredModel): Id
  /**
   * Present where the store gives out generated ids before rows are stored: as many as are asked for, none of them ever
   * given out again. Rows are then created with them.
   */
  reserveIds?(model: StoredModel, count: number, options: StoreOptions): MaybePromise<readonly Id[]>

  /** Whether the store keeps versions (`StoredModel.version`). Models that have one need it. Default: false. */
  readonly keepsVersions?: boolean
  /**
   * Whether the locks of `StoreOptions.lock` hold until the transaction ends, `'shared'` ones as well. Default: false.
   */
  readonly holdsLocks?: boolean
  /** Present where the store has transactions. */
  readonly transactions?: TransactionSupport | undefined
  /**
   * Present where the store can write JSON text from its raw values faster than through row objects. The text must
   * equal `JSON.stringify` of the rows that `find` would give (dates as ISO text), keys in any order. Values of
   * the type `buffer` are Base64, with `bytes: "loopback"` of their type what Node's `Buffer#toJSON` gives.
   */
  readonly text?: TextSupport
  /** Present where each operation gives its result at once, so that several can be one without waiting. */
  readonly units?: UnitSupport | undefined
  /** Present where several rows can be written in one step. */
  readonly together?: TogetherSupport
  /** Present where sets of rows can be written by one statement that gives them. */
  readonly sets?: SetSupport
  /** The base of models that name none, where it is not `PersistedModel`: what the store is for. */
  readonly modelBase?: string | undefined
  /** Present where the store keeps values by key, for models that extend `KeyValueModel`. */
  readonly keyValue?: KeyValueSupport | undefined

  /**
   * Present where the connector can keep the files of properties of the type `file`: what stands between the model's
   * operations and `store`, in the place of the store's own functions. Called for each model that names the data source
   * in `storage` of properties; whatever the values of these are set to, the store gets references.
   * @param within how the transaction ends that `store` is bound to, where it is
   */
  keepFiles? (properties: readonly CompiledProperty[], store: Connector, within: Ending | undefined): Partial<Connector>

  /**
   * Present where the connector sends requests of its own, such as statements: tells it by what to tell observers of
   * each (`connector.observe('before execute', …)`), and undefined when none is left. Without it, they are told of
   * operations.
   */
  observed? (around: Around | undefined): void

  /**
   * Present where the store can say how it answers a read: its plan, and which rows it looks at. Asked after the read,
   * with what was sent for it where the connector sends requests of its own; it changes nothing, and may read again.
   */
  explain? (read: StoreRead, statement: StoreStatement | undefined): MaybePromise<Explanation>

  /**
   * Called once, with the data source that the connector was made for, for connectors that bring functions of their own
   * to models (`registry.on('modelAttached', …)`) or to the data source.
   */
  joined? (dataSource: JoinedDataSource): void

  /** Whether copies of the store answer reads: operations then say whose they are, and what a copy may answer. */
  readonly replicated?: boolean

  /** Whether work is cheaper that is done with what else comes in a tick of the event loop: operations say which. */
  readonly worksByTurn?: boolean

  /** Present where what the connector keeps can tell other processes what happened (`@fastback/core/bus`). */
  readonly bus?: BusOffer | undefined
}

/** What a connector sees of the data source that it was made for. */
export interface JoinedDataSource {
  readonly name: string
  readonly registry: {
    /** Told of every model (a `ModelClass`) that is attached to a data source, this one or another. */
    on (event: 'modelAttached', listener: (Model: unknown) => void): unknown
    /** A model by name. */
    findModel (name: string): unknown
  }
}

/** How a transaction begins. `timeout` is in milliseconds. */
export interface TransactionBeginning {
  readonly isolationLevel?: string | undefined
  readonly timeout?: number | undefined
  readonly brittle?: boolean | undefined
}

export interface TransactionSupport {
  /** With `brittle`, whoever begins it rolls it back after the first error: nothing need be usable after one. */
  begin (options: TransactionBeginning): MaybePromise<unknown>
  commit (transaction: unknown): MaybePromise<void>
  rollback (transaction: unknown): MaybePromise<void>
  /**
   * Present where a part of a transaction can be taken back by itself: begins one. Parts of the same transaction come
   * one after the other, and those within a part end before it does.
   */
  savepoint? (transaction: unknown): MaybePromise<Savepoint>
}

/** A part of a transaction: one of the two is called, once. */
export interface Savepoint {
  /** What was done in it is part of the transaction. */
  keep (): MaybePromise<void>
  /** Takes back what was done in it. The transaction can be used. */
  undo (): MaybePromise<void>
}

/** Operations that are one, in a transaction that nothing waits in. */
export interface UnitSupport {
  /**
   * Does all of `work` or nothing: now, or where `ofThisTick` says so with the other writes of a tick, in one commit.
   * Then it may be done twice, the first time being undone: it changes nothing but the store.
   * @param models whose operations `work` calls
   * @param work gets the options for them (`transaction`, which ends with it); what it gives is no promise
   */
  run<T> (models: readonly StoredModel[], options: StoreOptions, work: (within: StoreOptions) => T): MaybePromise<T>
}

/** Writes of several rows in one step: in SQL one statement, or one transaction that nothing waits in. */
export interface TogetherSupport {
  /**
   * Stores rows of one model or several, all or none. `kept` is a row that is there: nobody changes it until they are
   * stored (as with `lock: 'shared'`), and the properties `keptAs` get its value.
   * @param rows at least one
   * @returns the first of them as it is stored, perhaps without that value; undefined where nothing was stored: there
   * is no such row, or they cannot be stored so, or the store would make another row of the first
   */
  create (rows: readonly NewRow[], kept: StoredValue, options: StoreOptions): MaybePromise<Row | undefined>
  /** Stores whole rows, each with its id, in the place of those that are there; all or none. */
  put (model: StoredModel, rows: readonly Row[], options: StoreOptions): MaybePromise<void>
  /**
   * Stores a row with a number that is one more than the largest of those it is counted among, or 1; that number.
   * Absent, or undefined: this one the store cannot do so, and nothing was stored.
   * @param row without the number, with the value that it is counted by
   */
  createNext? (
    model: StoredModel, row: Row, counting: Counting, options: StoreOptions
  ): MaybePromise<number | undefined>
}

/** By what rows are counted. */
export interface Counting {
  /** The property of the number. */
  readonly property: string
  /** The one that all rows have in common that are counted. */
  readonly among: string
  /** Whether the number is wanted. Default: yes; else stores need not look it up, and give 0. */
  readonly returned?: boolean
}

/**
 * Writes of sets of rows, each by one statement that gives the rows. Undefined: this one the store cannot do so, and
 * has not begun it.
 */
export interface SetSupport {
  /** Sets `changes` on every matching row, as `updateAll` does; the rows as they are after it, in no order. */
  update (
    model: StoredModel, where: Condition | undefined, changes: Row, options: StoreOptions
  ): MaybePromise<readonly Row[] | undefined>
  /** Removes every matching row, as `deleteAll` does; the rows as they were, in no order. */
  delete (
    model: StoredModel, where: Condition | undefined, options: StoreOptions
  ): MaybePromise<readonly Row[] | undefined>
  /**
   * Stores rows, and where one with the same values of a unique key is there, sets some of the values on it; all rows
   * or none. The rows as they are after it, in no order.
   * @param rows at least one, all with the same properties, and no two with the same key
   */
  upsert (
    model: StoredModel, rows: readonly Row[], merge: Merge, options: StoreOptions
  ): MaybePromise<readonly Row[] | undefined>
}

/** What a row that is there has in common with a new one, and what it gets of it: names of properties. */
export interface Merge { readonly key: readonly string[], readonly changed: readonly string[] }

export interface NewRow {
  readonly model: StoredModel
  readonly row: Row
  /** The property that gets the value of the row that is kept; perhaps in `row` itself, which is the store's then. */
  readonly keptAs?: string
}

/** A value of a row that is there. */
export interface StoredValue { readonly model: StoredModel, readonly id: Id, readonly property: string }

/**
 * Values by key, each model with keys of its own. Values are what JSON has; `get` gives a value that nobody else holds.
 * Times are whole milliseconds.
 */
export interface KeyValueSupport {
  /** The value, or undefined when there is no such key or its time is over. */
  get (model: StoredModel, key: string): MaybePromise<unknown>
  /** Sets a value, in place of any earlier one and of its time. Without `ttl` it stays. */
  set (model: StoredModel, key: string, value: unknown, ttl: number | undefined): MaybePromise<void>
  /** Milliseconds that the key has left; null when it stays; undefined when there is no such key. */
  ttl (model: StoredModel, key: string): MaybePromise<number | null | undefined>
  /** Gives a key another time. False when there is no such key. */
  expire (model: StoredModel, key: string, ttl: number): MaybePromise<boolean>
  /** False when there was no such key. */
  delete (model: StoredModel, key: string): MaybePromise<boolean>
  deleteAll (model: StoredModel): MaybePromise<void>
  /**
   * Each key once, in no particular order. `match` is a glob: `*` any run of characters, `?` one character
   * (`compileGlob`).
   */
  keys (model: StoredModel, match: string | undefined): Iterable<string> | AsyncIterable<string>
}

/** Settings of one data source, as in `datasources.json`. Connectors read their own keys. */
export interface DataSourceSettings {
  readonly name?: string
  readonly connector: string | ConnectorFactory
  readonly url?: string
  /**
   * What happens to tables at start: nothing, bring up to date, or drop and create. Default: the connector's (`update`
   * for SQLite, else `none`).
   */
  readonly migrate?: 'none' | 'update' | 'reset'
  readonly [key: string]: unknown
}

/**
 * Makes a connector from a data source's settings. Throws `FBK_CORE_DATA_SOURCE_SETTINGS` for settings it cannot use.
 */
export type ConnectorFactory = (settings: DataSourceSettings, context: ConnectorContext) => Connector

export interface ConnectorContext {
  /** Name of the data source, for messages. */
  readonly dataSource: string
  /**
   * Folder that relative file names are resolved against (the application's `server` folder, else the working
   * directory).
   */
  readonly baseDir: string
  /** How many processes serve the application (`fastback serve --workers`). Default: 1. */
  readonly processes?: number
  readonly log: ConnectorLog
}

/** The part of pino's logger that connectors may use. */
export interface ConnectorLog {
  warn (details: object, message: string): void
  info (details: object, message: string): void
  debug (details: object, message: string): void
}
