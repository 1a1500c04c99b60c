/**
 * The registry, as applications know it: models (`registered-models.ts`), the data sources that they live in, settings,
 * and the stages from the first definition to the end (`lifecycle.ts`).
 */
import { EventEmitter } from 'node:events'
import type { BusDriverFactory } from './bus/bus.js'
import { RegistryBus } from './bus/registry-bus.js'
import { accessReviewIn } from './contracts/access-review.js'
import type { ConnectorFactory, ConnectorLog, DataSourceSettings } from './data-source/connector.js'
import { ConnectorRegistry } from './data-source/connector-registry.js'
import { DataSource } from './data-source/data-source.js'
import { mustKeepVersions } from './data-source/keeps-versions.js'
import type { ModelDefinitionInput } from './definition/definition.js'
import { eachInOrder, type SourcedDefinition } from './definition/in-order.js'
import { NoRulesError, UnknownDataSourceError } from './errors.js'
import { attachHistory } from './history/history-model.js'
import { lookNowAndThen } from './history/upkeep.js'
import type { CallersPromises } from './interfaces/callers-promises.js'
import type { CompiledModel } from './interfaces/compiled-model.js'
import type { ModelClass } from './interfaces/model-class.js'
import type {
  AdoptedOptions, AttachOptions, DefineOptions, ModelRegistry as RegistryInterface
} from './interfaces/model-registry.js'
import type { ModelState, RemoteHook } from './interfaces/model-state.js'
import { Lifecycle } from './lifecycle.js'
import { BufferedLog } from './logging/buffered-log.js'
import type { MaybePromise } from './maybe-promise.js'
import { MixinRegistry, type Mixin } from './mixins.js'
import { compileModel } from './model/compile.js'
import { aliasId } from './model/id-alias.js'
import { nearest } from './nearest.js'
import type { PendingOperations } from './pending-operations.js'
import { CurrentLimits } from './query/current-limits.js'
import type { QueryLimits } from './query/limits.js'
import type { ParseModes } from './query/parse-modes.js'
import { refuseConflicts } from './refuse-conflicts.js'
import { RegisteredModels } from './registered-models.js'
import { implyProperties } from './relations/implied-properties.js'
import { Validators } from './schemas/validators.js'
import type { ModelNamed, RuledModels } from './typed/model.js'
import type { Acting } from './typed/ruled.js'

export interface RegistryOptions {
  /** Where warnings go. Default: to the log of the server that the registry is given to. */
  log?: ConnectorLog
  /** Application-wide settings, read by models through `registry.settings`. */
  settings?: Record<string, unknown>
  /** Folder that file names in data source settings are relative to. Default: the working directory. */
  baseDir?: string
  /**
   * Whether `models` lists the models that all others extend (`Model`, `PersistedModel`, `KeyValueModel`). Without them
   * their names are free for others. Default: true.
   */
  listsRoots?: boolean
  /** The setting `bus`, where the settings say nothing. Default: false. */
  bus?: unknown
}

export type ModelRegistry = RegistryInterface

/**
 * Makes a registry; the interface says what its members do.
 *
 * ```js
 * const registry = new ModelRegistry({ settings: { queryLimits: { depth: 6 } } })
 * registry.defineDataSource('db', { connector: memoryConnector })
 * const Note = registry.defineModel({ name: 'Note', properties: { title: 'string' } })
 * registry.attach(Note, 'db')
 * await registry.start()
 * ```
 * @param options `log`: where warnings go (default: the server's log, once there is one); `settings`: application-wide
 * settings; `baseDir`: the folder of file names in data source settings (default: the working directory)
 * @throws FBK_CORE_INVALID_DEFINITION for `settings.queryLimits` that cannot be
 */
// eslint-disable-next-line @typescript-eslint/no-redeclare -- a type and its constructor, as Map has them
export const ModelRegistry: new (options?: RegistryOptions) => ModelRegistry =
class ModelRegistry extends EventEmitter implements RegistryInterface {
  readonly #registered = new RegisteredModels(this)
  readonly models: Record<string, ModelClass> = this.#registered.byName
  readonly dataSources: Record<string, DataSource> = Object.create(null)
  readonly connectors = new ConnectorRegistry()
  readonly mixins = new MixinRegistry()
  readonly busDrivers = new Map<string, BusDriverFactory>()
  readonly defaultBus: unknown
  readonly bus: RegistryBus = new RegistryBus(this)
  settings: Record<string, unknown>
  readonly remoteHooks: RemoteHook[] = []
  readonly validators = new Validators()
  readonly log: ConnectorLog
  baseDir: string
  processes = 1
  pending: PendingOperations | undefined
  lookUp: ((name: string) => ModelClass | undefined) | undefined
  promises: CallersPromises | undefined
  readonly #limits = new CurrentLimits()
  readonly #lifecycle: Lifecycle
  readonly #slots = new Map<symbol, unknown>()
  readonly #listsRoots: boolean
  readonly #hasBaseDir: boolean

  constructor (options: RegistryOptions = {}) {
    super()
    this.on('modelAttached', attachHistory)
    lookNowAndThen(this)
    this.setMaxListeners(0)
    this.log = options.log ?? new BufferedLog()
    this.#hasBaseDir = options.baseDir !== undefined
    this.settings = options.settings ?? {}
    this.defaultBus = options.bus
    this.#listsRoots = options.listsRoots !== false
    this.baseDir = options.baseDir ?? process.cwd()
    this.checkSettings()
    this.#lifecycle = new Lifecycle(this, this.bus)
    this.#registered.defineRoots(this.#listsRoots)
  }

