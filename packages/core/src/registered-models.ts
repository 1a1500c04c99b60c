/** The models of a registry: how a definition becomes one, by which names they are found, and how they go. */
import { whereFrom } from './builtin-models.js'
import type { ModelDefinitionInput } from './definition/definition.js'
import { flattenDefinition } from './definition/flatten.js'
import { baseGiven, normaliseDefinition, type OwnDefinition } from './definition/normalise.js'
import { checkDefinition, strictnessOf } from './definition/vocabulary/check-definition.js'
import { DuplicateModelError, UnknownBaseError, UnknownModelError } from './errors.js'
import type { ModelClass } from './interfaces/model-class.js'
import type { DefineOptions, ModelRegistry } from './interfaces/model-registry.js'
import { defineClass } from './model/define-class.js'
import { keyValueModel } from './model/key-value-model.js'
import { nearest } from './nearest.js'
import { waitingModelsOf } from './waiting-models.js'

/** The models that all others extend. */
const roots: readonly ModelDefinitionInput[] = [
  { name: 'Model' },
  { name: 'PersistedModel', base: 'Model', idInjection: true },
  keyValueModel
]

export class RegisteredModels {
  readonly byName: Record<string, ModelClass> = Object.create(null)
  readonly #roots: Record<string, ModelClass> = Object.create(null)

  constructor (readonly registry: ModelRegistry) {}

  get all (): ModelClass[] {
    return Object.values(this.byName)
  }

  /** Whether there are others than the roots. */
  get hasOwn (): boolean {
    return this.all.some(Model => this.#roots[Model.modelName] !== Model)
  }

  /** @param isListed whether they are found by their names; else these are free for others */
  defineRoots (isListed: boolean): void {
    for (const root of roots) {
      const { modelName } = this.#define(root)
      this.#roots[modelName] = this.byName[modelName] as ModelClass
      if (!isListed) delete this.byName[modelName]
    }
  }

  /** @throws as `ModelRegistry.defineModel` */
  define (input: ModelDefinitionInput, options: DefineOptions): ModelClass {
    return this.#define(flattenDefinition(input, options.source), options, this.#roots.PersistedModel)
  }

  /** @param defaultBase what it extends where it says nothing */
  #define (
    input: ModelDefinitionInput,
    { source, replaces = false, unlisted = false, setUp }: DefineOptions = {},
    defaultBase?: ModelClass
  ): ModelClass {
    const { registry } = this
    const { mixins, settings, log } = registry
    const own = normaliseDefinition(input, source, defaultBase?.modelName)
    if (!unlisted) checkDefinition(input, source, strictnessOf(settings.modelDefinitions), log)
    const base = own.base === undefined ? undefined : this.#baseOf(own, input, source)
    const before = unlisted ? undefined : this.byName[own.name]
    if (before !== undefined && (!replaces || own.base === own.name)) throw new DuplicateModelError(own.name)
    const Model = defineClass(registry, own, base)
    for (const [name, options] of Object.entries(own.mixins)) mixins.check(Model, name, options)
    if (unlisted) return Model
    this.byName[own.name] = Model
    if (before !== undefined) this.#forget(before)
    setUp?.(Model)
    if (registry.isClosed) this.#resolveRelations()
    registry.emit('modelDefined', Model)
    return Model
  }

  /** A class says which model is meant, whatever has its name by now. */
  #baseOf ({ name, base }: OwnDefinition, input: ModelDefinitionInput, source: string | undefined): ModelClass {
    const given = baseGiven(input)
    if (typeof given === 'function' && 'state' in given) return given as unknown as ModelClass
    const wanted = base as string
    const found = this.byName[wanted] ?? this.#roots[wanted] ?? this.registry.lookUp?.(wanted)
    if (found !== undefined) return found
    const advice = whereFrom(wanted) ?? nearest(wanted, Object.keys(this.byName))
    throw new UnknownBaseError(name, source === undefined ? '' : ` (${source})`, base, advice)
  }

  /** Relations that have waited for a model may have it now. */
  #resolveRelations (): void {
    for (const { state } of this.all) if (state.unresolved.size > 0) state.invalidate()
  }

  remove (name: string): void {
    const Model = this.byName[name]
    delete this.byName[name]
    if (Model === undefined) return
    this.#forget(Model)
    // Anyone who has made something of it looks again.
    Model.state.invalidate()
  }

  /** Another model has its name now, or none; who holds the class, or extends it, keeps it. */
  #forget (Model: ModelClass): void {
    const { state } = Model
    state.dataSource?.remove(Model)
    state.base?.children.delete(state)
    for (const other of this.all) other.state.invalidate()
  }

  /** @throws FBK_CORE_UNKNOWN_MODEL, with the base that it waits for, or the nearest name that exists */
  get (name: string): ModelClass {
    const Model = this.byName[name]
    if (Model !== undefined) return Model
    const base = waitingModelsOf(this.registry).baseOf(name)
    const advice = base === undefined
      ? whereFrom(name) ?? nearest(name, Object.keys(this.byName))
      : ` It waits for "${base}", which it extends.${whereFrom(base) ?? ''}`
    throw new UnknownModelError(name, advice)
  }

  byType (type: string | ModelClass): ModelClass | undefined {
    const base = this.#classOf(type)
    const extending = this.extending(base)
    return (
      extending.find(Model => Model.state.dataSource !== undefined) ??
      (base.state.dataSource !== undefined ? base : (extending[0] ?? base))
    )
  }

  extending (base: string | ModelClass): ModelClass[] {
    const { state } = this.#classOf(base)
    return this.all.filter(Model => Model.state !== state && Model.state.chain().includes(state))
  }

  #classOf (given: string | ModelClass): ModelClass {
    return typeof given === 'string' ? this.get(given) : given
  }
}
