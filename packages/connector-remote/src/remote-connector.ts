import type { Connector, ConnectorFactory, ConnectorContext, DataSourceSettings, JoinedDataSource, ModelClass, StoredModel } from '@fastback/core'
import { RowlessConnector } from '@fastback/core/connector'
import { ServiceClient } from '@fastback/service-client'
import { notShared } from './errors.js'
import type { Caller } from './remote-call.js'
import { callRemotely } from './remote-model.js'
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

  /** @throws FBK_REMOTE_SETTINGS, FBK_CORE_DATA_SOURCE_SETTINGS */
  constructor (settings: DataSourceSettings, { dataSource, log }: ConnectorContext) {
    super()
    this.settings = readSettings(settings, dataSource)
    this.dataSource = dataSource
    this.url = this.settings.url
    this.remotes = { auth: this.settings.auth }
    this.client = new ServiceClient(this.settings.client, { dataSource, log })
  }

  auth (): RemoteAuth | undefined {
    return this.remotes.auth
  }

  /** Relations and methods may have come since the models were attached. */
  connect (): void {
    for (const Model of this.#models) callRemotely(Model, this)
  }

  async disconnect (): Promise<void> { await this.client.close() }

  /** Any answer will do. */
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
      if (!this.#models.has(Model)) {
        (Model as ModelClass & Emitting).on('remoteMethodAdded', () => {
          if (this.#models.has(Model)) callRemotely(Model, this)
        })
      }
      this.#models.add(Model)
      callRemotely(Model, this)
    })
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
