/** Juggler's data source, played for the connector: what the modules on npm ask of it. */
import { EventEmitter } from 'node:events'
import type { DataSourceSettings, StoredModel } from '@fastback/core'
import type { LegacyConnector } from './connector.js'
import { LegacyModel, LegacyModelDefinition } from './model.js'
import { mixInObservers } from './observers.js'
import type { LegacyProperty } from './types.js'

/** Stands for juggler's `KeyValueAccessObject`: key-value models have their methods from Fastback. */
class KeyValueAccessObject {}

/** Juggler's `ModelBuilder`, as far as connectors define types with it. */
class LegacyModelBuilder {
  static registerType (): void {}
  readonly models: Record<string, LegacyModel> = {}
  readonly definitions: Record<string, LegacyModelDefinition> = {}

  defineValueType (): void {}
  getModel (name: string): LegacyModel | undefined { return this.models[name] }
  getModelDefinition (name: string): LegacyModelDefinition | undefined { return this.definitions[name] }
}

/** How many operations juggler lets wait for the connection. */
const offlineRequests = 16

export class LegacyDataSource extends EventEmitter {
  /** Methods that juggler gives models; Fastback has given them theirs. */
  static readonly DataAccessObject = function DataAccessObject (): void {}
  readonly juggler = { KeyValueAccessObject }
  readonly modelBuilder = new LegacyModelBuilder()
  readonly settings: Record<string, unknown>
  connected = false
  connecting = false
  initialized = false
  connector: LegacyConnector | undefined
  adapter: LegacyConnector | undefined

  constructor (readonly name: string, settings: DataSourceSettings) {
    super()
    this.settings = { name, ...settings }
    this.setMaxListeners(0)
    // Without a listener `emit('error')` throws; failures come by callback as well.
    this.on('error', () => {})
  }

  get models (): Record<string, LegacyModel> { return this.modelBuilder.models }
  get definitions (): Record<string, LegacyModelDefinition> { return this.modelBuilder.definitions }

  /** The connector that `initialize` left here, made complete; undefined while there is none. */
  get complete (): LegacyConnector | undefined {
    const connector = this.connector ?? this.adapter
    if (connector === undefined || connector === null) return undefined
    if (this.adapter !== connector) {
      this.connector = this.adapter = connector
      connector.dataSource ??= this
      connector.log ??= () => {}
      connector.logger ??= () => () => {}
      mixInObservers(connector)
    }
    return connector
  }

  /** Makes a model known to the connector. */
  define (model: StoredModel): void {
    const definition = new LegacyModelDefinition(model)
    const Model = new LegacyModel(model, definition, this)
    this.modelBuilder.definitions[model.name] = definition
    this.modelBuilder.models[model.name] = Model
    const { complete } = this
    if (typeof complete?.define !== 'function') return
    complete.define({ model: Model, properties: definition.properties, settings: definition.settings })
  }

  /** Connectors ask for it where their functions are known late (swagger); models have them once it is connected. */
  mixin (): void {}
  getModel (name: string): LegacyModel | undefined { return this.models[name] }
  getModelDefinition (name: string): LegacyModelDefinition | undefined { return this.definitions[name] }
  getMaxOfflineRequests (): number { return Number(this.settings.maxOfflineRequests ?? offlineRequests) }
  log (): void {}
  getTypes (): unknown { return call(this.complete, 'getTypes') ?? [] }
  getDefaultIdType (): unknown { return call(this.complete, 'getDefaultIdType') }
  supportTypes (types: string | readonly string[]): boolean {
    const own = this.getTypes() as readonly string[]
    return [types].flat().every(type => own.includes(type))
  }

  /** Whether the store is one of tables: it keeps declared properties only, and missing values are null. */
  isRelational (): boolean {
    const { complete } = this
    return complete?.relational === true || call(complete, 'isRelational') === true || this.supportTypes('rdbms')
  }

  idName (model: string): string | undefined { return this.definitions[model]?.idName() }
  idNames (model: string): string[] { return this.definitions[model]?.idNames() ?? [] }
  idProperty (model: string): LegacyProperty | undefined { return this.definitions[model]?.ids()[0]?.property }
  tableName (model: string): unknown { return this.definitions[model]?.tableName(this.#name) }
  columnName (model: string, property: string): unknown {
    return this.definitions[model]?.columnName(this.#name, property)
  }

  columnNames (model: string): unknown { return this.definitions[model]?.columnNames(this.#name) }
  idColumnName (model: string): unknown { return this.definitions[model]?.idColumnName(this.#name) }
  columnMetadata (model: string, property: string): unknown {
    return this.definitions[model]?.columnMetadata(this.#name, property)
  }

  get #name (): string { return String(this.complete?.name) }
}

function call (connector: LegacyConnector | undefined, method: string): unknown {
  const found = connector?.[method]
  return typeof found === 'function' ? found.call(connector) : undefined
}
