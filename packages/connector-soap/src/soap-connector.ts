import type { Connector, ConnectorContext, DataSourceSettings, JoinedDataSource, ModelClass, StoredModel } from '@fastback/core'
import { observerMethods, Observers, RowlessConnector } from '@fastback/core/connector'
import { SoapClient } from './client.js'
import { notReadYet, OperationsOnlyError } from './errors.js'
import type { NotifyAround } from './exchange.js'
import { mixIn } from './model-methods.js'
import { openService, type OpenService } from './open-service.js'
import { readSettings, withoutEffect, type SoapSettings } from './settings.js'

/**
 * A SOAP service as a data source. It keeps no rows: its models get a method for each operation (service-connectors.md,
 * section 4).
 */
export class SoapConnector extends RowlessConnector implements Connector {
  readonly name = 'soap'
  readonly generatedIdType = 'string'
  readonly defaultMigration = 'none'
  readonly modelBase = 'Model'
  readonly settings: SoapSettings
  readonly #models = new Set<ModelClass>()
  #opening: Promise<OpenService> | undefined
  #open: OpenService | undefined

  /** @throws FBK_CORE_DATA_SOURCE_SETTINGS */
  constructor (given: DataSourceSettings, readonly context: ConnectorContext) {
    super()
    this.settings = readSettings(given, context.dataSource)
    Object.assign(this, observerMethods(new Observers()))
    for (const name of withoutEffect) {
      if (given[name] !== undefined) this.#warn(`The setting "${name}" has no effect: namespaces are written where they belong`)
    }
  }

  /** What LoopBack's connector gives as the client of its SOAP library; undefined before the WSDL has been read. */
  get client (): SoapClient | undefined {
    return this.#open && new SoapClient(this.#open)
  }

  /** What is there, once the WSDL has been read. */
  get open (): OpenService | undefined {
    return this.#open
  }

  /** Names of all methods; those of the settings where it starts without the WSDL. */
  get methods (): readonly string[] {
    if (this.#open !== undefined) return [...this.#open.named.methods.keys()]
    return this.settings.lazyConnect === true ? Object.keys(this.settings.operations ?? {}) : []
  }

  /**
   * The service; reads the WSDL where nobody has yet. Anyone who comes after a failure tries again.
   * @throws RequestError 503 SERVICE_UNAVAILABLE
   */
  async service (): Promise<OpenService> {
    try {
      return await this.#read()
    } catch (error) {
      throw notReadYet(this.context.dataSource, error)
    }
  }

  #read (): Promise<OpenService> {
    const around = this.notifyObserversAround as NotifyAround
    return (this.#opening ??= openService(this.settings, this.context, around).then(open => {
      this.#open = open
      this.#tell(open)
      for (const Model of this.#models) mixIn(Model, this)
      return open
    }).catch((error: unknown) => {
      this.#opening = undefined
      throw error
    }))
  }

  #tell ({ wsdl, named }: OpenService): void {
    for (const { name, reason } of wsdl.skipped) this.#warn(`The operation "${name}" is left out: ${reason}`)
    for (const name of named.unknown) this.#warn(`"operations.${name}" names no operation of the WSDL`)
  }

  #warn (message: string): void {
    this.context.log.warn({ dataSource: this.context.dataSource }, message)
  }

  /** @throws FBK_SOAP_WSDL, FBK_SOAP_SECURITY, FBK_SOAP_MISSING_PACKAGE */
  async connect (): Promise<void> {
    try {
      await this.#read()
    } catch (error) {
      if (this.settings.lazyConnect !== true) throw error
      this.#warn(`${(error as Error).message} Its methods answer 503 until it can be read`)
    }
  }

  async disconnect (): Promise<void> {
    const opening = this.#opening
    this.#opening = undefined
    this.#open = undefined
    await (await opening?.catch(() => undefined))?.close()
  }

  async ping (): Promise<void> {
    await this.service()
  }

  attach (): void {}

  joined (dataSource: JoinedDataSource): void {
    dataSource.registry.on('modelAttached', given => {
      const Model = given as ModelClass
      if (Model.dataSource !== dataSource) {
        this.#models.delete(Model)
        return
      }
      this.#models.add(Model)
      mixIn(Model, this)
    })
  }

  getTypes (): string[] {
    return ['soap']
  }

  protected noRows (model: StoredModel, method: string): Error {
    return new OperationsOnlyError(this.context.dataSource, model.name, method)
  }
}

/** The methods of observers (SO-M8). */
export interface SoapConnector extends ReturnType<typeof observerMethods> {}
