import type {
  Condition, Connector, ConnectorContext, ConnectorFactory, DataSourceSettings, Id, JoinedDataSource, ModelClass, Query,
  Row, Selection, StoredModel, StoreOptions
} from '@fastback/core'
import { RowlessConnector } from '@fastback/core/connector'
import { addRemoteHook } from '@fastback/core/remote'
import { ServiceClient } from '@fastback/service-client'
import { notShared } from './errors.js'
import { judgeRequest, type RequestContext } from './judged-request.js'
import type { Caller } from './remote-call.js'
import { callRemotely } from './remote-model.js'
import { RemoteRows } from './rows.js'
import { readSettings, type RemoteAuth, type RemoteSettings } from './settings.js'

interface Emitting { on (event: string, listener: () => void): unknown }

/**
 * Another application's models (service-connectors.md, section 5). Nothing is kept here, and hooks of operations are
 * those of the other application.
 *
 * ```js
 * app.registry.dataSources.hall.connector.remotes.auth = { accessToken: { id: token } }
 * ```
 */
export class RemoteConnector extends RowlessConnector implements Connector, Caller {
  readonly name = 'remote-connector'
  readonly generatedIdType = 'number'
  readonly defaultMigration = 'none'
  readonly settings: RemoteSettings
  readonly client: ServiceClient
  readonly dataSource: string
  /** Where the routes of the models begin. */
  readonly url: string
  /** As LoopBack's connector has it: `connector.remotes.auth` may be set at any time. */
  readonly remotes: { auth: RemoteAuth | undefined }
  readonly #models = new Set<ModelClass>()
  readonly #hooked = new WeakSet<ModelClass>()
  readonly #rows: RemoteRows

  /** @throws FBK_REMOTE_SETTINGS, FBK_CORE_DATA_SOURCE_SETTINGS */
  constructor (settings: DataSourceSettings, { dataSource, log }: ConnectorContext) {
    super()
    this.settings = readSettings(settings, dataSource)
    this.dataSource = dataSource
    this.url = this.settings.url
    this.remotes = { auth: this.settings.auth }
    this.client = new ServiceClient(this.settings.client, { dataSource, log })
    this.#rows = new RemoteRows(this, model => [...this.#models].find(({ modelName }) => modelName === model.name))
  }

  auth (): RemoteAuth | undefined {
    return this.remotes.auth
  }

  /** Relations and methods may have come since the models were attached. */
  connect (): void {
    for (const Model of this.#models) callRemotely(Model, this)
  }

  async disconnect (): Promise<void> { await this.client.close() }

  /** Any response will do. */
  async ping (): Promise<void> {
    await this.client.request({ name: 'ping', method: 'HEAD', url: this.url })
  }

  attach (): void {}

  joined (dataSource: JoinedDataSource): void {
    dataSource.registry.on('modelAttached', given => {
      const Model = given as ModelClass
      if (Model.dataSource !== dataSource) {
        this.#models.delete(Model)
        return
      }
      if (!this.#hooked.has(Model)) {
        this.#hooked.add(Model)
        addRemoteHook(Model, {
          moment: 'before', pattern: '**', listener: context => this.#judge(context as RequestContext)
        })
        ;(Model as ModelClass & Emitting).on('remoteMethodAdded', () => {
          if (this.#models.has(Model)) callRemotely(Model, this)
        })
      }
      this.#models.add(Model)
      callRemotely(Model, this)
    })
  }

  async #judge (context: RequestContext): Promise<void> {
    const { model } = context.method
    // Models that extend this one have its hooks, and may have their rows elsewhere.
    if (model !== undefined && this.#models.has(model)) await judgeRequest(model, context)
  }

  /** What rules of access ask of rows, such as who owns one. */
  override async find (model: StoredModel, query: Query, options: StoreOptions): Promise<Row[]> {
    return await this.#rows.find(model, query, options)
  }

  override async findById (model: StoredModel, id: Id, select: Selection): Promise<Row | undefined> {
    return await this.#rows.findById(model, id, select)
  }

  override async count (model: StoredModel, where: Condition | undefined): Promise<number> {
    return await this.#rows.count(model, where)
  }

  protected noRows (model: StoredModel, method: string): Error {
    return notShared(model.name, method)
  }
}

/**
 * Makes the connector of a data source.
 *
 * ```js
 * app.register(core, { dataSources: { hall: { connector: remoteConnector, url: 'https://hall.example/api' } } })
 * ```
 * @throws FBK_REMOTE_SETTINGS, FBK_CORE_DATA_SOURCE_SETTINGS
 */
export const remoteConnector: ConnectorFactory = (settings, context) => new RemoteConnector(settings, context)
