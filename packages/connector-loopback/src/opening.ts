/** Making a connector and waiting for its connection. */
import type { DataSourceSettings } from '@fastback/core'
import { callWith, methodOf } from './call.js'
import { caused, InitializeError, NotReachableError } from './errors.js'
import type { LegacyDataSource } from './legacy/data-source.js'
import type { LegacyConnector } from './legacy/connector.js'
import { isConnectorClass, type LoopbackConnectorClass, type LoopbackConnectorModule } from './module.js'

/** Milliseconds to wait for `initialize` to call back, where the data source does not say. */
const defaultTimeout = 10_000

/** What a connector has that reaches for something; LoopBack waits for no other, whether it calls back or not. */
const reaching = ['connect', 'ping', 'execute', 'get']

export class Opening {
  readonly #timeout: number
  #connected: Promise<void> | undefined

  constructor (
    readonly module: LoopbackConnectorModule | LoopbackConnectorClass,
    readonly dataSource: LegacyDataSource,
    settings: DataSourceSettings
  ) {
    const { connectTimeout, connectionTimeout } = settings as Record<string, unknown>
    this.#timeout = Number(connectTimeout ?? connectionTimeout ?? defaultTimeout) || defaultTimeout
  }

  /** @throws FBK_CONNECTOR_INITIALIZE */
  get connector (): LegacyConnector {
    return this.#mustBeThere()
  }

  #mustBeThere (): LegacyConnector {
    const { complete } = this.dataSource
    if (complete === undefined) throw this.#notMade('it left none in "dataSource.connector"')
    return complete
  }

  #notMade (reason: string): InstanceType<typeof InitializeError> {
    const { name, settings: { connector } } = this.dataSource
    return new InitializeError(name, typeof connector === 'string' ? ` "${connector}"` : '', reason)
  }

  /**
   * Makes the connector, as LoopBack does when the data source is made; the connection comes later.
   * @throws FBK_CONNECTOR_INITIALIZE
   */
  begin (): void {
    const { dataSource } = this
    dataSource.connecting = true
    let settle: (error?: unknown) => void = () => {}
    const connected = new Promise<void>((resolve, reject) => {
      settle = error => {
        dataSource.connecting = false
        if (error === undefined || error === null) resolve()
        else reject(error)
      }
    })
    try {
      this.#initialize(error => { settle(error) })
    } catch (error) {
      throw caused(this.#notMade((error as Error).message), error)
    }
    this.#connected = connected.then(() => { this.#opened() })
    // Anyone who connects gets to know.
    this.#connected.catch(() => {})
    const { complete } = dataSource
    if (complete !== undefined && !reaching.some(name => methodOf(complete, name) !== undefined)) {
      this.#connected = Promise.resolve()
      this.#opened()
    }
  }

  #initialize (callback: (error?: unknown) => void): void {
    const { module, dataSource } = this
    if (!isConnectorClass(module) || 'initialize' in module) {
      (module as LoopbackConnectorModule).initialize(dataSource, callback)
      return
    }
    const Connector: LoopbackConnectorClass = module
    dataSource.connector = new Connector(dataSource.settings) as LegacyConnector
    const { complete } = dataSource
    if (complete === undefined || methodOf(complete, 'connect') === undefined) callback()
    else callWith(complete, 'connect', []).then(() => { callback() }, callback)
  }

  #opened (): void {
    const { dataSource } = this
    this.#mustBeThere()
    dataSource.initialized = true
    dataSource.connected = true
    dataSource.emit('initialized')
    dataSource.emit('connected')
  }

  /** @throws FBK_CONNECTOR_NOT_REACHABLE, also when nothing is heard for `connectTimeout` milliseconds */
  async connect (): Promise<void> {
    const { name } = this.dataSource
    if (this.#connected === undefined) this.#connected = this.#again()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => { reject(new Error(`no response for ${this.#timeout} ms`)) }, this.#timeout)
    })
    try {
      await Promise.race([this.#connected, late])
    } catch (error) {
      this.#connected = undefined
      if (error instanceof InitializeError || this.dataSource.complete === undefined) this.#mustBeThere()
      const reason = error instanceof Error ? error.message || error.name : String(error)
      throw caused(new NotReachableError(name, reason), error)
    } finally {
      clearTimeout(timer)
    }
  }

  /** After a failure, or after `disconnect`. */
  async #again (): Promise<void> {
    const { dataSource } = this
    const { complete } = dataSource
    if (complete !== undefined && methodOf(complete, 'connect') !== undefined) {
      await callWith(complete, 'connect', [])
      this.#opened()
      return
    }
    const models = Object.values(dataSource.models)
    this.begin()
    for (const Model of models) {
      const { definition } = Model
      if (typeof dataSource.complete?.define !== 'function') continue
      dataSource.complete.define({ model: Model, properties: definition.properties, settings: definition.settings })
    }
    await this.#connected
  }

  async disconnect (): Promise<void> {
    const { dataSource } = this
    const { complete } = dataSource
    this.#connected = undefined
    dataSource.connected = false
    if (complete !== undefined && methodOf(complete, 'disconnect') !== undefined) {
      await callWith(complete, 'disconnect', [])
    }
    dataSource.emit('disconnected')
  }
}
