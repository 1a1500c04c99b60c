/**
 * The root of all model classes. It holds no state of its own: everything declared on a model is in its `state`, so
 * that two registries in one process share nothing.
 */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { DataSource } from '../data-source/data-source.js'
import { isPromise } from '../maybe-promise.js'
import { promiseOrCallback, splitCallback } from '../callbacks.js'
import { validationError } from '../operations/validate.js'
import type { PropertyKind, Row } from '../properties/types.js'
import type { ModelRegistry } from '../interfaces/model-registry.js'
import type { Relation } from '../interfaces/relation.js'
import type { SharedClass } from '../remoting/shared-class.js'
import { validationsOf } from '../validations/declared-validations.js'
import { validateInstance } from '../validations/validate.js'
import { assignRow, compiledOf, INSTANCE, PERSISTED } from '../instances/instance.js'
import type { ModelClass } from '../interfaces/model-class.js'
import type { ModelInstance } from '../instances/model-instance.js'
import type { ModelState } from '../interfaces/model-state.js'

const typeNames: Readonly<Record<PropertyKind, string>> = {
  string: 'String',
  number: 'Number',
  integer: 'Number',
  long: 'Number',
  boolean: 'Boolean',
  date: 'Date',
  object: 'Object',
  array: 'Array',
  buffer: 'Buffer',
  geopoint: 'GeoPoint',
  any: 'Any',
  model: 'Object'
}

export interface InstanceOptions {
  /** Whether the data are those of a stored row. */
  persisted?: boolean
  /** False leaves defaults out. */
  applyDefaultValues?: boolean
}

/**
 * Gives a new instance its data. Values are turned into their property's type; those that cannot be are kept as given,
 * and validation reports them.
 */
