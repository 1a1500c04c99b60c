/** `@fastback/loopback/juggler`: stands for the package `loopback-datasource-juggler`. */
import { DataSource as CoreDataSource, ModelRegistry, errors, type ModelClass } from '@fastback/core'
import { applications } from './applications.js'

type Settings = Record<string, unknown>

/**
 * `new DataSource(name, settings)` or `new DataSource(settings)`: a data source of the current application.
 *
 * ```js
 * const { DataSource } = require('loopback-datasource-juggler')
 * const db = new DataSource('db', { connector: 'memory' })
 * const Note = db.createModel('Note', { title: String })
 * ```
 * @throws FBK_CORE_UNKNOWN_CONNECTOR, FBK_CORE_DATA_SOURCE_SETTINGS
 */
export const DataSource = new Proxy(CoreDataSource, {
  construct: (_target, [name, settings]: [string | Settings, Settings?]) =>
    applications.current.loopback.createDataSource(name, settings)
}) as unknown as {
  new (name: string | Settings, settings?: Settings): CoreDataSource
  readonly prototype: CoreDataSource
}

/**
 * Defines models of no data source.
 *
 * ```js
 * const Note = new ModelBuilder().define('Note', { title: String })
 * new Note({ title: 'hello' }).isValid() // true
 * ```
 */
export class ModelBuilder {
  readonly #registry = new ModelRegistry({ settings: { modelDefinitions: 'open' } })

  /** Model classes by name. */
  get models (): Record<string, ModelClass> {
    return this.#registry.models
  }

  /** Models that name no base extend `Model`: they have properties and validations, and no operations. */
  define (name: string, properties: Settings = {}, settings: Settings = {}): ModelClass {
    return this.#registry.defineModel({ name, base: 'Model', properties, ...settings })
  }

  /** The model of this name, or undefined. */
  getModel (name: string): ModelClass | undefined {
    return this.#registry.findModel(name)
  }
}

const { ValidationError } = errors

export { GeoPoint } from '@fastback/boot/server'
export { ValidationError, DataSource as Schema, ModelBuilder as LDL }
