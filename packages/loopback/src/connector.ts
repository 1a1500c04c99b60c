/**
 * `@fastback/loopback/connector`: stands for the package `loopback-connector` where an application does not have it.
 * The base class of connectors is here; what writes SQL for them is the package's.
 */
import { createRequire } from 'node:module'
import { ConnectorPackageMissingError, NotImplementedError } from './errors.js'

/** A property as a connector is told of it. */
export interface ConnectorProperty {
  readonly id?: unknown
  readonly type?: unknown
  readonly required?: boolean
  readonly nullable?: unknown
  readonly null?: unknown
  readonly allowNull?: unknown
  readonly name?: string
  readonly [key: string]: unknown
}

/** What a connector needs of the data source that has a model. */
interface ModelSource {
  idName (model: string): string
  idNames (model: string): string[]
}

/** A model as a connector is told of it. */
export interface ConnectorModel {
  readonly model: {
    readonly modelName: string
    readonly dataSource?: ModelSource | null
    readonly definition?: { readonly properties?: Record<string, ConnectorProperty> }
  }
  readonly properties: Record<string, ConnectorProperty>
  settings?: Record<string, unknown>
}

type Row = Record<string, unknown>

/**
 * What connectors extend.
 *
 * ```js
 * const { Connector } = require('loopback-connector')
 * class Erp extends Connector {
 *   constructor (settings) { super('erp', settings) }
 *   all (model, filter, options, callback) { … }
 * }
 * exports.initialize = (dataSource, callback) => { dataSource.connector = new Erp(dataSource.settings); callback() }
 * ```
 */
class BaseConnector {
  declare readonly _models: Record<string, ConnectorModel>
  declare readonly name: string
  declare readonly settings: Record<string, unknown>
  /** On the prototype, where connectors set it. */
  declare readonly relational: boolean
  /** Functions that models of this connector get. */
  declare DataAccessObject?: unknown

  /** @param name what the connector's settings of models and properties stand under: `{ "erp": { "column": "A" } }` */
  constructor (name: string, settings?: Record<string, unknown>) {
    initialise(this, name, settings)
  }

  isRelational (): boolean {
    return this.relational || this.getTypes().includes('rdbms')
  }

  getTypes (): string[] { return ['db', 'nosql'] }
  getDefaultIdType (_property?: unknown): unknown { return String }

  getMetadata (): { types: string[], defaultIdType: unknown, isRelational: boolean, schemaForSettings: object } {
    return {
      types: this.getTypes(),
      defaultIdType: this.getDefaultIdType(),
      isRelational: this.isRelational(),
      schemaForSettings: {}
    }
  }

  /** A value for an id that nobody gave: what the type of ids makes of nothing. */
  generateUniqueId (_model?: string): unknown {
    const type = this.getDefaultIdType()
    return typeof type === 'function' ? (type as () => unknown)() : null
  }

  /**
   * Sends a command to the store.
   * @throws FBK_LOOPBACK_NOT_IMPLEMENTED: a connector that has commands says how
   */
  execute (_command: unknown, ..._rest: unknown[]): unknown {
    throw new NotImplementedError('execute', this.name)
  }

  /** The older names of `execute`. */
  declare readonly command: BaseConnector['execute']
  declare readonly query: BaseConnector['execute']

  /** Called once for each model that is attached. */
  define (definition: ConnectorModel): void {
    definition.settings ??= {}
    this._models[definition.model.modelName] = definition
  }

  defineProperty (model: string, name: string, definition: ConnectorProperty): void {
    const properties = this.getModelDefinition(model)?.properties
    if (properties !== undefined) properties[name] = definition
  }

  getModelDefinition (model: string): ConnectorModel | undefined { return this._models[model] }

  /** What a model says under the connector's name. */
  getConnectorSpecificSettings (model: string): unknown {
    return this.getModelDefinition(model)?.settings?.[this.name]
  }

  /** A property; `address.city` is one within the type of another. */
  getPropertyDefinition (model: string, path: string): ConnectorProperty | undefined {
    const definition = this.getModelDefinition(model)
    return BaseConnector.getNestedPropertyDefinition(definition?.model.definition ?? definition ?? {}, path.split('.'))
  }

  static getNestedPropertyDefinition (
    { properties = {} }: { readonly properties?: Record<string, ConnectorProperty> }, [name = '', ...rest]: readonly string[]
  ): ConnectorProperty | undefined {
    const property = properties[name]
    if (rest.length === 0 || property === undefined) return property
    const type: unknown = Array.isArray(property.type) ? property.type[0] : property.type
    const inner = (type as { definition?: Pick<ConnectorModel, 'properties'> } | undefined)?.definition
    return inner === undefined ? undefined : BaseConnector.getNestedPropertyDefinition(inner, rest)
  }

  getDataSource (model: string): ModelSource | undefined {
    return this.getModelDefinition(model)?.model.dataSource ?? undefined
  }

  idName (model: string): string | undefined { return this.getDataSource(model)?.idName(model) }
  idNames (model: string): string[] | undefined { return this.getDataSource(model)?.idNames(model) }
  /** What the definition of a property says of being an id: true, its place among several, or nothing. */
  id (model: string, property: string): unknown { return this.getModelDefinition(model)?.properties[property]?.id }
  isIdProperty (model: string, property: string): boolean { return Boolean(this.id(model, property)) }

