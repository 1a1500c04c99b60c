/**
 * Options of `@fastback/core` that are about built-in models before their package is registered: plugins come in their
 * usual order, and `definitions` may extend `User`, `models` may say where `Role` is kept.
 */
import { isBuiltin, whereFrom } from './builtin-models.js'
import { baseGiven } from './definition/normalise.js'
import type { ModelDefinitionInput } from './definition/definition.js'
import { UnknownBaseError, UnknownModelError } from './errors.js'
import type { ModelClass } from './interfaces/model-class.js'
import type { ModelRegistry } from './interfaces/model-registry.js'

/** An entry of the option `models`. */
export interface ModelEntryTarget {
  readonly dataSource: string | null
  readonly public?: boolean
  readonly options?: Record<string, unknown>
}

const kWaiting = Symbol('fastback.waitingModels')

/** Those of a registry. */
export const waitingModelsOf = (registry: ModelRegistry): WaitingModels =>
  registry.slot(kWaiting, () => new WaitingModels(registry))

class WaitingModels {
  /** By the name of the base that they wait for. */
  readonly #definitions = new Map<string, ModelDefinitionInput[]>()
  readonly #places = new Map<string, ModelEntryTarget>()

  constructor (readonly registry: ModelRegistry) {
    registry.on('modelDefined', (Model: ModelClass) => { this.#arrived(Model) })
  }

  /**
   * Defines models, and keeps those whose base, or a base of theirs, a package still brings.
   * @throws as `registry.defineModels`
   */
  define (definitions: readonly ModelDefinitionInput[]): void {
    const named = new Map(definitions.map(each => [each.name, each]))
    const waits = (name: string, seen: readonly string[] = []): boolean => {
      if (seen.includes(name) || this.registry.findModel(name) !== undefined) return false
      const base = named.has(name) ? baseGiven(named.get(name) as ModelDefinitionInput) : undefined
      if (!named.has(name)) return isBuiltin(name)
      return typeof base === 'string' && waits(base, [...seen, name])
    }
    for (const each of definitions) {
      if (!waits(each.name)) continue
      const base = baseGiven(each) as string
      this.#definitions.set(base, [...this.#definitions.get(base) ?? [], each])
    }
    const late = new Set([...this.#definitions.values()].flat())
    this.registry.defineModels(definitions.filter(each => !late.has(each)).map(input => ({ input })))
  }

  /**
   * Attaches models, and keeps what is said of those that are not defined yet.
   * @throws FBK_CORE_UNKNOWN_MODEL, FBK_CORE_UNKNOWN_DATA_SOURCE
   */
  place (models: Readonly<Record<string, ModelEntryTarget>>): void {
    for (const [name, place] of Object.entries(models)) {
      const isLate = this.registry.findModel(name) === undefined && (isBuiltin(name) || this.baseOf(name) !== undefined)
      if (isLate) this.#places.set(name, place)
      else this.#attach(name, place)
    }
  }

  /** The base that a model waits for; undefined for a model that does not wait. */
  baseOf (name: string): string | undefined {
    return [...this.#definitions].find(([, waiting]) => waiting.some(each => each.name === name))?.[0]
  }

  /**
   * To be called when everything is registered.
   * @throws FBK_CORE_UNKNOWN_BASE, FBK_CORE_UNKNOWN_MODEL for what nobody brought
   */
  mustHaveArrived (): void {
    // A model that waits for one that waits is not what is missing.
    const missing = [...this.#definitions.keys()].find(isBuiltin)
    if (missing !== undefined) {
      throw new UnknownBaseError(this.#definitions.get(missing)?.[0]?.name, '', missing, whereFrom(missing))
    }
    const [unplaced] = this.#places.keys()
    if (unplaced !== undefined) throw new UnknownModelError(unplaced, whereFrom(unplaced))
  }

  #arrived ({ modelName }: ModelClass): void {
    const place = this.#places.get(modelName)
    const heirs = this.#definitions.get(modelName) ?? []
    this.#places.delete(modelName)
    this.#definitions.delete(modelName)
    if (place !== undefined) this.#attach(modelName, place)
    for (const definition of heirs) this.registry.defineModel(definition)
  }

  #attach (name: string, { dataSource, public: isPublic, options: settings }: ModelEntryTarget): void {
    this.registry.attach(
      name, dataSource, { public: isPublic ?? true, ...(settings === undefined ? {} : { settings }) }
    )
  }
}
