/** `app.registry` and the registry functions of `app.loopback`: LoopBack's names over the model registry. */
import type { DataSource, ModelBuilder, ModelClass, ModelDefinitionInput, ModelRegistry } from '@fastback/core'
import { modelBuilderOf } from '@fastback/core/juggler'
import { flattenDefinition } from '@fastback/core/remote'
import { configureModel } from './configure-model.js'
import { dataSourceArguments } from './data-source-arguments.js'
import type { ModelConfig } from '../load/model-config.js'
import type { ModelLookup } from '../model-lookup.js'

type Settings = Record<string, unknown>

export class LoopbackRegistry {
  readonly #memory = new Map<string, DataSource>()

  constructor (readonly core: ModelRegistry, readonly lookup: ModelLookup) {}

  /** Model classes by name. */
  get models (): Record<string, ModelClass> { return this.core.models }
  get dataSources (): Record<string, DataSource> { return this.core.dataSources }

  /** LoopBack's, which has the built-in models from the beginning (`modelBuilder.models.ACL`). */
  get modelBuilder (): ModelBuilder {
    if (this.lookup.showsBuiltins) this.lookup.defineAll()
    return modelBuilderOf(this.core)
  }

  /** Data sources by the type of a connector, as version 1 attached models by themselves: there are none. */
  readonly defaultDataSources: Readonly<Record<string, DataSource>> = {}

  /**
   * `createModel(name, properties, options)` or `createModel(definition)`. A model that had the name gives it up, as in
   * LoopBack.
   */
  createModel (name: string | ModelDefinitionInput, properties: Settings = {}, options: Settings = {}): ModelClass {
    const input = flattenDefinition(typeof name === 'string' ? { name, properties, options } : name)
    return this.core.defineModel(input, { replaces: (input.base ?? input.super) !== input.name })
  }

  /** Changes a model's configuration, as an entry of model-config.json does. */
  configureModel (Model: ModelClass, config: ModelConfig & { dataSource?: unknown }): void {
    configureModel(this.core, Model, config)
  }

  findModel (name: string | ModelClass): ModelClass | undefined {
    return typeof name === 'string' ? this.lookup.known(name) : name
  }

  /** @throws FBK_CORE_UNKNOWN_MODEL */
  getModel (name: string | ModelClass): ModelClass {
    return typeof name === 'string' ? this.lookup.find(name) ?? this.core.getModel(name) : name
  }

  /** The model that stands in for a built-in one: one that extends it, else itself. */
  getModelByType (type: string | ModelClass): ModelClass | undefined {
    return this.core.getModelByType(this.getModel(type))
  }

  /** `createDataSource(name, settings)`, `createDataSource(settings)`, or a connector where either could be. */
  createDataSource (first: string | object, second?: string | object): DataSource {
    const { name, settings } = dataSourceArguments(first, second)
    const called = typeof first === 'string' || typeof settings.name === 'string' ? name : this.#unnamed()
    const dataSource = this.core.defineDataSource(called, settings)
    this.core.openSoon(dataSource)
    return dataSource
  }

  #unnamed (): string {
    return `dataSource${Object.keys(this.core.dataSources).length + 1}`
  }

  /** A data source in memory; the same one for the same name. */
  memory (name = 'default'): DataSource {
    const found = this.#memory.get(name) ?? this.createDataSource(`memory:${name}`, { connector: 'memory' })
    this.#memory.set(name, found)
    return found
  }
}
