/** A connector with the suite's models attached, and short ways to use it. */
import {
  defaultQueryLimits,
  ModelRegistry,
  parseFilter,
  parseWhere,
  type CompiledModel,
  type Connector,
  type Id,
  type ModelDefinitionInput,
  type ParseOptions,
  type Row,
  type StoreOptions
} from '@fastback/core'
import { definitions, items } from './models.js'

const inProcess: ParseOptions = { external: false, limits: defaultQueryLimits }

/** What the cases work with. Filters and conditions are LoopBack's JSON; they are read by the core's parser. */
export class SuiteStore {
  readonly registry: ModelRegistry
  constructor (readonly connector: Connector, models: readonly ModelDefinitionInput[] = definitions) {
    this.registry = new ModelRegistry()
    this.registry.defineDataSource('store', { connector: () => connector, migrate: 'none' })
    for (const definition of models) this.registry.attach(this.registry.defineModel(definition), 'store')
  }

  /** Opens the connector and makes the tables, all of them empty. */
  async start (): Promise<void> {
    await this.registry.start()
    await this.reset()
  }

  async reset (): Promise<void> {
    await this.registry.dataSources.store?.automigrate()
  }

  async stop (): Promise<void> {
    await this.registry.stop()
  }

  model (name: string): CompiledModel {
    return this.registry.getModel(name).compiled
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

  async count (name: string, where?: object): Promise<number> {
    const model = this.model(name)
    return await this.connector.count(model, parseWhere(model, where, inProcess), {})
  }

  async updateAll (name: string, where: object | undefined, changes: Row): Promise<number> {
    const model = this.model(name)
    return await this.connector.updateAll(model, parseWhere(model, where, inProcess), changes, {})
  }

  async updateById (name: string, id: Id, changes: Row): Promise<Row | undefined> {
    return await this.connector.updateById(this.model(name), id, changes, {})
  }

  async replaceById (name: string, id: Id, row: Row): Promise<Row | undefined> {
    return await this.connector.replaceById(this.model(name), id, row, {})
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