  // Models

  /** The interface types it by the definition, which is not looked at here. */
  defineModel (input: ModelDefinitionInput, options: DefineOptions = {}): never {
    this.#lifecycle.mustBeOpen('defineModel')
    return this.#registered.define(input, options) as never
  }

  defineModels (definitions: readonly SourcedDefinition[]): ModelClass[] {
    eachInOrder(definitions, ({ input, source }) => {
      this.defineModel(input, source === undefined ? {} : { source })
    })
    return definitions.map(({ input }) => this.getModel(input.name))
  }

  removeModel (name: string): void {
    this.#registered.remove(name)
  }

  findModel (name: string): ModelClass | undefined {
    return this.models[name]
  }

  getModel<const N extends string> (name: N): ModelNamed<N>
  getModel (name: string): ModelClass {
    return this.#registered.get(name)
  }

  getModelByType (type: string | ModelClass): ModelClass | undefined {
    return this.#registered.byType(type)
  }

  modelsExtending (base: string | ModelClass): ModelClass[] {
    return this.#registered.extending(base)
  }

  compile (state: ModelState): CompiledModel {
    const compiled = compileModel(state)
    aliasId(compiled)
    mustKeepVersions(compiled, state.dataSource)
    state.dataSource?.connector.attach(compiled.stored)
    return compiled
  }

  as (caller: Acting): RuledModels {
    const { as } = accessReviewIn(this)
    if (as === undefined) throw new NoRulesError()
    return as(caller)
  }

  defineMixin (name: string, mixin: Mixin): void {
    this.mixins.define(name, mixin)
  }

  applyMixins ({ state }: ModelClass): void {
    this.mixins.applyAll(state)
  }

  // Data sources

  defineDataSource (
    name: string,
    settings: DataSourceSettings | { connector: string | ConnectorFactory; [key: string]: unknown }
  ): DataSource {
    this.#lifecycle.mustBeOpen('defineDataSource')
    const connector = this.connectors.create(name, settings as DataSourceSettings, {
      dataSource: name,
      baseDir: this.baseDir,
      processes: this.processes,
      log: this.log
    })
    const dataSource = new DataSource(this, name, settings as DataSourceSettings, connector)
    this.dataSources[name] = dataSource
    this.#lifecycle.add(dataSource)
    connector.joined?.(dataSource)
    return dataSource
  }

  openSoon (dataSource: DataSource): void {
    this.#lifecycle.openSoon(dataSource)
  }

  attach (model: string | ModelClass, dataSource: string | DataSource | null, options: AttachOptions = {}): ModelClass {
    const Model = typeof model === 'string' ? this.getModel(model) : model
    const { state } = Model
    if (options.settings !== undefined) Object.assign(state.settings, options.settings)
    if (options.public !== undefined) state.isPublic = options.public
    state.dataSource?.remove(Model)
    state.dataSource = dataSource === null ? undefined : this.#dataSource(dataSource)
    state.dataSource?.add(Model)
    if (state.dataSource !== undefined) this.applyMixins(Model)
    state.invalidate()
    if (this.isClosed || !this.#listsRoots) implyProperties(Object.values(this.models), this.isClosed)
    this.emit('modelAttached', Model)
    if (state.dataSource !== undefined) {
      state.events.emit('dataAccessConfigured', Model)
      state.events.emit('dataSourceAttached', Model)
    }
    return Model
  }

  #dataSource (given: string | DataSource): DataSource {
    if (typeof given !== 'string') return given
    const found = this.dataSources[given]
    if (found === undefined) throw new UnknownDataSourceError(given, nearest(given, Object.keys(this.dataSources)))
    return found
  }

  // Stages

  get isClosed (): boolean {
    return this.#lifecycle.isClosed
  }

  close (): void {
    this.#lifecycle.close()
  }

  prepare (dataSource: DataSource): MaybePromise<void> {
    return this.#lifecycle.prepare(dataSource)
  }

  connect (): MaybePromise<void> {
    return this.#lifecycle.connect()
  }

  migrateAttached (): MaybePromise<void> {
    return this.#lifecycle.migrateAttached()
  }

  async start (): Promise<void> {
    await this.#lifecycle.start()
  }

  async stop (): Promise<void> {
    await this.#lifecycle.stop()
  }

  reopen (): void {
    this.#lifecycle.reopen()
  }

  // Settings, and what packages keep

  get queryLimits (): QueryLimits {
    return this.#limits.of(this.settings.queryLimits).limits
  }

  get parsing (): ParseModes {
    return this.#limits.of(this.settings.queryLimits).parsing
  }

  checkSettings (): void {
    this.#limits.of(this.settings.queryLimits)
  }

  adopt (given: AdoptedOptions): void {
    const { log, settings = {}, baseDir } = given
    refuseConflicts({
      settings: this.settings,
      baseDir: this.baseDir,
      hasOwnBaseDir: this.#hasBaseDir,
      hasDataSources: this.#lifecycle.hasDataSources,
      hasModels: this.#registered.hasOwn
    }, given)
    if (baseDir !== undefined) this.baseDir = baseDir
    if (log !== undefined && this.log instanceof BufferedLog) this.log.handOnTo(log)
    if (Object.keys(settings).length === 0) return
    this.settings = { ...this.settings, ...settings }
    this.checkSettings()
    for (const { state } of Object.values(this.models)) state.invalidate()
  }

  slot<T> (key: symbol, make: () => T): T {
    let kept = this.#slots.get(key) as T | undefined
    if (kept === undefined) {
      kept = make()
      this.#slots.set(key, kept)
    }
    return kept
  }
}
