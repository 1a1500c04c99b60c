/** The base class of connectors that are written for LoopBack's juggler: `class Mine extends Connector`. */
import type { ModelClass } from '@fastback/core'

/** What `define` is told of a model. */
export interface DefinedForConnector {
  readonly model: Pick<ModelClass, 'modelName' | 'definition'>
  readonly properties: Record<string, Record<string, unknown>>
  readonly settings: Record<string, unknown>
}

/**
 * What connectors of one's own may extend.
 *
 * ```js
 * class Mine extends Connector {
 *   constructor (settings) { super('mine', settings) }
 * }
 * ```
 */
export class Connector {
  readonly _models: Record<string, DefinedForConnector> = {}

  constructor (readonly name: string, readonly settings: Record<string, unknown> = {}) {}

  /** Whether rows are in tables. */
  get relational (): boolean {
    return this.getTypes().includes('rdbms')
  }

  /** Kinds of store that it is. */
  getTypes (): string[] {
    return ['db', 'nosql']
  }

  /** The type of ids that the store gives out. */
  getDefaultIdType (_property?: unknown): unknown {
    return String
  }

  /** Makes a model known. */
  define (definition: DefinedForConnector): void {
    this._models[definition.model.modelName] = definition
  }

  defineProperty (model: string, property: string, definition: Record<string, unknown>): void {
    const { properties } = this._models[model] ?? {}
    if (properties !== undefined) properties[property] = definition
  }

  getModelDefinition (model: string): DefinedForConnector | undefined {
    return this._models[model]
  }

  getPropertyDefinition (model: string, property: string): unknown {
    return this._models[model]?.properties[property]
  }

  /** What a model says to this connector. */
  getConnectorSpecificSettings (model: string): unknown {
    return this._models[model]?.settings[this.name]
  }

  idName (model: string): string | undefined {
    return this.idNames(model)[0]
  }

  idNames (model: string): string[] {
    return Object.entries(this._models[model]?.properties ?? {})
      .filter(([, { id }]) => Boolean(id))
      .map(([name]) => name)
  }

  disconnect (callback?: (error?: unknown) => void): void {
    if (callback !== undefined) process.nextTick(callback)
  }
}