export function initialise (
  instance: BaseModel, data: Readonly<Record<string, unknown>> | null | undefined, options: InstanceOptions = {}
): void {
  const model = compiledOf(instance)
  const given = data ?? {}
  const refused: string[] = []
  const row = model.coerce(given, ({ path }) => {
    const name = /^\.([^.[]+)/.exec(path)?.[1]
    if (name !== undefined && Object.hasOwn(given, name)) refused.push(name)
  })
  for (const name of refused) row[name] = given[name]
  if (options.applyDefaultValues !== false && options.persisted !== true) model.applyDefaults(row)
  instance[PERSISTED] = options.persisted === true
  assignRow(instance as unknown as ModelInstance, row, model)
}

export class BaseModel {
  /* Set on each class by `defineClass`. */
  declare static readonly modelName: string
  declare static readonly state: ModelState
  declare static readonly registry: ModelRegistry
  declare static readonly sharedClass: SharedClass
  /** The application that the model belongs to; set by whoever runs one. */
  declare static app: unknown

  declare [PERSISTED]: boolean
  declare readonly [INSTANCE]: true

  constructor (data?: Readonly<Record<string, unknown>> | null, options?: InstanceOptions) {
    initialise(this, data, options)
  }

  static get pluralModelName (): string {
    return this.state.definition.plural
  }

  static get definition (): ModelState['definition'] {
    return this.state.definition
  }

  static get settings (): Record<string, unknown> {
    return this.state.settings
  }

  static get compiled (): CompiledModel {
    return this.state.compiled
  }

  static get base (): ModelClass | undefined {
    return this.state.base?.Model
  }

  static get dataSource (): DataSource | null {
    return this.state.dataSource ?? null
  }

  static get relations (): Record<string, Relation> {
    return Object.fromEntries(this.state.relations)
  }

  /** Validations by property; `delete Model.validations.email` takes them back. */
  static get validations (): Record<string, unknown> {
    return validationsOf(this as unknown as ModelClass)
  }

  static getDataSource (): DataSource | null {
    return this.dataSource
  }

  static getConnector (): unknown {
    return this.dataSource?.connector
  }

  static getIdName (): string | undefined {
    return this.compiled.id?.name
  }

  /**
   * The type of a property by the name that LoopBack code knows: `String`, `Number`, `Array`, a model's name; null for
   * what is no property.
   */
  static getPropertyType (name: string): string | null {
    const type = this.compiled.propertyByName.get(name)?.type
    return type === undefined ? null : (type.model ?? typeNames[type.kind])
  }

  /** Adds or changes a property. Models that extend this one get it, too. */
  static defineProperty (name: string, definition: unknown): void {
    this.state.defineProperty(name, definition)
  }

  /** Attaches the model to a data source. */
  static attachTo (dataSource: DataSource): void {
    this.registry.attach(this as unknown as ModelClass, dataSource)
  }

  /** Defines a model that extends this one; `settings` say all that a definition may say. */
  static extend (
    name: string,
    properties: Record<string, unknown> = {},
    settings: Record<string, unknown> = {}
  ): ModelClass {
    const { base: _base, super: _super, ...own } = settings
    return this.registry.defineModel({ name, base: this as never, properties, settings: own }, { replaces: true })
  }

  /** Applies a mixin by name, or a mixin function. */
  static mixin (mixin: string | ((Model: unknown, options: unknown) => void), options: unknown = {}): void {
    if (typeof mixin === 'function') mixin(this, options)
    else this.registry.mixins.apply(this as unknown as ModelClass, mixin, options)
  }

  /* An event emitter per class, made when it is first used. */
  static on (event: string, listener: (...args: any[]) => void): unknown {
    this.state.events.on(event, listener)
    return this
  }

  static once (event: string, listener: (...args: any[]) => void): unknown {
    this.state.events.once(event, listener)
    return this
  }

  static off (event: string, listener: (...args: any[]) => void): unknown {
    this.state.events.off(event, listener)
    return this
  }

  static addListener (event: string, listener: (...args: any[]) => void): unknown {
    return this.on(event, listener)
  }

  static setMaxListeners (count: number): unknown {
    this.state.events.setMaxListeners(count)
    return this
  }

  static listeners (event: string): Function[] {
    return this.state.events.listeners(event)
  }

  static listenerCount (event: string): number {
    return this.state.events.listenerCount(event)
  }

  static removeAllListeners (event?: string): unknown {
    this.state.events.removeAllListeners(event)
    return this
  }

  static removeListener (event: string, listener: (...args: any[]) => void): unknown {
    return this.off(event, listener)
  }

  static emit (event: string, ...args: unknown[]): boolean {
    return this.state.events.emit(event, ...args)
  }

  getId (): unknown {
    const { id } = compiledOf(this)
    return id === undefined ? undefined : (this as Row)[id.name]
  }

  /** Whether the instance does not stand for a stored row yet. */
  isNewRecord (): boolean {
    return !this[PERSISTED]
  }

  /** The data as a plain object. `removeHidden` and `removeProtected` leave those properties out. */
  toObject (_onlySchema = false, removeHidden = false, removeProtected = false): Row {
    return compiledOf(this).toPlain(this as Row, { hidden: !removeHidden, included: removeProtected })
  }

  /** What `JSON.stringify` shows: hidden properties are left out. */
  toJSON (): Row {
    return compiledOf(this).toPlain(this as Row, { hidden: false, included: false })
  }

  /** The data as LoopBack code reads them. */
  get __data (): Row {
    return this as Row
  }

  setAttributes (data: Record<string, unknown>): void {
    const model = compiledOf(this)
    assignRow(
      this as unknown as ModelInstance,
      model.coerce(data, () => {}),
      model
    )
  }

  setAttribute (name: string, value: unknown): void {
    this.setAttributes({ [name]: value })
  }

  unsetAttribute (name: string): void {
    ;(this as Row)[name] = undefined
  }

  /**
   * Runs the validations: with a callback `(valid)`, or a promise of it; synchronously true or false when nothing is
   * asynchronous and no callback is given.
   */
  isValid (...args: unknown[]): unknown {
    const { callback } = splitCallback(args)
    const model = compiledOf(this)
    const found = validateInstance(model, this as unknown as ModelInstance, {})
    const conclude = (violations: Awaited<typeof found>): boolean => {
      const errors = violations.length === 0 ? false : validationError(model, violations, this as Row)
      Object.defineProperty(this, 'errors', {
        value: errors === false ? false : errors.details.messages,
        configurable: true,
        enumerable: false,
        writable: true
      })
      return violations.length === 0
    }
    if (callback === undefined) return isPromise(found) ? found.then(conclude) : conclude(found)
    promiseOrCallback(
      async () => conclude(await found),
      (error, valid) => {
        ;(callback as unknown as (valid: boolean) => void)(error === null && valid === true)
      }
    )
  }
}

Object.defineProperty(BaseModel.prototype, INSTANCE, { value: true })
