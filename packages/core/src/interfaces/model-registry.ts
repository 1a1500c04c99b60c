/** The registry as models and those who are given one know it. */
import type { Bus, BusDriverFactory } from '../bus/bus.js'
import type { PendingOperations } from '../pending-operations.js'
import type { CallersPromises } from './callers-promises.js'
import type { EventEmitter } from 'node:events'
import type { ConnectorRegistry } from '../data-source/connector-registry.js'
import type { ConnectorFactory, ConnectorLog, DataSourceSettings } from '../data-source/connector.js'
import type { DataSource } from './data-source.js'
import type { ModelDefinitionInput } from '../definition/definition.js'
import type { MaybePromise } from '../maybe-promise.js'
import type { Mixin, MixinRegistry } from '../mixins.js'
import type { QueryLimits } from '../query/limits.js'
import type { ParseModes } from '../query/parse-modes.js'
import type { Validators } from '../schemas/validators.js'
import type { WrittenDefinition } from '../typed/define-model.js'
import type { ClassOf, ModelNamed, RuledModels } from '../typed/model.js'
import type { Acting } from '../typed/ruled.js'
import type { CompiledModel } from './compiled-model.js'
import type { ModelClass, ModelFacts } from './model-class.js'
import type { ModelState, RemoteHook } from './model-state.js'

export interface AttachOptions {
  /** Whether the model is published over REST. */
  public?: boolean
  /** Settings that override those of the definition (`model-config.json`, `options`). */
  settings?: Record<string, unknown>
}

export interface DefineOptions {
  /** Where the definition was written, for messages. */
  source?: string
  /**
   * True: a model of the same name gives it up. Who holds its class keeps it, and relations to the name lead to the new
   * one.
   */
  replaces?: boolean
  /** True: nobody finds the model by its name. */
  unlisted?: boolean
  /** Completes the class, before others are told of it (`modelDefined`): methods, hooks, validations. */
  setUp?: (Model: ModelClass) => void
}

/** What a server says of a registry that was made before. */
export interface AdoptedOptions {
  log?: ConnectorLog
  settings?: Record<string, unknown> | undefined
  baseDir?: string | undefined
}

/**
 * Members that packages add to registries, for programs that import them:
 *
 * ```ts
 * declare module '@fastback/core' {
 *   interface RegistryExtensions { readonly jobs: Jobs }
 * }
 * ```
 */
export interface RegistryExtensions {}

/**
 * The models of one application and the data sources they live in. Works without Fastify:
 *
 * ```js
 * const registry = new ModelRegistry()
 * registry.connectors.register('memory', memoryConnector)
 * registry.defineDataSource('db', { connector: 'memory' })
 * const Note = registry.defineModel({ name: 'Note', base: 'PersistedModel', properties: { title: 'string' } })
 * registry.attach(Note, 'db')
 * await registry.start()
 * await Note.create({ title: 'hello' })
 * ```
 *
 * Events: `modelDefined`, `modelAttached`, `modelChanged` (each with the class), `closing` (before all models are
 * compiled, so that listeners may still complete definitions), `started`, `stopped`.
 */
export interface ModelRegistry extends EventEmitter, RegistryExtensions {
  /** Model classes by any name, untyped; `app.models` has the types that `ModelTypes` says. */
  readonly models: Record<string, ModelClass>
  /**
   * Models that obey the rules of access of a caller as a request does: calls that are refused, rows that the caller
   * may not see, properties that they may not read or set. For jobs, GraphQL and tests. They give plain rows, and have
   * the operations that the model shares. `@fastback/acl` knows the rules.
   *
   * ```js
   * const mine = await app.registry.as({ user: 7 }).Note.find({ where: { done: false } })
   * ```
   * @throws FBK_CORE_NO_RULES without that package
   */
  as (caller: Acting): RuledModels
  readonly dataSources: Record<string, DataSource>
  readonly connectors: ConnectorRegistry
  readonly mixins: MixinRegistry
  /**
   * What other processes are told, and tell: in-process unless the setting `bus` says otherwise. Connected by `start`,
   * left by `stop`.
   */
  readonly bus: Bus
  /** What carries the bus, by the names that the setting `bus` uses. */
  readonly busDrivers: Map<string, BusDriverFactory>
  /** Application-wide settings. Where several applications share the models, those of the one that was made last. */
  settings: Record<string, unknown>
  /** Remote hooks of the whole application (`app.remotes().before('**', …)`). */
  readonly remoteHooks: RemoteHook[]
  /** Compiled JSON Schemas, shared by models and transports. */
  readonly validators: Validators
  readonly log: ConnectorLog
  /** Folder that file names in data source settings are relative to; set it before data sources are defined. */
  baseDir: string
  /** How many processes serve the application: pools of connections are made smaller by it. Default: 1. */
  processes: number
  /** Counts the operations of its models while it is set: what boot scripts begin and do not wait for. */
  pending: PendingOperations | undefined
  /**
   * Asked for bases that are not defined, before a model that extends one is refused: for anyone who defines built-in
   * models when they are first asked for.
   */
  lookUp: ((name: string) => ModelClass | undefined) | undefined
  /**
   * What promises the operations of its models and data sources give to application code; native ones by default.
   *
   * ```js
   * registry.promises = promise => Bluebird.resolve(promise)
   * ```
   */
  promises: CallersPromises | undefined

