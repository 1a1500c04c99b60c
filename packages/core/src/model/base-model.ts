/**
 * The root of all model classes. It holds no state of its own: everything declared on a model is in its `state`, so
 * that two registries in one process share nothing.
 */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { DataSource, ModelBuilder } from '../interfaces/data-source.js'
import type { PropertyDefinition } from '../definition/definition.js'
import { mergePolicy, type MergePolicy } from '../definition/merge-policy.js'
import { InvalidDefinitionError } from '../errors.js'
import { isPromise } from '../maybe-promise.js'
import { isClass, mixIn } from '../mixins.js'
import { definitionOf, type ClassDefinition } from '../model-builder/class-definition.js'
import { modelBuilderOf } from '../model-builder/model-builder.js'
import { promiseOrCallback } from '../callbacks.js'
import { validationError } from '../operations/validate.js'
import type { PropertyKind, Row } from '../properties/types.js'
import type { ModelRegistry } from '../interfaces/model-registry.js'
import type { Relation } from '../interfaces/relation.js'
import type { SharedClass } from '../remoting/shared-class.js'
import { validateInstance } from '../validations/validate.js'
import { tellErrors } from '../instances/instance-errors.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import { includedOf } from '../instances/included.js'
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

/**
 * The root of all classes, whatever their registry.
 *
 * ```js
 * new Note() instanceof BaseModel // true
 * ```
 */
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

  static get definition (): ClassDefinition {
    return definitionOf(this.state)
  }

  static get modelBuilder (): ModelBuilder {
    return modelBuilderOf(this.registry)
  }

  /** Where the model's routes are, below the root of the REST API. */
  static get http (): { path: string } {
    const { http, plural } = this.settings as { http?: { path?: string } | null, plural: string }
    return { path: `/${(http?.path ?? plural).replace(/^\//, '')}` }
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
    return Object.fromEntries([...this.state.relations].filter(([, relation]) => relation.isResolved))
  }

  /** Validations by property; `delete Model.validations.email` takes them back, `delete Model.validations` all. */
  declare static readonly validations: Record<string, unknown>

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

  /** Calls `visit` with the name and the definition of each property. */
  static forEachProperty (visit: (name: string, definition: PropertyDefinition) => void): void {
    for (const [name, definition] of Object.entries(this.definition.properties)) visit(name, definition)
  }

  static isHiddenProperty (name: string): boolean {
    return this.compiled.hidden.has(name)
  }

  static isProtectedProperty (name: string): boolean {
    return this.compiled.protectedNames.has(name)
  }

  /** Names of properties that only updates may set; undefined where there are none. */
  static getUpdateOnlyProperties (): string[] | undefined {
    const names = Object.entries(this.definition.properties)
      .filter(([, { updateOnly }]) => updateOnly === true)
      .map(([name]) => name)
    return names.length === 0 ? undefined : names
  }

  /** LoopBack makes accessors then; here properties need none. @throws FBK_CORE_INVALID_DEFINITION for no property */
  static registerProperty (name: string): void {
    if (this.compiled.propertyByName.has(name)) return
    throw new InvalidDefinitionError(`model "${this.modelName}"`, `has no property "${name}"`)
  }

  /** The application that the model belongs to: `(error, app)`, also when it comes later. */
  static getApp (callback: (error: unknown, app?: unknown) => void): void {
    if (this.app !== undefined) callback(null, this.app)
    else this.once('attached', () => { callback(null, this.app) })
  }

  /** How settings of a model that extends this one are merged with its own: LoopBack's table. */
  static getMergePolicy (options?: { configureModelMerge?: unknown } | null): MergePolicy {
    return mergePolicy(options)
  }

  /** Called on models that extend others, by `extend`; classes replace it to set themselves up. */
  static setup (): void {}

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
    const Model = this.registry.defineModel({ name, properties, settings: { ...own, base: this } }, { replaces: true })
    ;(Model as unknown as typeof BaseModel).setup()
    return Model
  }

  /** Applies a mixin by name, or a mixin function; a model gives its properties and functions. */
  static mixin (mixin: string | ((Model: unknown, options: unknown) => void), options: unknown = {}): void {
    if (isClass(mixin)) mixIn(this as unknown as ModelClass, mixin)
    else if (typeof mixin === 'function') mixin(this, options)
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

  getDataSource (): DataSource | null {
    return (this.constructor as typeof BaseModel).dataSource
  }

  getId (): unknown {
    const { id } = compiledOf(this)
    return id === undefined ? undefined : (this as Row)[id.name]
  }

  /** Whether the instance does not stand for a stored row yet. */
  isNewRecord (): boolean {
    return !this[PERSISTED]
  }

  /**
   * The data as a plain object, with all declared properties, also those that have no value; `onlySchema`: with no
   * others.
   * `removeHidden` and `removeProtected` leave those properties out.
   */
  toObject (onlySchema = false, removeHidden = false, removeProtected = false): Row {
    const { properties, toPlain } = compiledOf(this)
    const plain = toPlain(this as Row, { hidden: !removeHidden, included: removeProtected })
    const whole: Row = {}
    for (const { name, hidden, protected: isProtected } of properties) {
      if (!(hidden && removeHidden) && !(isProtected && removeProtected)) whole[name] = plain[name]
    }
    return onlySchema ? whole : Object.assign(whole, plain)
  }

  /** What `JSON.stringify` shows: hidden properties are left out. */
  toJSON (): Row {
    return compiledOf(this).toPlain(this as Row, { hidden: false, included: false })
  }

  /** The data as LoopBack code reads them. */
  get __data (): Row {
    return this as Row
  }

  /** What include has loaded, by relation, as LoopBack code reads it: instances. */
  get __cachedRelations (): Row {
    const accessors = this as unknown as Record<string, () => unknown>
    const related = Object.entries(includedOf(this as Row) ?? {})
    return Object.fromEntries(related.map(([name, value]) =>
      [name, value === undefined || value === null ? value : accessors[name]?.()]))
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
    const position = args.findIndex(arg => typeof arg === 'function')
    const callback = args[position] as ((valid: boolean) => void) | undefined
    const model = compiledOf(this)
    // LoopBack's order: callback, data, options.
    const options = (position < 0 ? args[1] : args[position + 2]) as OperationOptions | undefined
    const self = this as unknown as ModelInstance
    const found = validateInstance(model, self, options ?? {})
    const conclude = (violations: Awaited<typeof found>): boolean => {
      const isRight = violations.length === 0
      tellErrors(model, self, isRight ? undefined : validationError(model, violations, this as Row))
      return isRight
    }
    if (callback === undefined) return isPromise(found) ? found.then(conclude) : conclude(found)
    promiseOrCallback(
      async () => conclude(await found),
      (error, valid) => {
        callback(error === null && valid === true)
      }
    )
  }
}

Object.defineProperty(BaseModel.prototype, INSTANCE, { value: true })
