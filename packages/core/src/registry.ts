import { EventEmitter } from 'node:events'
import { compileModel } from './model/compile.js'
import type { CompiledModel } from './interfaces/compiled-model.js'
import type { ConnectorFactory, ConnectorLog, DataSourceSettings } from './data-source/connector.js'
import { ConnectorRegistry } from './data-source/connector-registry.js'
import { DataSource } from './data-source/data-source.js'
import type { ModelDefinitionInput } from './definition/definition.js'
import {
  DuplicateModelError,
  InvalidDefinitionError,
  RegistryClosedError,
  UnknownBaseError,
  UnknownDataSourceError,
  UnknownModelError
} from './errors.js'
import { flattenDefinition } from './definition/flatten.js'
import { checkDefinition, strictnessOf } from './definition/vocabulary/check-definition.js'
import { chain, eachInTurn, isPromise, type MaybePromise } from './maybe-promise.js'
import { MixinRegistry, type Mixin } from './mixins.js'
import { defineClass } from './model/define-class.js'
import { keyValueModel } from './model/key-value-model.js'
import type { ModelClass } from './interfaces/model-class.js'
import type { AttachOptions, DefineOptions, ModelRegistry as RegistryInterface } from './interfaces/model-registry.js'
import type { ModelState, RemoteHook } from './interfaces/model-state.js'
import type { Relation } from './interfaces/relation.js'
import { normaliseDefinition } from './definition/normalise.js'
import type { PendingOperations } from './pending-operations.js'
import { nearest } from './nearest.js'
import { queryLimitsOf, type QueryLimits } from './query/limits.js'
import { parseModes, type ParseModes } from './query/parse-modes.js'
import { Validators } from './schemas/validators.js'
import type { Model } from './typed/model.js'

export interface RegistryOptions {
  /** Where warnings go. Default: nowhere. */
  log?: ConnectorLog
  /** Application-wide settings, read by models through `registry.settings`. */
  settings?: Record<string, unknown>
  /** Folder that file names in data source settings are relative to. Default: the working directory. */
  baseDir?: string
}

/** The message of what using the relation throws. */
function whatIsMissing (relation: Relation): string {
  try {
    relation.target()
    relation.through()
  } catch (error) {
    return `${(error as Error).message} The relation is left out until there is one.`
  }
  return ''
}

const silent: ConnectorLog = { warn () {}, info () {}, debug () {} }

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
 * @param options `log`: where warnings go (default: nowhere); `settings`: application-wide settings; `baseDir`: the
 * folder of file names in data source settings (default: the working directory)
 * @throws FBK_CORE_INVALID_DEFINITION for `settings.queryLimits` that cannot be
 */
// eslint-disable-next-line @typescript-eslint/no-redeclare -- a type and its constructor, as Map has them
export const ModelRegistry: new (options?: RegistryOptions) => ModelRegistry =
class ModelRegistry extends EventEmitter implements RegistryInterface {
  readonly models: Record<string, ModelClass> = Object.create(null)
  readonly dataSources: Record<string, DataSource> = Object.create(null)
  readonly connectors = new ConnectorRegistry()
  readonly mixins = new MixinRegistry()
  readonly settings: Record<string, unknown>
  readonly remoteHooks: RemoteHook[] = []
  readonly validators = new Validators()
  readonly log: ConnectorLog
  baseDir: string
  pending: PendingOperations | undefined
  #limited: { readonly setting: unknown; readonly limits: QueryLimits; readonly parsing: ParseModes } | undefined
  readonly #migrated = new Set<ModelClass>()
  readonly #slots = new Map<symbol, unknown>()
  readonly #warnedOf = new Set<string>()
  #isClosed = false
  #stopped = false

  constructor (options: RegistryOptions = {}) {
    super()
    this.setMaxListeners(0)
    this.log = options.log ?? silent
    this.settings = options.settings ?? {}
    this.baseDir = options.baseDir ?? process.cwd()
    this.#currentLimits()
    for (const base of [
      { name: 'Model' },
      { name: 'PersistedModel', base: 'Model', idInjection: true },
      keyValueModel
    ]) {
      this.#define(base, undefined)
    }
  }

