/** Push as a data source: its models get the methods of a manager (PU-01). It keeps no rows. */
import type { Connector, ConnectorContext, DataSourceSettings, JoinedDataSource, ModelClass, ModelRegistry, StoredModel } from '@fastback/core'
import { RowlessConnector } from '@fastback/core/connector'
import { lineageOf, setStoreLayer } from '@fastback/core/remote'
import { guardClosed, guardInstallations, guardSending } from './default-rules.js'
import { NoRowsError } from './errors.js'
import { setUpInstallation } from './models/installation.js'
import { setUpNotification } from './models/notification.js'
import { sealedSettings, sealingOf } from './models/sealed-settings.js'
import type { Attach } from './models/push-models.js'
import { mixIn } from './push-model.js'
import { PushManager } from './push-manager.js'
import type { PushOptions } from './settings.js'

export class PushConnector extends RowlessConnector implements Connector {
  readonly name = 'loopback-component-push'
  readonly generatedIdType = 'string'
  readonly defaultMigration = 'none'
  readonly modelBase = 'Model'
  readonly manager: PushManager
  readonly #models = new Set<ModelClass>()
  #hasWarned = false

  /** @throws FBK_CORE_DATA_SOURCE_SETTINGS */
  constructor (settings: DataSourceSettings, readonly context: ConnectorContext) {
    super()
    const { connector: _connector, ...own } = settings
    this.manager = new PushManager(own, context.dataSource)
  }

  joined (given: JoinedDataSource): void {
    const registry = given.registry as unknown as ModelRegistry
    this.manager.models.registry = registry
    registry.on('modelAttached', (Model: ModelClass) => {
      if (Model.dataSource?.name === given.name && (Model.dataSource as unknown) === given) {
        this.#models.add(Model)
        mixIn(Model, this.manager)
      } else this.#models.delete(Model)
    })
    registry.on('closing', () => { this.#complete(registry) })
    registry.on('started', () => { this.manager.start() })
  }

  /** Makes what the application does not have of the models, by the application where it wants to know of them. */
  attachModels (attach?: Attach): void {
    const { models, options } = this.manager
    const own = [
      ...(options.deliveryLog === true ? ['Delivery'] as const : []),
      ...(options.persist === true ? ['PushBatch'] as const : [])
    ]
    models.complete(['Installation', 'Notification', ...own], attach)
  }

  /** All models of the application are there: those of push get what they need. */
  #complete (registry: ModelRegistry): void {
    const { models } = this.manager
    this.attachModels()
    const Installation = models.find('Installation')
    const Notification = models.find('Notification')
    if (Installation !== undefined) {
      setUpInstallation(Installation)
      guardInstallations(Installation)
    }
    if (Notification !== undefined) {
      setUpNotification(Notification)
      guardClosed(Notification)
    }
    for (const Model of this.#models) guardSending(Model)
    this.#seal(registry)
  }

  /** Keys of services are encrypted at rest, once there is a secret to do it with (PU-19). */
  #seal ({ settings }: ModelRegistry): void {
    const Application = this.manager.models.find('Application')
    if (Application === undefined || Application.dataSource === null) return
    const ofFolder = settings.push as Pick<PushOptions, 'secret'> | undefined
    const given = this.manager.options.secret ?? ofFolder?.secret
    const secrets = given === undefined || given === false ? [] : [given].flat()
    const { log, dataSource } = this.context
    if (given === undefined && !this.#hasWarned) {
      this.#hasWarned = true
      const text = 'Keys of push services stand as plain text in the database: set its "secret", or false'
      log.warn({ dataSource }, text)
    }
    const layer = sealedSettings(sealingOf(secrets), () => {
      log.warn({ dataSource }, 'A key of a push service cannot be decrypted: the setting "secret" lacks its secret')
    })
    const base = lineageOf(Application).find(({ modelName }) => modelName === 'Application') ?? Application
    setStoreLayer(base, layer)
    Application.state.invalidate()
  }

  connect (): void {}

  /** While the data sources of the rows are still open. */
  async leave (): Promise<void> {
    await this.manager.stop()
  }

  async disconnect (): Promise<void> {}

  ping (): void {}

  attach (): void {}

  protected noRows (model: StoredModel, method: string): Error {
    return new NoRowsError(this.context.dataSource, model.name, method)
  }
}
