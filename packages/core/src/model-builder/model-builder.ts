/** LoopBack's `ModelBuilder`: the registry as code knows it that defines models without an application. */
import { EventEmitter } from 'node:events'
import { InvalidDefinitionError } from '../errors.js'
import type { ModelClass } from '../interfaces/model-class.js'
import type { ModelRegistry } from '../interfaces/model-registry.js'
import type { MixinRegistry } from '../mixins.js'
import { registerType } from '../properties/constructors.js'
import { propertiesOfExample } from '../introspection/properties-of-example.js'
import type { ModelBuilder as BuilderInterface } from '../interfaces/data-source.js'
import { constructorOf, type ConstructorType } from './property-types.js'

type Properties = Readonly<Record<string, unknown>>
type Settings = Readonly<Record<string, unknown>>

const kBuilder = Symbol('model builder')

/**
 * The model builder of a registry; there is one.
 *
 * ```js
 * modelBuilderOf(registry).define('Note', { title: String })
 * ```
 */
export const modelBuilderOf = (registry: ModelRegistry): BuilderInterface =>
  registry.slot(kBuilder, () => new ModelBuilder(registry))

/**
 * Defines models of no data source in particular; `dataSource.attach(Model)` gives them one.
 *
 * ```js
 * const Note = modelBuilder.define('Note', { title: String })
 * new Note({ title: 'hello' }).isValid() // true
 * ```
 */
export class ModelBuilder extends EventEmitter implements BuilderInterface {
  defaultModelBaseClass: ModelClass | undefined
  /** Settings that hold for all its models where they say nothing: `strictEmbeddedModels`. */
  readonly settings: Record<string, unknown> = {}
  #unnamed = 0

  constructor (readonly registry: ModelRegistry) {
    super()
  }

  /** Model classes by name, as an ordinary object: code asks it for `hasOwnProperty`. */
  get models (): Record<string, ModelClass> {
    return { ...this.registry.models }
  }

  /** Their definitions by name. */
  get definitions (): Record<string, ModelClass['definition']> {
    return Object.fromEntries(Object.values(this.registry.models).map(Model => [Model.modelName, Model.definition]))
  }

  get mixins (): MixinRegistry {
    return this.registry.mixins
  }

  /**
   * Defines a model. One that had the name gives it up, as in LoopBack.
   * @param parent the model that it extends; `settings.base` may say it as well
   * @throws as `registry.defineModel`
   */
  define (name: string, properties?: Properties, settings?: Settings, parent?: ModelClass): ModelClass {
    const Parent = parent ?? this.defaultModelBaseClass
    const base = Parent === undefined ? {} : { base: Parent }
    const input = { name, properties: properties ?? {}, settings: { ...base, ...settings } }
    const Model = this.registry.defineModel(input, { replaces: true })
    this.registry.applyMixins(Model)
    this.#inject(Model, settings?.models)
    return Model
  }

  /** The setting `models`: classes that are members of the class, `{ Address: 'Address' }`. */
  #inject (Model: ModelClass, models: unknown): void {
    for (const [name, given] of Object.entries(models ?? {})) {
      Model[name] = typeof given === 'string' ? this.getModel(given) : given
    }
  }

  findModel (name: string): ModelClass | undefined {
    return this.registry.findModel(name)
  }

  /** A class for an object of members; it has no name that others could use. */
  anonymous (members: object): ModelClass {
    const strict = this.settings.strictEmbeddedModels ?? false
    const settings = { base: 'Model', anonymous: true, idInjection: false, strict }
    return this.registry.defineModel(
      { name: this.getSchemaName(), properties: members as Properties, settings }, { unlisted: true }
    )
  }

  /** The constructor of a type: `'string'` is `String`, `['Note']` a list of the class. */
  resolveType (type: unknown): ConstructorType {
    return constructorOf(type, this)
  }

  /** Makes a constructor known as a type of properties. */
  defineValueType (type: Function): void {
    registerType(type)
  }

  /**
   * A class with the rows of another one, in a data source of its own.
   * @param listed whether it has the model's name here, where no other has it
   */
  copyModel (Master: ModelClass, listed = true): ModelClass {
    const name = Master.modelName
    const unlisted = !listed || this.registry.models[name] !== undefined
    return this.registry.defineModel({ name, settings: { base: Master } }, { unlisted })
  }

  /** The model of this name, or undefined. */
  getModel (name: string): ModelClass | undefined {
    return this.registry.findModel(name)
  }

  getModelDefinition (name: string): ModelClass['definition'] | undefined {
    return this.registry.findModel(name)?.definition
  }

  /** Adds or changes a property of a model. @throws FBK_CORE_UNKNOWN_MODEL */
  defineProperty (model: string, property: string, definition: unknown): void {
    this.registry.getModel(model).defineProperty(property, definition)
  }

  /** Adds properties to a model. @throws FBK_CORE_UNKNOWN_MODEL */
  extendModel (model: string, properties: Properties): void {
    for (const [name, definition] of Object.entries(properties)) this.defineProperty(model, name, definition)
  }

  /** Forgets a model; who holds its class keeps it. */
  deleteModelByName (name: string): void {
    this.registry.removeModel(name)
  }

  /**
   * Defines models of schemas, `{ name, properties, options }` each; an object of properties alone is one that is named
   * here.
   * @param define defines each of them (default: this)
   * @returns the models by name
   */
  buildModels (
    schemas: unknown,
    define: (name: string, properties: Properties, options: Settings) => ModelClass = (...args) => this.define(...args)
  ): Record<string, ModelClass> {
    const models = asSchemas(schemas).map(({ name, properties, options }) => {
      const Model = define(name ?? this.getSchemaName(), properties ?? {}, options ?? {})
      return [Model.modelName, Model] as const
    })
    return Object.fromEntries(models)
  }

  /** Defines a model with the properties that an example has. */
  buildModelFromInstance (name: string, example: object, settings?: Settings): ModelClass {
    return this.define(name, propertiesOfExample(example, settings), settings)
  }

  /** A name, or one that no other model has. */
  getSchemaName (name?: string): string {
    return name ?? `AnonymousModel_${this.#unnamed++}`
  }
}

interface Schema { readonly name?: string; readonly properties?: Properties; readonly options?: Settings }

function asSchemas (given: unknown): readonly Schema[] {
  if (Array.isArray(given)) return given as Schema[]
  if (given === null || typeof given !== 'object') {
    throw new InvalidDefinitionError('buildModels', 'needs schemas, or an object of properties')
  }
  return 'properties' in given && 'name' in given
    ? [given as Schema]
    : [{ properties: given as Properties, options: { anonymous: true } }]
}
