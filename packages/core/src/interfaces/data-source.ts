/** The data source, and the builder of its models, as models and those who are given one know them. */
import type { EventEmitter } from 'node:events'
import type { OperationCallback } from '../callbacks.js'
import type { AmbientTransactions } from '../data-source/ambient-transactions.js'
import type { Connector, DataSourceSettings, TransactionSupport } from '../data-source/connector.js'
import type {
  DiscoveredColumn, DiscoveredForeignKey, DiscoveredKey, DiscoveredModel, DiscoveryOptions, Schema
} from '../data-source/discovered-schema.js'
import type { MigrationOptions, MigrationPlan, MissingTable } from '../data-source/migration-plan.js'
import type { Transaction, TransactionOptions, TransactionSettings } from '../data-source/transaction.js'
import type { Queues } from '../data-source/queues.js'
import type { DefinedModel } from '../definition/defined-model.js'
import type { ModelDefinitionInput, PropertyDefinition, RelationDefinition } from '../definition/definition.js'
import type { StoredModel } from '../definition/stored-model.js'
import type { MaybePromise } from '../maybe-promise.js'
import type { MixinRegistry } from '../mixins.js'
import type { Models } from '../typed/model.js'
import type { ModelClass } from './model-class.js'
import type { ModelRegistry } from './model-registry.js'

type Properties = Readonly<Record<string, unknown>>
type Settings = Readonly<Record<string, unknown>>
type Names = string | string[]
/** `(…, options?, callback?)`: a promise without a callback. */
type Discover<A extends unknown[], T> = (
  ...args: [...A, options?: DiscoveryOptions | null | OperationCallback<T>, callback?: OperationCallback<T>]
) => Promise<T> | undefined

/** The models of the data source as they work in the transaction; typed as `app.models`. */
export type TransactionModels = Readonly<Models>
/** Gives a promise, or calls `done`. */
export type TransactionWork<T = unknown> = (
  models: TransactionModels, done: (error?: unknown, result?: T) => void
) => MaybePromise<T>

/** Where names of models, and objects of members, get their classes. */
export interface ClassSource {
  findModel (name: string): ModelClass | undefined
  /** The class of an object of members; it has no name that others could use. */
  anonymous (members: object): ModelClass
}

/** Defines models of no data source in particular; `dataSource.attach(Model)` gives them one. */
export interface ModelBuilder extends EventEmitter, ClassSource {
  readonly registry: ModelRegistry
  /** Settings that hold for all its models where they say nothing: `strictEmbeddedModels`. */
  readonly settings: Record<string, unknown>
  /** What models extend that name no base. */
  defaultModelBaseClass: ModelClass | undefined
  /** Model classes by name. */
  readonly models: Record<string, ModelClass>
  /** Their definitions by name. */
  readonly definitions: Record<string, DefinedModel>
  readonly mixins: MixinRegistry
  /**
   * Defines a model. One that had the name gives it up, as in LoopBack.
   * @param parent the model that it extends; `settings.base` may say it as well
   * @throws as `registry.defineModel`
   */
  define (name: string, properties?: Properties, settings?: Settings, parent?: ModelClass): ModelClass
  /** The constructor of a type: `'string'` is `String`, `['Note']` a list of the class. */
  resolveType (type: unknown): unknown
  /** Makes a constructor known as a type of properties. */
  defineValueType (type: Function): void
  /**
   * A class with the rows of another one, in a data source of its own.
   * @param listed whether it has the model's name here, where no other has it
   */
  copyModel (Master: ModelClass, listed?: boolean): ModelClass
  /** The model of this name, or undefined. */
  getModel (name: string): ModelClass | undefined
  getModelDefinition (name: string): DefinedModel | undefined
  /** Adds or changes a property of a model. @throws FBK_CORE_UNKNOWN_MODEL */
  defineProperty (model: string, property: string, definition: unknown): void
  /** Adds properties to a model. @throws FBK_CORE_UNKNOWN_MODEL */
  extendModel (model: string, properties: Properties): void
  /** Forgets a model; who holds its class keeps it. */
  deleteModelByName (name: string): void
  /**
   * Defines models of schemas, `{ name, properties, options }` each; an object of properties alone is one that is named
   * here.
   * @param define defines each of them (default: this)
   * @returns the models by name
   */
  buildModels (
    schemas: unknown, define?: (name: string, properties: Properties, options: Settings) => ModelClass
  ): Record<string, ModelClass>
  /** Defines a model with the properties that an example has. */
  buildModelFromInstance (name: string, example: object, settings?: Settings): ModelClass
  /** A name, or one that no other model has. */
  getSchemaName (name?: string): string
}