  defineModel<const D extends ModelDefinitionInput>(input: D, options?: DefineOptions): Model<D> & ModelClass
  defineModel (input: ModelDefinitionInput, options: DefineOptions = {}): ModelClass {
    const flat = flattenDefinition(input, options.source)
    return this.#define(
      flat.base === undefined && flat.super === undefined ? { ...flat, base: 'PersistedModel' } : flat,
      options.source,
      options.replaces
    )
  }

  defineModels (definitions: ReadonlyArray<{ input: ModelDefinitionInput; source?: string }>): ModelClass[] {
    const waiting = new Map(definitions.map(each => [each.input.name, each]))
    if (waiting.size < definitions.length) {
      const names = definitions.map(each => each.input.name)
      throw new DuplicateModelError(names.find((name, index) => names.indexOf(name) !== index))
    }
    const under = new Set<string>()
    const define = (name: string): void => {
      const each = waiting.get(name)
      if (each === undefined) return
      if (under.has(name)) {
        throw new InvalidDefinitionError(
          `${each.source === undefined ? '' : `${each.source}: `}model "${name}", base`,
          `the model extends itself (${[...under, name].join(' > ')})`
        )
      }
      under.add(name)
      const { base } = flattenDefinition(each.input, each.source)
      if (typeof base === 'string') define(base)
      under.delete(name)
      if (waiting.delete(name)) this.defineModel(each.input, each.source === undefined ? {} : { source: each.source })
    }
    for (const { input } of definitions) define(input.name)
    return definitions.map(({ input }) => this.getModel(input.name))
  }

  #define (input: ModelDefinitionInput, source: string | undefined, replaces = false): ModelClass {
    this.#mustBeOpen('defineModel')
    const own = normaliseDefinition(input, source)
    checkDefinition(input, source, strictnessOf(this.settings.modelDefinitions), this.log)
    const before = this.models[own.name]
    if (before !== undefined && (!replaces || own.base === own.name)) throw new DuplicateModelError(own.name)
    const base = own.base === undefined ? undefined : this.models[own.base]
    if (own.base !== undefined && base === undefined) {
      throw new UnknownBaseError(
        own.name,
        source === undefined ? '' : ` (${source})`,
        own.base,
        nearest(own.base, Object.keys(this.models))
      )
    }
    const Model = defineClass(this, own, base)
    for (const [name, options] of Object.entries(own.mixins)) this.mixins.check(Model, name, options)
    this.models[own.name] = Model
    if (before !== undefined) this.#forget(before)
    if (this.#isClosed) this.#resolveRelations()
    this.emit('modelDefined', Model)
    return Model
  }

  /** Another model has its name now; who holds the class, or extends it, keeps it. */
  #forget (Model: ModelClass): void {
    const { state } = Model
    state.dataSource?.remove(Model)
    state.base?.children.delete(state)
    for (const other of Object.values(this.models)) other.state.invalidate()
  }

  findModel (name: string): ModelClass | undefined {
    return this.models[name]
  }

  getModel (name: string): ModelClass {
    const Model = this.models[name]
    if (Model === undefined) throw new UnknownModelError(name, nearest(name, Object.keys(this.models)))
    return Model
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
      log: this.log
    })
    const dataSource = new DataSource(this, name, settings as DataSourceSettings, connector)
    this.dataSources[name] = dataSource
    connector.joined?.(dataSource)
    return dataSource
  }

  attach (model: string | ModelClass, dataSource: string | DataSource | null, options: AttachOptions = {}): ModelClass {
    const Model = typeof model === 'string' ? this.getModel(model) : model
    const { state } = Model
    if (options.settings !== undefined) Object.assign(state.settings, options.settings)
    if (options.public !== undefined) state.isPublic = options.public
    state.dataSource?.remove(Model)
    state.dataSource = dataSource === null ? undefined : this.#dataSource(dataSource)
    state.dataSource?.add(Model)
    if (state.dataSource !== undefined) this.#applyMixins(state)
    state.invalidate()
    this.emit('modelAttached', Model)
    if (state.dataSource !== undefined) state.events.emit('dataSourceAttached', Model)
    return Model
  }

  /**
   * Applies the mixins of a model, once, when it gets its data source, as LoopBack does: they find it there. Those of
   * bases that have none are the model's own, too.
   */
  #applyMixins (state: ModelState): void {
    if (state.hasMixins) return
    state.hasMixins = true
    const wanted: Array<[string, unknown]> = []
    for (let each: ModelState | undefined = state; each !== undefined; each = each.base) {
      if (each !== state && each.dataSource !== undefined) break
      wanted.unshift(...Object.entries(each.own.mixins))
    }
    for (const [name, options] of wanted) this.mixins.apply(state.Model, name, options)
  }

  #dataSource (given: string | DataSource): DataSource {
    if (typeof given !== 'string') return given
    const found = this.dataSources[given]
    if (found === undefined) throw new UnknownDataSourceError(given, nearest(given, Object.keys(this.dataSources)))
    return found
  }

  compile (state: ModelState): CompiledModel {
    const compiled = compileModel(state)
    state.dataSource?.connector.attach(compiled)
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
    this.emit('closing')
    const models = Object.values(this.models)
    this.#isClosed = true
    for (const { state } of models) {
      if ([...state.relations.values()].some(relation => !relation.isResolved)) state.invalidate()
    }
    for (const Model of models) this.#implyProperties(Model)
    for (const { state } of models) state.compile()
  }

  #implyProperties (Model: ModelClass): void {
    for (const relation of Model.state.relations.values()) {
      relation.target()
      relation.through()
      for (const { model, name, definition } of relation.impliedProperties()) {
        if (model.state.implied.has(name)) continue
        model.state.implied.set(name, definition)
        model.state.invalidate()
      }
    }
  }

  connect (): MaybePromise<void> {
    this.close()
    this.#warnOfRelations()
    this.#warnOfMixins()
    const opened = Object.values(this.dataSources).map(dataSource =>
      chain(dataSource.open(), () => this.#migrate(dataSource)))
    if (opened.some(isPromise)) return Promise.all(opened).then(() => {})
  }

  /** A mixin that is applied to nothing is said once. */
  #warnOfMixins (): void {
    const isUsed = (state: ModelState): boolean => state.hasMixins || [...state.children].some(isUsed)
    for (const { modelName, state } of Object.values(this.models)) {
      const mixins = Object.keys(state.own.mixins).filter(name => Boolean(state.own.mixins[name]))
      if (mixins.length === 0 || isUsed(state)) continue
      state.hasMixins = true
      this.log.warn({ model: modelName, mixins }, `The mixins of "${modelName}" are not applied: it has no data source`)
    }
  }

  /**
   * Relations that lead nowhere are said once: to models that are not there, and polymorphic ones that no model is
   * declared for (before S-80 they led wherever a row said).
   */
  #warnOfRelations (): void {
    for (const Model of Object.values(this.models)) {
      for (const relation of Model.state.unresolved.values()) this.#warnOf(Model, relation, whatIsMissing(relation))
      for (const relation of Model.state.relations.values()) {
        if (relation.isReachable || Model.dataSource === null) continue
        this.#warnOf(
          Model,
          relation,
          `No model is declared for the polymorphic relation "${relation.name}" of ` +
            `"${Model.modelName}", so it is always empty: declare the other side (hasMany or hasOne with the same "polymorphic"), or list "models"`
        )
      }
    }
  }

  #warnOf (Model: ModelClass, { name }: Relation, message: string): void {
    if (this.#warnedOf.has(message)) return
    this.#warnedOf.add(message)
    this.log.warn({ model: Model.modelName, relation: name }, message)
  }

  migrateAttached (): MaybePromise<void> {
    this.close()
    return eachInTurn(
      Object.values(this.dataSources).filter(({ isOpen }) => isOpen),
      dataSource => this.#migrate(dataSource)
    )
  }

  #migrate (dataSource: DataSource): MaybePromise<void> {
    const fresh = dataSource.models.filter(Model => !this.#migrated.has(Model))
    if (fresh.length === 0) return
    for (const Model of fresh) this.#migrated.add(Model)
    const stored = dataSource.storedModels(fresh.map(Model => Model.modelName))
    switch (dataSource.settings.migrate ?? dataSource.connector.defaultMigration) {
      case 'update':
        return dataSource.connector.autoupdate(stored)
      case 'reset':
        return dataSource.connector.automigrate(stored)
      case 'none':
        return
      default:
        throw new InvalidDefinitionError(
          `data source "${dataSource.name}", migrate`,
          'must be "none", "update" or "reset"'
        )
    }
  }

  async start (): Promise<void> {
    this.#stopped = false
    await this.connect()
    this.emit('started')
  }

  async stop (): Promise<void> {
    if (this.#stopped) return
    this.#stopped = true
    // What is opened again may be another store: one in memory is empty then.
    this.#migrated.clear()
    await Promise.all(
      Object.values(this.dataSources).map(async dataSource => {
        await dataSource.disconnect()
      })
    )
    this.emit('stopped')
  }

  get queryLimits (): QueryLimits {
    return this.#currentLimits().limits
  }

  get parsing (): ParseModes {
    return this.#currentLimits().parsing
  }

  checkSettings (): void {
    this.#currentLimits()
  }

  #currentLimits (): { readonly limits: QueryLimits; readonly parsing: ParseModes } {
    const { queryLimits: setting } = this.settings
    if (this.#limited === undefined || this.#limited.setting !== setting) {
      const limits = queryLimitsOf(setting)
      this.#limited = { setting, limits, parsing: parseModes(limits) }
    }
    return this.#limited
  }

  #mustBeOpen (what: string): void {
    if (this.#stopped) throw new RegistryClosedError(what)
  }
}
