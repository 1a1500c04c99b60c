/**
 * The root of all model classes. It holds no state of its own: everything declared on a model is in its `state`, so
 * that two registries in one process share nothing.
 */
import { inspect, type InspectOptions } from 'node:util'
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { DataSource, ModelBuilder } from '../interfaces/data-source.js'
import { mergePolicy, type MergePolicy } from '../definition/merge-policy.js'
import { isPromise } from '../maybe-promise.js'
import { isClass, mixIn } from '../mixins.js'
import { modelBuilderOf } from '../model-builder/model-builder.js'
import { promiseOrCallback } from '../callbacks.js'
import { rootOf } from '../violation.js'
import { refuseRelatedRows } from '../operations/related-data.js'
import { STANDARD, validationError, violationsOf } from '../operations/validate.js'
import { unknownIn } from '../properties/coerce.js'
import type { Row } from '../properties/types.js'
import type { ModelRegistry } from '../interfaces/model-registry.js'
import type { Relation } from '../interfaces/relation.js'
import { recallable } from '../relations/cache.js'
import type { SharedClass } from '../remoting/shared-class.js'
import { setErrors } from '../instances/instance-errors.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import { dropIncluded } from '../instances/included.js'
import { assignRow, compiledOf, isInstance } from '../instances/instance.js'
import { INSTANCE, keepUnknown, PERSISTED } from '../instances/marks.js'
import type { ModelClass } from '../interfaces/model-class.js'
import { DescribedModel } from './described-model.js'
import { hookNames, type Observer } from '../hooks.js'
import { replaceObservers } from './observe.js'
import { declareLegacyHooks } from './legacy-hooks.js'
import type { ModelInstance } from '../instances/model-instance.js'
import type { ModelState } from '../interfaces/model-state.js'
import { shownId } from '../query/id.js'

export interface InstanceOptions {
  /** Whether the data are those of a stored row. */
  persisted?: boolean
  /** False leaves defaults out. */
  applyDefaultValues?: boolean
  /** False keeps values as they are given, past the setters of properties. */
  applySetters?: boolean
}

/**
 * Gives a new instance its data. Values are turned into their property's type; those that cannot be are kept as given,
 * and validation reports them. Those of a row that is stored may have what an include has loaded.
 * @throws RequestError 400 for data of a row to be with rows of relations
 */
export function initialise (
  instance: BaseModel, data: Readonly<Record<string, unknown>> | null | undefined, options: InstanceOptions = {}
): void {
  const model = compiledOf(instance)
  const given = data ?? {}
  if (options.persisted !== true && !isInstance(given)) refuseRelatedRows(model, given)
  const refused: string[] = []
  const unknown: string[] = []
  const hasBeenSet = options.persisted === true || options.applySetters === false
  const coerce = hasBeenSet ? model.accessors?.coerceStored ?? model.coerce : model.coerce
  const row = coerce(given, violation => {
    const stranger = unknownIn(violation)
    if (stranger !== undefined) {
      unknown.push(stranger)
      return
    }
    const name = rootOf(violation)
    if (name !== undefined && Object.hasOwn(given, name)) refused.push(name)
  })
  for (const name of refused) row[name] = given[name]
  if (options.applyDefaultValues !== false && options.persisted !== true) model.applyDefaults(row)
  instance[PERSISTED] = options.persisted === true
  const self = assignRow(instance as unknown as ModelInstance, row, model)
  keepUnknown(self, unknown)
  for (const name of ownersGiven(model, given)) (self[name] as (related: unknown) => void)(given[name])
  model.initialised?.call(self as Row)
}

/** Null for what a row has no value for: properties in `whole`, other members in `plain`. */
function fillWithNull (
  row: Readonly<Row>, whole: Row, plain: Row, propertyByName: CompiledModel['propertyByName']
): void {
  for (const name of Object.keys(whole)) {
    if (whole[name] === undefined && propertyByName.get(name)?.idPosition === 0) whole[name] = plain[name] = null
  }
  for (const name of Object.keys(row)) if (row[name] === undefined && !propertyByName.has(name)) plain[name] = null
}

/** Names under which data hold an instance of the model that they belong to: the row is to point at it. */
function ownersGiven ({ relations, propertyByName }: CompiledModel, data: Readonly<Row>): string[] {
  const names: string[] = []
  for (const [name, { type }] of relations) {
    if (type === 'belongsTo' && isInstance(data[name]) && !propertyByName.has(name)) names.push(name)
  }
  return names
}

/** The data of a row to be; as an instance where they hold one that it belongs to, whose key it takes. */
export function withOwners (Model: ModelClass, data: Readonly<Row>): Readonly<Row> {
  return isInstance(data) || ownersGiven(Model.compiled, data).length === 0 ? data : new Model(data) as Row
}

/**
 * The root of all classes, whatever their registry.
 *
 * ```js
 * new Note() instanceof BaseModel // true
 * ```
 */
export class BaseModel extends DescribedModel {
  /* Set on each class by `defineClass`. */
  declare static readonly registry: ModelRegistry
  declare static readonly sharedClass: SharedClass
  /** The application that the model belongs to; set by anyone who runs one. */
  declare static app: unknown

  declare [PERSISTED]: boolean
  declare readonly [INSTANCE]: true

  constructor (data?: Readonly<Record<string, unknown>> | null, options?: InstanceOptions) {
    super()
    initialise(this, data, options)
  }