/** One function of connected models, as `dataSource.operations()` tells it. */
export interface DataSourceOperation {
  readonly name: string
  readonly fnName: string
  /** True for a function of instances. */
  readonly prototype?: true
  readonly enabled: boolean
  /** Whether models share it over REST, as far as this data source decides. */
  readonly remoteEnabled: boolean
  readonly accepts: unknown
  readonly returns: unknown
  readonly http: unknown
  /** The class or the prototype that has it. */
  readonly scope: object
  readonly fn: (...args: never[]) => unknown
}

/**
 * A named connection of models to a store. `registry.defineDataSource` makes one. Emits
 * `connected` when it is open, and `disconnected` when it no longer is.
 */
export interface DataSource extends EventEmitter {
  readonly registry: ModelRegistry
  readonly modelBuilder: ModelBuilder
  readonly name: string
  readonly settings: DataSourceSettings
  readonly connector: Connector
  /** LoopBack's other name of the connector. */
  readonly adapter: Connector
  /** What operations use: the connector, or one that opens it first. */
  readonly store: Connector
  /** Transactions that operations with hooks open by themselves. */
  readonly ambient: AmbientTransactions
  /** Of the data source of a transaction: a model of the same store, as it works in the transaction. */
  readonly inTransaction?: (Model: ModelClass) => ModelClass | undefined
  /** Writes that have to wait for each other, beyond what the store's transactions do. */
  readonly edits: Queues
  /** Whether the connector has been opened. */
  readonly isOpen: boolean
  readonly connected: boolean
  readonly connecting: boolean
  /** Whether the connector has been made; it is, with the data source. */
  readonly initialized: boolean
  /** Models attached to this data source. */
  readonly attached: ModelClass[]
  /** All models of the registry by name, as LoopBack has it. */
  readonly models: Record<string, ModelClass>
  readonly definitions: Record<string, DefinedModel>
  /** Called by the registry; use `attach`. */
  add (Model: ModelClass): void
  /** Called by the registry when a model moves to another data source. */
  remove (Model: ModelClass): void
  connect (callback?: OperationCallback): Promise<void> | undefined
  /** The same, done when it returns where the store opens at once. */
  open (): MaybePromise<void>
  /** Called by `registry.openSoon`: the first operation still does what `migrate` says. */
  openUnasked (): MaybePromise<void>
  disconnect (callback?: OperationCallback): Promise<void> | undefined
  ping (callback?: OperationCallback): Promise<void> | undefined
  autoupdate (models?: Names | OperationCallback, callback?: OperationCallback): Promise<void> | undefined
  automigrate (models?: Names | OperationCallback, callback?: OperationCallback): Promise<void> | undefined
  isActual (
    models?: Names | OperationCallback<boolean>, callback?: OperationCallback<boolean>
  ): Promise<boolean> | undefined
  /** What separates the tables from the models. Nothing is changed; stores without tables have nothing to plan. */
  plan (options?: MigrationOptions): Promise<MigrationPlan>
  /** Models whose tables are not there: operations on them answer 503. Empty for stores without tables. */
  missing (): Promise<MissingTable[]>
  createModel (name: string | ModelDefinitionInput, properties?: Properties, settings?: Settings): ModelClass
  define (name: string | ModelDefinitionInput, properties?: Properties, settings?: Settings): ModelClass
  attach (Model: ModelClass): void
  defineRelations (Model: ModelClass, relations: Readonly<Record<string, RelationDefinition>>): void
  getModel (name: string): ModelClass | undefined
  getModelDefinition (name: string): DefinedModel | undefined
  defineProperty (model: string, property: string, definition: unknown): void
  deleteModelByName (name: string): void
  deleteAllModels (): void
  copyModel (Master: ModelClass): ModelClass
  buildModelFromInstance (name: string, example: object, settings?: Properties): ModelClass
  idName (model: string): string | undefined
  idNames (model: string): string[]
  idProperty (model: string): PropertyDefinition | undefined
  tableName (model: string): string | undefined
  columnName (model: string, property?: string): string | undefined
  columnNames (model: string): string[] | undefined
  columnMetadata (model: string, property?: string): unknown
  idColumnName (model: string): string | undefined
  defineForeignKey (model: string, key: string, foreignModel: string, primaryKey?: string): void
  isRelational (): boolean
  getTypes (): readonly string[]
  supportTypes (types: string | readonly string[]): boolean
  getMaxOfflineRequests (): number
  freeze (): void
  /** Takes an operation of all models here, also of later ones, out of what they share. */
  disableRemote (operation: string): void
  enableRemote (operation: string): void
  /** Functions that connected models have, by name; `remoteEnabled` where they are shared. */
  operations (): Record<string, DataSourceOperation>
  /** Adds to what `operations()` tells: a function that a connector gives models. */
  defineOperation (name: string, options: object, fn: (...args: never[]) => unknown): void
  getOperation (name: string): DataSourceOperation | undefined
  execute (...command: unknown[]): unknown
  beginTransaction (
    options?: TransactionSettings | string | OperationCallback<Transaction>, callback?: OperationCallback<Transaction>
  ): Promise<Transaction> | undefined
  transaction<T>(execute: TransactionWork<T>, options?: TransactionOptions): Promise<T>
  transaction (
    execute?: TransactionWork, options?: TransactionOptions | OperationCallback, callback?: OperationCallback
  ): unknown
  /** Models of the tables that the store has, with relations both ways. */
  discover (options?: DiscoveryOptions): Promise<DiscoveredModel[]>
  discoverDatabaseSchemas: Discover<[], unknown>
  discoverModelIndexes: Discover<[table: string], unknown>
  /** Tables and views. This and the following throw FBK_DISCOVERY_UNSUPPORTED where the connector cannot say. */
  discoverModelDefinitions: Discover<[], unknown>
  discoverModelDefinitionsSync (options?: DiscoveryOptions | null): unknown
  /** Columns of a table. */
  discoverModelProperties: Discover<[table: string], DiscoveredColumn[]>
  discoverModelPropertiesSync (table: string, options?: DiscoveryOptions | null): DiscoveredColumn[]
  /** Columns of a table's key. */
  discoverPrimaryKeys: Discover<[table: string], DiscoveredKey[]>
  discoverPrimaryKeysSync (table: string, options?: DiscoveryOptions | null): DiscoveredKey[]
  /** Foreign keys of a table. */
  discoverForeignKeys: Discover<[table: string], DiscoveredForeignKey[]>
  discoverForeignKeysSync (table: string, options?: DiscoveryOptions | null): DiscoveredForeignKey[]
  /** Foreign keys of others that lead to a table. */
  discoverExportedForeignKeys: Discover<[table: string], unknown>
  discoverExportedForeignKeysSync (table: string, options?: DiscoveryOptions | null): unknown
  /** The schema of one table. */
  discoverSchema: Discover<[table: string], Schema>
  /** Schemas by `owner.table`: of a table and, with `relations`, of those that its foreign keys lead to. */
  discoverSchemas: Discover<[table: string], Record<string, Schema>>
  discoverSchemasSync (table: string, options?: DiscoveryOptions | null): Record<string, Schema>
  /** Discovers tables and defines their models here, by name. */
  discoverAndBuildModels: Discover<[table: string], Record<string, ModelClass>>
  discoverAndBuildModelsSync (table: string, options?: DiscoveryOptions | null): Record<string, ModelClass>
  /** @throws FBK_CORE_DATA_SOURCE_SETTINGS when the store has none */
  transactions (): TransactionSupport
  /** The stored models among those attached (or those given, by name or class), made known to the connector. */
  storedModels (given?: string | ReadonlyArray<string | ModelClass>): StoredModel[]
}
