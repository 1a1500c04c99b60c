/**
 * The stages of a registry: models are defined and attached, then complete (closed), their data sources open and
 * migrated (connected), messages of other processes heard (started), and all of it ends (stopped).
 */
import type { RegistryBus } from './bus/registry-bus.js'
import { shareChanges } from './changes/share.js'
import type { DataSource } from './data-source/data-source.js'
import { connectSoon, OpenedDataSources } from './data-source/opened.js'
import { RegistryClosedError } from './errors.js'
import type { CompiledModel } from './interfaces/compiled-model.js'
import type { ModelClass } from './interfaces/model-class.js'
import type { ModelRegistry } from './interfaces/model-registry.js'
import type { MaybePromise } from './maybe-promise.js'
import { cursorSecretOf } from './operations/cursors.js'
import { referencesIn } from './operations/references.js'
import { refuseNestedFiles } from './properties/nested-models.js'
import { implyProperties } from './relations/implied-properties.js'
import { mustNest } from './relations/nested/nested-writer.js'
import { StartWarnings } from './start-warnings.js'

export class Lifecycle {
  readonly #dataSources = new OpenedDataSources()
  readonly #warnings: StartWarnings
  #isClosed = false
  #isStopped = false
  #isLeaving = false

  constructor (readonly registry: ModelRegistry, readonly bus: RegistryBus) {
    this.#warnings = new StartWarnings(registry.log)
  }

  get isClosed (): boolean {
    return this.#isClosed
  }

  get hasDataSources (): boolean {
    return !this.#dataSources.isEmpty
  }

  /** @throws FBK_CORE_REGISTRY_CLOSED once it has stopped: nobody would close what comes late */
  mustBeOpen (what: string): void {
    if (this.#isStopped) throw new RegistryClosedError(what)
  }

  add (dataSource: DataSource): void {
    this.#dataSources.add(dataSource)
  }

  openSoon (dataSource: DataSource): void {
    connectSoon(dataSource, this.registry.log, () => this.#isStopped)
  }

  close (): void {
    this.#settle()
    for (const { state } of this.#models) state.compile()
    const lookup = (name: string): CompiledModel | undefined => this.registry.findModel(name)?.compiled
    for (const { compiled } of this.#models) refuseNestedFiles(compiled, lookup)
    for (const Model of this.#models) if (Model.compiled.nests !== undefined) mustNest(Model)
    referencesIn(this.registry)
  }

  /** Takes all models to be there, and gives them what their relations need. */
  #settle (): void {
    this.registry.emit('closing')
    const models = this.#models
    this.#isClosed = true
    for (const { state } of models) {
      if ([...state.relations.values()].some(relation => !relation.isResolved)) state.invalidate()
    }
    implyProperties(this.#models, true)
  }

  prepare (dataSource: DataSource): MaybePromise<void> {
    this.mustBeOpen('an operation')
    if (!this.#isClosed) this.#settle()
    return this.#dataSources.prepare(dataSource)
  }

  connect (): MaybePromise<void> {
    this.close()
    cursorSecretOf(this.registry.settings)
    this.#warnings.warn(this.registry)
    return this.#dataSources.each(dataSource => this.prepare(dataSource))
  }

  migrateAttached (): MaybePromise<void> {
    this.close()
    return this.#dataSources.migrate()
  }

  async start (): Promise<void> {
    this.reopen()
    await this.connect()
    await this.bus.open()
    if (this.bus.driver !== undefined) this.#shareChanges()
    this.registry.emit('started')
  }

  /** Also of models that come later. */
  #shareChanges (): void {
    const { registry } = this
    for (const Model of this.#models) shareChanges(Model)
    if (!registry.listeners('modelAttached').includes(shareChanges)) registry.on('modelAttached', shareChanges)
  }

  async stop (): Promise<void> {
    if (this.#isStopped || this.#isLeaving) return
    this.#isLeaving = true
    try {
      await this.#dataSources.leave()
    } finally {
      this.#isLeaving = false
    }
    this.#isStopped = true
    await this.bus.close()
    await this.#dataSources.disconnect()
    this.registry.emit('stopped')
  }

  reopen (): void {
    this.#isStopped = false
  }

  /** Those of now: compiling a model may define others. */
  get #models (): ModelClass[] {
    return Object.values(this.registry.models)
  }
}
