import {
  ModelRegistry,
  type CompiledModel,
  type Connector,
  type Id,
  type MaybePromise,
  type ModelDefinitionInput,
  type ParseOptions,
  type Row,
  type StoreOptions
} from '@fastback/core'
import { defaultQueryLimits, parseFilter, parseWhere } from '@fastback/core/connector'
import { items, rowModels } from './models.js'

const inProcess: ParseOptions = { external: false, limits: defaultQueryLimits }

/**
 * A connector with models attached, and short ways to use it. Filters and conditions are LoopBack's JSON; they are read
 * by the core's parser.
 *
 * ```js
 * const store = new SuiteStore(makeConnector())
 * await store.start()
 * await store.seed()
 * await store.ids({ id: { lte: 2 } }) // [1, 2]
 * await store.stop()
 * ```
 */
export class SuiteStore {
  readonly #models: readonly ModelDefinitionInput[]
  readonly #make: (() => MaybePromise<Connector>) | undefined
  #connector: Connector
  #registry: ModelRegistry

  /**
   * @param connector one that is not connected yet
   * @param models what it stores. Default: the models of the suite's cases on rows
   * @param make makes a second connector to the same data, for `reopen`
   */
  constructor (
    connector: Connector,
    models: readonly ModelDefinitionInput[] = rowModels,
    make?: () => MaybePromise<Connector>
  ) {
    this.#models = models
    this.#make = make
    this.#connector = connector
    this.#registry = registryOf(connector, models)
  }

  /** The connector, after `reopen` the new one. */
  get connector (): Connector {
    return this.#connector
  }

  /** The registry that has the models, after `reopen` a new one. */
  get registry (): ModelRegistry {
    return this.#registry
  }

  /** Opens the connector and makes the tables, all of them empty. */
  async start (): Promise<void> {
    await this.#registry.start()
    await this.reset()
  }

  /** Drops and makes the tables, and removes all values by key. */
  async reset (): Promise<void> {
    await this.#registry.dataSources.store?.automigrate()
    const { keyValue } = this.#connector
    if (keyValue === undefined) return
    for (const { name, base } of this.#models) {
      if (base === 'KeyValueModel') await keyValue.deleteAll(this.model(name))
    }
  }

  /** Closes the connector. */
  async stop (): Promise<void> {
    await this.#registry.stop()
  }

  /** Closes the connector and opens another one to the same data, with a registry of its own, as a restart does. */
  async reopen (): Promise<void> {
    if (this.#make === undefined) throw new Error('A store is opened again by the function "make", which is not given.')
    await this.stop()
    this.#connector = await this.#make()
    this.#registry = registryOf(this.#connector, this.#models)
    await this.#registry.start()
  }

  /** The compiled form of a model, as connectors are given it. @throws FBK_CORE_UNKNOWN_MODEL */
  model (name: string): CompiledModel {
    return this.#registry.getModel(name).compiled
  }

  /** Stores the rows of `items`, ids 1 to 8. */
  async seed (): Promise<void> {
    for (const row of items) await this.create('Item', row)
  }

  async create (name: string, row: Row, options: StoreOptions = {}): Promise<Row> {
    return await this.connector.create(this.model(name), row, options)
  }

  async createMany (name: string, rows: readonly Row[]): Promise<Row[]> {
    return await this.connector.createMany(this.model(name), rows, {})
  }

  /** Rows of a filter as applications write it. @throws RequestError 400 for one that cannot be */
  async find (name: string, filter: object = {}, options: StoreOptions = {}): Promise<Row[]> {
    const model = this.model(name)
    return await this.connector.find(model, parseFilter(model, filter, inProcess), options)
  }

  /** Ids of the items that a condition matches. */
  async ids (where: object, more: object = {}): Promise<unknown[]> {
    return (await this.find('Item', { where, fields: ['id'], ...more })).map(row => row.id)
  }

  async findById (name: string, id: Id, options: StoreOptions = {}): Promise<Row | undefined> {
    const model = this.model(name)
    return await this.connector.findById(model, id, model.selectAll, options)
  }

  /** The number of rows that match; without a condition of all. @throws RequestError 400 */
  async count (name: string, where?: object): Promise<number> {
    const model = this.model(name)
    return await this.connector.count(model, parseWhere(model, where, inProcess), {})
  }

  async updateAll (name: string, where: object | undefined, changes: Row): Promise<number> {
    const model = this.model(name)
    return await this.connector.updateAll(model, parseWhere(model, where, inProcess), changes, {})
  }

  async updateById (name: string, id: Id, changes: Row, options: StoreOptions = {}): Promise<Row | undefined> {
    return await this.connector.updateById(this.model(name), id, changes, options)
  }

  async replaceById (name: string, id: Id, row: Row, options: StoreOptions = {}): Promise<Row | undefined> {
    return await this.connector.replaceById(this.model(name), id, row, options)
  }

  async findOrCreate (name: string, filter: object, row: Row): Promise<{ row: Row, created: boolean }> {
    const model = this.model(name)
    return await this.connector.findOrCreate(model, parseFilter(model, filter, inProcess), row, {})
  }

  async deleteAll (name: string, where?: object): Promise<number> {
    const model = this.model(name)
    return await this.connector.deleteAll(model, parseWhere(model, where, inProcess), {})
  }
}

function registryOf (connector: Connector, models: readonly ModelDefinitionInput[]): ModelRegistry {
  const registry = new ModelRegistry()
  registry.defineDataSource('store', { connector: () => connector, migrate: 'none' })
  for (const definition of models) registry.attach(registry.defineModel(definition), 'store')
  return registry
}
