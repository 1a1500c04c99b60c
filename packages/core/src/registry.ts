import { attachHistory } from './history/history-model.js'
import { lookNowAndThen } from './history/upkeep.js'
import { EventEmitter } from 'node:events'
import type { BusDriverFactory } from './bus/bus.js'
import { RegistryBus } from './bus/registry-bus.js'
import { shareChanges } from './changes/share.js'
import { compileModel } from './model/compile.js'
import { aliasId } from './model/id-alias.js'
import { whereFrom } from './builtin-models.js'
import { accessReviewIn } from './contracts/access-review.js'
import type { CompiledModel } from './interfaces/compiled-model.js'
import type { ConnectorFactory, ConnectorLog, DataSourceSettings } from './data-source/connector.js'
import { ConnectorRegistry } from './data-source/connector-registry.js'
import { DataSource } from './data-source/data-source.js'
import { mustKeepVersions } from './data-source/keeps-versions.js'
import { mustNest } from './relations/nested/nested-writer.js'
import { connectSoon, OpenedDataSources } from './data-source/opened.js'
import type { ModelDefinitionInput } from './definition/definition.js'
import { eachInOrder, type SourcedDefinition } from './definition/in-order.js'
import {
  DuplicateModelError,
  NoRulesError,
  RegistryClosedError,
  UnknownBaseError,
  UnknownDataSourceError,
  UnknownModelError
} from './errors.js'
import { flattenDefinition } from './definition/flatten.js'
import { checkDefinition, strictnessOf } from './definition/vocabulary/check-definition.js'
import type { MaybePromise } from './maybe-promise.js'
import { MixinRegistry, type Mixin } from './mixins.js'
import { defineClass } from './model/define-class.js'
import { keyValueModel } from './model/key-value-model.js'
import type { ModelClass } from './interfaces/model-class.js'
import type {
  AdoptedOptions, AttachOptions, DefineOptions, ModelRegistry as RegistryInterface
} from './interfaces/model-registry.js'
import type { ModelState, RemoteHook } from './interfaces/model-state.js'
import { baseGiven, normaliseDefinition, type OwnDefinition } from './definition/normalise.js'
import type { CallersPromises } from './interfaces/callers-promises.js'
import type { PendingOperations } from './pending-operations.js'
import { nearest } from './nearest.js'
import { CurrentLimits } from './query/current-limits.js'
import type { QueryLimits } from './query/limits.js'
import type { ParseModes } from './query/parse-modes.js'
import { cursorSecretOf } from './operations/cursors.js'
import { referencesIn } from './operations/references.js'
import { implyProperties } from './relations/implied-properties.js'
import { refuseConflicts } from './refuse-conflicts.js'
import { refuseNestedFiles } from './properties/nested-models.js'
import { Validators } from './schemas/validators.js'
import { BufferedLog } from './logging/buffered-log.js'
import { StartWarnings } from './start-warnings.js'
import { waitingModelsOf } from './waiting-models.js'
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
  readonly models: Record<string, ModelClass> = Object.create(null)
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
  readonly #opened = new OpenedDataSources()
  readonly #warnings: StartWarnings
  readonly #roots: Record<string, ModelClass> = Object.create(null)
  readonly #slots = new Map<symbol, unknown>()
  readonly #listsRoots: boolean
  readonly #hasBaseDir: boolean
  #isClosed = false
  #stopped = false
  #isLeaving = false

  constructor (options: RegistryOptions = {}) {
    super()
    this.on('modelAttached', attachHistory)
    lookNowAndThen(this)
    this.setMaxListeners(0)
    this.log = options.log ?? new BufferedLog()
    this.#hasBaseDir = options.baseDir !== undefined
    this.#warnings = new StartWarnings(this.log)
    this.settings = options.settings ?? {}
    this.defaultBus = options.bus
    this.#listsRoots = options.listsRoots !== false
    this.baseDir = options.baseDir ?? process.cwd()
    this.#limits.of(this.settings.queryLimits)
    for (const base of [
      { name: 'Model' },
      { name: 'PersistedModel', base: 'Model', idInjection: true },
      keyValueModel
    ]) {
      const { modelName } = this.#define(base)
      this.#roots[modelName] = this.models[modelName] as ModelClass
      if (!this.#listsRoots) delete this.models[modelName]
    }
  }

  /** The interface types it by the definition, which is not looked at here. */
  defineModel (input: ModelDefinitionInput, options: DefineOptions = {}): never {
    const flat = flattenDefinition(input, options.source)
    return this.#define(flat, options, this.#roots.PersistedModel) as never
  }

  defineModels (definitions: readonly SourcedDefinition[]): ModelClass[] {
    eachInOrder(definitions, ({ input, source }) => {
      this.defineModel(input, source === undefined ? {} : { source })
    })
    return definitions.map(({ input }) => this.getModel(input.name))
  }

  #define (
    input: ModelDefinitionInput,
    { source, replaces = false, unlisted = false, setUp }: DefineOptions = {},
    root?: ModelClass
  ): ModelClass {
    this.#mustBeOpen('defineModel')
    const own = normaliseDefinition(input, source, root?.modelName)
    if (!unlisted) checkDefinition(input, source, strictnessOf(this.settings.modelDefinitions), this.log)
    const base = own.base === undefined ? undefined : this.#baseOf(own, input, source)
    const before = unlisted ? undefined : this.models[own.name]
    if (before !== undefined && (!replaces || own.base === own.name)) throw new DuplicateModelError(own.name)
    const Model = defineClass(this, own, base)
    for (const [name, options] of Object.entries(own.mixins)) this.mixins.check(Model, name, options)
    if (unlisted) return Model
    this.models[own.name] = Model
    if (before !== undefined) this.#forget(before)
    setUp?.(Model)
    if (this.#isClosed) this.#resolveRelations()
    this.emit('modelDefined', Model)
    return Model
  }

  /** A class says which model is meant, whatever has its name by now. */
  #baseOf ({ name, base }: OwnDefinition, input: ModelDefinitionInput, source: string | undefined): ModelClass {
    const given = baseGiven(input)
    if (typeof given === 'function' && 'state' in given) return given as unknown as ModelClass
    const wanted = base as string
    const found = this.models[wanted] ?? this.#roots[wanted] ?? this.lookUp?.(wanted)
    if (found !== undefined) return found
    const advice = whereFrom(wanted) ?? nearest(wanted, Object.keys(this.models))
    throw new UnknownBaseError(name, source === undefined ? '' : ` (${source})`, base, advice)
  }

  /** Another model has its name now; who holds the class, or extends it, keeps it. */
  #forget (Model: ModelClass): void {
    const { state } = Model
    state.dataSource?.remove(Model)
    state.base?.children.delete(state)
    for (const other of Object.values(this.models)) other.state.invalidate()
  }

  as (caller: Acting): RuledModels {
    const { as } = accessReviewIn(this)
    if (as === undefined) throw new NoRulesError()
    return as(caller)
  }

  removeModel (name: string): void {
    const Model = this.models[name]
    delete this.models[name]
    if (Model === undefined) return
    this.#forget(Model)
    // Anyone who has made something of it looks again.
    Model.state.invalidate()
  }

  findModel (name: string): ModelClass | undefined {
    return this.models[name]
  }

  getModel<const N extends string> (name: N): ModelNamed<N>
  getModel (name: string): ModelClass {
    const Model = this.models[name]
    if (Model !== undefined) return Model
    const base = waitingModelsOf(this).baseOf(name)
    const advice = base === undefined
      ? whereFrom(name) ?? nearest(name, Object.keys(this.models))
      : ` It waits for "${base}", which it extends.${whereFrom(base) ?? ''}`
    throw new UnknownModelError(name, advice)
  }

  getModelByType (type: string | ModelClass): ModelClass | undefined {
    const base = typeof type === 'string' ? this.getModel(type) : type
    const extending = this.modelsExtending(base)
    return (
      extending.find(Model => Model.state.dataSource !== undefined) ??
      (base.state.dataSource !== undefined ? base : (extending[0] ?? base))
    )
  }

  modelsExtending (base: string | ModelClass): ModelClass[] {
    const { state } = typeof base === 'string' ? this.getModel(base) : base
    return Object.values(this.models).filter(Model => Model.state !== state && Model.state.chain().includes(state))
  }

  slot<T> (key: symbol, make: () => T): T {
    let kept = this.#slots.get(key) as T | undefined
    if (kept === undefined) {
      kept = make()
      this.#slots.set(key, kept)
    }
    return kept
  }

  defineMixin (name: string, mixin: Mixin): void {
    this.mixins.define(name, mixin)
  }

  defineDataSource (
    name: string,
    settings: DataSourceSettings | { connector: string | ConnectorFactory; [key: string]: unknown }
  ): DataSource {
    this.#mustBeOpen('defineDataSource')
    const connector = this.connectors.create(name, settings as DataSourceSettings, {
      dataSource: name,
      baseDir: this.baseDir,
      processes: this.processes,
      log: this.log
    })
    const dataSource = new DataSource(this, name, settings as DataSourceSettings, connector)
    this.dataSources[name] = dataSource
    this.#opened.add(dataSource)
    connector.joined?.(dataSource)
    return dataSource
  }

  openSoon (dataSource: DataSource): void {
    connectSoon(dataSource, this.log, () => this.#stopped)
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
    if (this.#isClosed || !this.#listsRoots) implyProperties(Object.values(this.models), this.#isClosed)
    this.emit('modelAttached', Model)
    if (state.dataSource !== undefined) {
      state.events.emit('dataAccessConfigured', Model)
      state.events.emit('dataSourceAttached', Model)
    }
    return Model
  }

  applyMixins ({ state }: ModelClass): void {
    this.mixins.applyAll(state)
  }

  #dataSource (given: string | DataSource): DataSource {
    if (typeof given !== 'string') return given
    const found = this.dataSources[given]
    if (found === undefined) throw new UnknownDataSourceError(given, nearest(given, Object.keys(this.dataSources)))
    return found
  }

  compile (state: ModelState): CompiledModel {
    const compiled = compileModel(state)
    aliasId(compiled)
    mustKeepVersions(compiled, state.dataSource)
    state.dataSource?.connector.attach(compiled.stored)
    return compiled
  }

  get isClosed (): boolean {
    return this.#isClosed
  }

  /** Relations that have waited for a model may have it now. */
  #resolveRelations (): void {
    for (const { state } of Object.values(this.models)) if (state.unresolved.size > 0) state.invalidate()
  }

  close (): void {
    this.#settle()
    for (const { state } of Object.values(this.models)) state.compile()
    const lookup = (name: string): CompiledModel | undefined => this.findModel(name)?.compiled
    for (const { compiled } of Object.values(this.models)) refuseNestedFiles(compiled, lookup)
    for (const Model of Object.values(this.models)) if (Model.compiled.nests !== undefined) mustNest(Model)
    referencesIn(this)
  }

  /** Takes all models to be there, and gives them what their relations need. */
  #settle (): void {
    this.emit('closing')
    const models = Object.values(this.models)
    this.#isClosed = true
    for (const { state } of models) {
      if ([...state.relations.values()].some(relation => !relation.isResolved)) state.invalidate()
    }
    implyProperties(Object.values(this.models), this.#isClosed)
  }

  prepare (dataSource: DataSource): MaybePromise<void> {
    // What comes late, when the application has stopped, must not open its stores again: nobody would close them.
    this.#mustBeOpen('an operation')
    if (!this.#isClosed) this.#settle()
    return this.#opened.prepare(dataSource)
  }

  connect (): MaybePromise<void> {
    this.close()
    cursorSecretOf(this.settings)
    this.#warnings.warn(this)
    return this.#opened.each(dataSource => this.prepare(dataSource))
  }

  migrateAttached (): MaybePromise<void> {
    this.close()
    return this.#opened.migrate()
  }

  async start (): Promise<void> {
    this.#stopped = false
    await this.connect()
    await this.bus.open()
    if (this.bus.driver !== undefined) this.#shareChanges()
    this.emit('started')
  }

  /** Also of models that come later. */
  #shareChanges (): void {
    for (const Model of Object.values(this.models)) shareChanges(Model)
    if (!this.listeners('modelAttached').includes(shareChanges)) this.on('modelAttached', shareChanges)
  }

  async stop (): Promise<void> {
    if (this.#stopped || this.#isLeaving) return
    this.#isLeaving = true
    try {
      await this.#opened.leave()
    } finally {
      this.#isLeaving = false
    }
    this.#stopped = true
    await this.bus.close()
    await this.#opened.disconnect()
    this.emit('stopped')
  }

  reopen (): void {
    this.#stopped = false
  }

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
      hasDataSources: !this.#opened.isEmpty,
      hasModels: Object.values(this.models).some(Model => this.#roots[Model.modelName] !== Model)
    }, given)
    if (baseDir !== undefined) this.baseDir = baseDir
    if (log !== undefined && this.log instanceof BufferedLog) this.log.handOnTo(log)
    if (Object.keys(settings).length === 0) return
    this.settings = { ...this.settings, ...settings }
    this.checkSettings()
    for (const { state } of Object.values(this.models)) state.invalidate()
  }

  #mustBeOpen (what: string): void {
    if (this.#stopped) throw new RegistryClosedError(what)
  }
}
