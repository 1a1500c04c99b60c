import path from 'node:path'
import type {
  Condition, Connector, ConnectorContext, DataSourceSettings, Id, JoinedDataSource, ModelClass, Query, Row, Selection,
  StoredModel, StoreOptions
} from '@fastback/core'
import { isPersisted, observerMethods, projectRow } from '@fastback/core/connector'
import { closeRowMethods, ownRemoteMethod, persistedStatics, setRemoteMethod } from '@fastback/core/remote'
import { notSupported } from './errors.js'
import { functionsOf, invokeOf, type ServiceFunction, type SharedFunction } from './functions.js'
import { Operation } from './operation.js'
import { Resources } from './resource.js'
import { Service } from './service.js'
import { readSettings, type RestSettings } from './settings.js'

type Observe = ReturnType<typeof observerMethods>

/**
 * A service over HTTP as a data source: functions by templates, and rows over resources
 * (service-connectors.md, sections 1 to 3).
 */
export class RestConnector implements Connector {
  /** LoopBack's connector has no name, and applications ask for it. */
  readonly name = ''
  readonly settingsKey = 'rest'
  readonly generatedIdType = 'number'
  readonly defaultMigration = 'none'
  readonly handsConditionsOn = true
  readonly modelBase: string | undefined
  readonly service: Service
  readonly #rest: RestSettings
  readonly #resources: Resources
  readonly #operations: readonly Operation[]
  readonly #functions: readonly SharedFunction[]
  readonly #invoke: ServiceFunction | undefined

  /**
   * @throws FBK_CORE_DATA_SOURCE_SETTINGS, FBK_BOOT_INVALID_CONFIG, FBK_REST_CONNECTOR_REFUSED_SETTING
   */
  constructor (readonly settings: DataSourceSettings, readonly context: ConnectorContext) {
    this.#rest = readSettings(settings, context.dataSource)
    const { client, attachmentsRoot } = this.#rest
    const root = attachmentsRoot === undefined ? undefined : path.resolve(context.baseDir, attachmentsRoot)
    this.service = new Service(client, context, root)
    this.#resources = new Resources(this.#rest, this.service)
    this.#operations = this.#rest.operations.map((operation, i) => {
      const [name = `operation ${String(i + 1)}`] = Object.keys(operation.functions ?? {})
      return new Operation(name, operation, this.#rest, this.service)
    })
    this.#functions = this.#operations.flatMap(functionsOf)
    const last = this.#operations.at(-1)
    this.#invoke = last && invokeOf(last)
    this.modelBase = this.#rest.hasCrud ? undefined : 'Model'
    Object.assign(this, observerMethods(this.service.observers))
  }

  getTypes (): string[] { return ['rest'] }

  connect (): void { this.service.open() }
  async disconnect (): Promise<void> { await this.service.close() }

  /** Any response will do. */
  async ping (): Promise<void> {
    const uri = this.#rest.hasCrud
      ? this.#rest.baseURL
      : this.#operations.map(({ origin }) => origin).find(origin => origin !== undefined)
    if (uri !== undefined) await this.service.client.request({ name: 'ping', method: 'HEAD', url: uri })
  }

  attach (): void {}

  joined (dataSource: JoinedDataSource): void {
    this.#putOn(dataSource)
    dataSource.registry.on('modelAttached', given => {
      const Model = given as ModelClass
      if (Model.dataSource === dataSource) this.#joinModel(Model)
    })
  }

  #joinModel (Model: ModelClass): void {
    this.#resources.name(Model, Model.pluralModelName as string)
    if (!this.#rest.hasCrud) closeRowMethods(Model)
    this.#putOn(Model)
    for (const { name, route } of this.#functions) {
      // What the application has said of the method stays, and a data access method keeps its route (SC-D5).
      if (ownRemoteMethod(Model, name) !== undefined) continue
      if (this.#rest.hasCrud && isPersisted(Model) && name in persistedStatics) continue
      setRemoteMethod(Model, name, route)
    }
  }

  #putOn (target: object): void {
    const put = (name: string, value: unknown): void => {
      Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: true })
    }
    if (this.#invoke !== undefined) put('invoke', this.#invoke)
    for (const { name, call } of this.#functions) put(name, call)
  }

  /** @throws RequestError 501 where the data source has operations only (SC-D4) */
  #rows (model: StoredModel, what: string): Resources {
    if (!this.#rest.hasCrud) throw notSupported(model.name, what)
    return this.#resources
  }

  async create (model: StoredModel, row: Row): Promise<Row> {
    return await this.#rows(model, 'rows').create(model, row)
  }

  /** One request for each (SC-C2). */
  async createMany (model: StoredModel, rows: readonly Row[]): Promise<Row[]> {
    const made: Row[] = []
    for (const row of rows) made.push(await this.create(model, row))
    return made
  }

  async find (model: StoredModel, query: Query, options: StoreOptions): Promise<Row[]> {
    const rows = await this.#rows(model, 'rows').find(model, query, options)
    return rows.map(row => projectRow(row, query.select, model))
  }

  async findById (model: StoredModel, id: Id, select: Selection, options: StoreOptions): Promise<Row | undefined> {
    const row = await this.#rows(model, 'rows').findById(model, id, options)
    return row === undefined ? undefined : projectRow(row, select, model)
  }

  async count (model: StoredModel, where: Condition | undefined): Promise<number> {
    return await this.#rows(model, 'rows').count(model, where)
  }

  updateAll (model: StoredModel): never {
    throw notSupported(model.name, 'changes of several rows')
  }

  async updateById (model: StoredModel, id: Id, changes: Row): Promise<Row> {
    return await this.#rows(model, 'rows').updateById(model, id, changes)
  }

  async replaceById (model: StoredModel, id: Id, row: Row): Promise<Row> {
    return await this.#rows(model, 'rows').replaceById(model, id, row)
  }

  /** Two requests: somebody else may create the row between them. */
  async findOrCreate (
    model: StoredModel, query: Query, row: Row, options: StoreOptions
  ): Promise<{ row: Row, created: boolean }> {
    const [found] = await this.find(model, { ...query, limit: 1 }, { ...options, mayBeMissing: true })
    return found === undefined ? { row: await this.create(model, row), created: true } : { row: found, created: false }
  }

  async deleteAll (model: StoredModel, where: Condition | undefined): Promise<number> {
    return await this.#rows(model, 'rows').deleteAll(model, where)
  }

  /** A service keeps its own tables. */
  autoupdate (): void {}
  automigrate (): void {}
  isActual (): boolean { return true }
}

/** Observers of `before execute` and `after execute` (SC-H1). */
export interface RestConnector extends Observe {}