  /** The name that the store has for a property: what the definition says under the connector's name, else its own. */
  getPropertyDbName (model: string, path: string): string {
    const property = this.getPropertyDefinition(model, path)
    const own = property?.[this.name] as Record<string, string | undefined> | undefined
    const { dbName } = this as { dbName?: (name: string) => string }
    return own?.column ?? own?.columnName ?? own?.field ?? own?.fieldName ?? property?.name ??
      (typeof dbName === 'function' ? dbName.call(this, path) : path)
  }

  column (model: string, path: string): string { return this.getPropertyDbName(model, path) }
  getIdDbName (model: string): string { return this.getPropertyDbName(model, this.idName(model) ?? 'id') }
  idColumn (model: string): string { return this.getIdDbName(model) }

  getIdValue (model: string, data?: Row | null): unknown { return data?.[this.idName(model) ?? 'id'] }
  setIdValue (model: string, data: Row | null | undefined, value: unknown): void {
    if (data !== null && data !== undefined) data[this.idName(model) ?? 'id'] = value
  }

  /** Whether the store may keep null for a property. */
  isNullable (property: ConnectorProperty): boolean {
    if (property.required === true || Boolean(property.id)) return false
    const said = [property.nullable, property.null, property.allowNull]
    return said.some(Boolean) || !said.includes(false)
  }

  /** Called when the data source is connected; connectors with connections open them here. */
  connect (callback?: (error?: unknown) => void): void { if (callback !== undefined) process.nextTick(callback) }
  disconnect (callback?: (error?: unknown) => void): void { if (callback !== undefined) process.nextTick(callback) }

  getDataAccessObject (): unknown { return this.DataAccessObject }

  /** Gives a member further names. */
  static defineAliases (holder: object, name: string, aliases: string | readonly string[]): void {
    for (const alias of [aliases].flat()) {
      Object.defineProperty(holder, alias, {
        configurable: true,
        get (this: Record<string, unknown>) { return this[name] }
      })
    }
  }
}

Object.defineProperty(BaseConnector.prototype, 'relational', { value: false, writable: true, configurable: true })
BaseConnector.defineAliases(BaseConnector.prototype, 'execute', ['command', 'query'])

function initialise (connector: object, name: string, settings: Record<string, unknown> = {}): void {
  Object.assign(connector, { _models: {}, name, settings })
}

/**
 * The class of all connectors, which may be called as well: most were written before there was `class`, and say
 * `Connector.call(this, 'erp', settings)`.
 *
 * ```js
 * function Erp (settings) { Connector.call(this, 'erp', settings) }
 * util.inherits(Erp, Connector)
 * ```
 */
const CallableConnector = new Proxy(BaseConnector, {
  apply (_target, self: object, [name, settings]: [string, Record<string, unknown>?]) {
    initialise(self, name, settings)
  }
})
export { CallableConnector as Connector, type BaseConnector }

type PromiseCallback<T> = ((error: unknown, value?: T) => void) & { promise: Promise<T> }

/**
 * A callback with the promise that it settles.
 *
 * ```js
 * const done = callback ?? createPromiseCallback()
 * client.query(sql, done)
 * return done.promise
 * ```
 */
export function createPromiseCallback<T = unknown> (): PromiseCallback<T> {
  let settle: (error: unknown, value?: T) => void = () => {}
  const promise = new Promise<T>((resolve, reject) => {
    settle = (error, value) => {
      if (error !== undefined && error !== null) reject(error as Error)
      else resolve(value as T)
    }
  })
  return Object.assign((error: unknown, value?: T) => { settle(error, value) }, { promise })
}

const require = createRequire(import.meta.url)

/** A member of the real package. */
function ofPackage (name: string): unknown {
  try {
    return (require('loopback-connector') as Record<string, unknown>)[name]
  } catch (error) {
    if ((error as { code?: unknown }).code === 'MODULE_NOT_FOUND') throw new ConnectorPackageMissingError(name)
    throw error
  }
}

const fromPackage = (name: string): PropertyDescriptor => ({ get: () => ofPackage(name), configurable: true })

/** What `require('loopback-connector')` gives; what only the real package has is asked of it when it is read. */
export const connectorModule = Object.defineProperties({ Connector: CallableConnector, createPromiseCallback }, {
  SqlConnector: fromPackage('SqlConnector'),
  SQLConnector: fromPackage('SQLConnector'),
  ParameterizedSQL: fromPackage('ParameterizedSQL'),
  Transaction: fromPackage('Transaction'),
  ModelKeyComposer: fromPackage('ModelKeyComposer'),
  BinaryPacker: fromPackage('BinaryPacker'),
  JSONStringPacker: fromPackage('JSONStringPacker')
}) as {
  readonly Connector: typeof BaseConnector
  readonly createPromiseCallback: typeof createPromiseCallback
  /** @throws FBK_LOOPBACK_CONNECTOR_MISSING where `loopback-connector` is not installed; the same for what follows */
  readonly SqlConnector: any
  readonly SQLConnector: any
  readonly ParameterizedSQL: any
  readonly Transaction: any
  readonly ModelKeyComposer: any
  readonly BinaryPacker: any
  readonly JSONStringPacker: any
}
export default connectorModule