  static get pluralModelName (): string {
    return this.state.definition.plural
  }

  static get modelBuilder (): ModelBuilder {
    return modelBuilderOf(this.registry)
  }

  /** Where the model's routes are, below the root of the REST API. */
  static get http (): { path: string } {
    const { http, plural } = this.settings as { http?: { path?: string } | null, plural: string }
    return { path: `/${(http?.path ?? plural).replace(/^\//, '')}` }
  }

  /**
   * Getters of properties: `Note.getter.title = function () { return this.$title.trim() }`. `this.$title` is what is
   * kept; a getter is for properties of the definition.
   */
  static get getter (): ModelState['getters'] {
    return this.state.getters
  }

  /** Setters of properties: `Note.setter.title = function (value) { this.$title = value.trim() }`. */
  static get setter (): ModelState['setters'] {
    return this.state.setters
  }

  static get settings (): Record<string, unknown> {
    return this.state.settings
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

  /** The observers of the model itself by hook, as code of LoopBack applications looks at them; a copy. */
  static get _observers (): Record<string, readonly Observer[]> {
    const own = this.state.observers
    return Object.fromEntries([...hookNames, ...own.keys()].map(hook => [hook, [...own.get(hook) ?? []]]))
  }

  /** Puts others in the place of the application's; what the framework listens by stays. */
  static set _observers (given: Record<string, readonly Observer[]>) {
    replaceObservers(this.state, given)
  }

  static getDataSource (): DataSource | null {
    return this.dataSource
  }

  static getConnector (): unknown {
    return this.dataSource?.connector
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

  /** LoopBack declares the built-in remote methods by it; here they are declared as long as the model is. */
  static setupRemoting (): void {}

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

  getDataSource (): DataSource | null {
    return (this.constructor as typeof BaseModel).dataSource
  }

  /** The id; the parts of a compound one by name. */
  getId (): unknown {
    return shownId(compiledOf(this), this as Row)
  }

  /** Whether the instance does not stand for a stored row yet. */
  isNewRecord (): boolean {
    return !this[PERSISTED]
  }

  /**
   * The data as a plain object, with all declared properties, also those that have no value; `onlySchema`: with no
   * others, where the model is strict, as is the default there.
   * `removeHidden` and `removeProtected` leave those properties out.
   */
  toObject (onlySchema?: boolean, removeHidden = false, removeProtected = false): Row {
    const { properties, propertyByName, toPlain, open, settings } = compiledOf(this)
    const plain = toPlain(this as Row, { hidden: !removeHidden, included: removeProtected })
    const whole: Row = {}
    for (const { name, hidden, protected: isProtected } of properties) {
      if (!(hidden && removeHidden) && !(isProtected && removeProtected)) whole[name] = plain[name]
    }
    if (settings.persistUndefinedAsNull === true) fillWithNull(this as Row, whole, plain, propertyByName)
    // Of an open model all is schema.
    if ((onlySchema ?? true) && !open) return whole
    return Object.assign(whole, plain)
  }

  /** What `JSON.stringify` shows: hidden properties are left out. */
  toJSON (): Row {
    return compiledOf(this).toPlain(this as Row, { hidden: false, included: false })
  }

  /** The data as LoopBack code reads them. */
  get __data (): Row {
    return compiledOf(this).accessors?.kept(this) ?? this as Row
  }

  /** What was included or loaded, by relation, as LoopBack code reads it: instances. */
  get __cachedRelations (): Row {
    const self = this as unknown as ModelInstance
    const { relations } = compiledOf(this)
    return Object.fromEntries(recallable(self).map(name => [name, relations.get(name)?.atHand(self)]))
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

  /**
   * Takes back the value of a property. Under the name of a relation it takes back what was included; the accessor
   * stays.
   *
   * @param nullify whether the property becomes null, as it does where the model persists undefined as null
   */
  unsetAttribute (name: string, nullify = false): void {
    const { settings, relations, propertyByName } = compiledOf(this)
    const self = this as Row
    if (relations.has(name) && !propertyByName.has(name)) dropIncluded(self, name)
    else self[name] = nullify || settings.persistUndefinedAsNull === true ? null : undefined
  }

  /** Sets the id, whatever its property is called; the parts of a compound one by name. */
  setId (value: unknown): void {
    const { id, key } = compiledOf(this)
    if (id !== undefined) (this as Row)[id.name] = value
    else if (value !== null && typeof value === 'object') {
      for (const { name } of key) (this as Row)[name] = (value as Row)[name]
    }
  }

  /** Takes over all members of an object as they are. */
  fromObject (values: Readonly<Record<string, unknown>>): void {
    Object.assign(this, values)
  }

  /** Removes what is no property of the definition. */
  reset (): void {
    const { propertyByName } = compiledOf(this)
    for (const name of Object.keys(this)) if (!propertyByName.has(name)) delete (this as Row)[name]
  }

  /** The data as text, for people to read. */
  inspect (depth?: number, options?: InspectOptions): string {
    return inspect(this.toObject(), { ...options, ...(depth === undefined ? {} : { depth }) })
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
    const found = violationsOf(model, self, options)
    const conclude = (violations: Awaited<typeof found>): boolean => {
      const isRight = violations.length === 0
      setErrors(model, self, isRight ? undefined : validationError(model, violations, this as Row))
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
Object.defineProperty(BaseModel.prototype.isValid, STANDARD, { value: true })
declareLegacyHooks(BaseModel)