  /**
   * Defines a model. Its base must be defined before; the default base is `PersistedModel`.
   * @param input JSON form or the result of `defineModel`
   * @throws FBK_CORE_INVALID_DEFINITION, FBK_CORE_UNKNOWN_BASE, FBK_CORE_DUPLICATE_MODEL, FBK_CORE_UNDEFINED_MIXIN
   */
  defineModel<
    const D extends ModelDefinitionInput,
    const N,
    const B,
    const P,
    const Relations,
    const S,
    const Accepts,
    const Returns
  >(
    input: WrittenDefinition<D, N, B, P, Relations, S, Accepts, Returns>,
    options?: DefineOptions
  ): ClassOf<D>
  /**
   * Defines several models, bases before those that extend them, whatever the order of the list.
   * @throws as `defineModel`; FBK_CORE_INVALID_DEFINITION for models that extend one another in a circle
   */
  defineModels (definitions: ReadonlyArray<{ input: ModelDefinitionInput; source?: string }>): ModelClass[]
  /** Takes a model's name away; who holds its class keeps it. Does nothing where there is none. */
  removeModel (name: string): void
  /** Applies the mixins of a model that were not applied yet; a data source does so when the model is attached. */
  applyMixins (Model: ModelClass): void
  /** The model of this name, or undefined. */
  findModel (name: string): ModelClass | undefined
  /** @throws FBK_CORE_UNKNOWN_MODEL, with the nearest name that exists */
  getModel<const N extends string> (name: N): ModelNamed<N>
  /**
   * The model that stands in for a built-in one: the first attached model that extends it, else the built-in model
   * itself.
   */
  getModelByType (type: string | ModelFacts): ModelClass | undefined
  /** The models that extend one, at whatever distance, in the order of their definitions. */
  modelsExtending (base: string | ModelFacts): ModelClass[]
  /**
   * What a package keeps with this registry, so that two applications in a process share nothing: made when it is first
   * asked for.
   *
   * ```ts
   * const kJobs = Symbol('jobs')
   * const jobsOf = (registry: ModelRegistry): Map<string, Job> => registry.slot(kJobs, () => new Map())
   * ```
   */
  slot<T> (key: symbol, make: () => T): T
  /** Makes a mixin known by a name. Models that are defined afterwards may use it. */
  defineMixin (name: string, mixin: Mixin): void
  /**
   * Makes a data source. The connector is opened by `connect()`.
   * @throws FBK_CORE_UNKNOWN_CONNECTOR, FBK_CORE_DATA_SOURCE_SETTINGS
   */
  defineDataSource (
    name: string,
    settings: DataSourceSettings | { connector: string | ConnectorFactory; [key: string]: unknown }
  ): DataSource
  /**
   * Opens a data source once the code that runs has ended, as LoopBack does with those that code makes; not where it
   * has `lazyConnect: true`. A failure is its event `error`, or a warning where nobody listens; nothing is migrated.
   */
  openSoon (dataSource: DataSource): void
  /**
   * Attaches a model to a data source (or to none: `null`), and says whether it is published.
   * @throws FBK_CORE_UNKNOWN_MODEL, FBK_CORE_UNKNOWN_DATA_SOURCE
   */
  attach (model: string | ModelFacts, dataSource: string | DataSource | null, options?: AttachOptions): ModelClass
  /** Compiles a model; `Model.compiled` is the way to ask for it. */
  compile (state: ModelState): CompiledModel
  /**
   * Compiles every model, adds the properties that relations need, and throws the first definition error. Relations to
   * models that are not there are left out until there are. Further models may still be defined; call it again then.
   */
  close (): void
  /** Whether `close` was called: all models are taken to be there, unless more come. */
  readonly isClosed: boolean
  /**
   * Opens a data source that an operation needs before anybody opened it, and brings its tables to what `migrate` says:
   * code that starts nothing uses its models at once. All models are taken to be there, unless more come.
   */
  prepare (dataSource: DataSource): MaybePromise<void>
  /**
   * Opens all data sources and brings their tables to what `migrate` of each says; models that were migrated before are
   * left alone. Done when it returns where all stores answer at once.
   */
  connect (): MaybePromise<void>
  /**
   * Brings the tables of models that were attached to open data sources since `connect` to what `migrate` of each says:
   * at once where the store answers at once, so that code which attaches models can use them in the next line.
   */
  migrateAttached (): MaybePromise<void>
  /**
   * Checks and compiles all models, then opens all data sources; again after `stop`, too.
   * @throws as `close`; the store's error where one cannot be reached
   */
  start (): Promise<void>
  /** Closes all data sources. Safe to call twice. */
  stop (): Promise<void>
  /** Lets models and data sources be defined after `stop`, for anyone who starts it again. */
  reopen (): void
  /** How much a query from outside may ask for: the setting `queryLimits`, as it was when a model was compiled. */
  readonly queryLimits: QueryLimits
  /** How filters are read, with these limits. */
  readonly parsing: ParseModes
  /**
   * Refuses settings that cannot be, where they were set after the registry was made: else the first query would.
   * @throws FBK_CORE_INVALID_DEFINITION
   */
  checkSettings (): void
  /**
   * Takes over what a server says of the registry that it is given: settings that the registry does not have, a folder
   * where none was said and no data source is made yet, and a log where it has none. What waited for the log is told.
   * @throws FBK_CORE_REGISTRY_CONFLICT for what contradicts the registry
   */
  adopt (options: AdoptedOptions): void
}
