/** Mixins: functions `(Model, options)` by name, applied when a model that names them gets its data source. */
import { camelize, underscore } from 'inflection'
import { UndefinedMixinError } from './errors.js'
import { nearest } from './nearest.js'
import type { ModelClass } from './interfaces/model-class.js'
import type { ModelState } from './interfaces/model-state.js'

export type Mixin = (Model: any, options: any) => void

export class MixinRegistry {
  readonly #mixins = new Map<string, Mixin>()
  /** The names as they were written. */
  readonly #written = new Set<string>()

  /** Names are compared in their class form: `time-stamp`, `timeStamp` and `TimeStamp` are one. */
  define (name: string, mixin: Mixin): void {
    this.#mixins.set(classForm(name), mixin)
    this.#written.add(name)
  }

  has (name: string): boolean {
    return this.#mixins.has(classForm(name))
  }

  /** The mixin of a name, if there is one. */
  find (name: string): Mixin | undefined {
    return this.#mixins.get(classForm(name))
  }

  /**
   * Applies one mixin. `options` may be true, an object, or a list of objects (applied once each); false switches the
   * mixin off.
   * @throws FBK_CORE_UNDEFINED_MIXIN (specification, Errors 3)
   */
  apply (Model: ModelClass, name: string, options: unknown): void {
    const mixin = this.check(Model, name, options)
    if (mixin === undefined) return
    for (const each of Array.isArray(options) ? options : [options]) mixin(Model, each === true ? {} : each)
  }

  /**
   * Applies the mixins of a model, once, when it gets its data source, as LoopBack does: they find it there. Those of
   * bases that have none are the model's own, too.
   */
  applyAll (state: ModelState): void {
    if (state.hasMixins) return
    state.hasMixins = true
    const wanted: Array<[string, unknown]> = []
    for (let each: ModelState | undefined = state; each !== undefined; each = each.base) {
      if (each !== state && each.dataSource !== undefined) break
      wanted.unshift(...Object.entries(each.own.mixins))
    }
    for (const [name, options] of wanted) this.apply(state.Model, name, options)
  }

  /** LoopBack's name of `apply`. */
  applyMixin (Model: ModelClass, name: string, options: unknown = {}): void {
    this.apply(Model, name, options)
  }

  /**
   * The mixin that a model names; undefined where it is switched off.
   * @throws FBK_CORE_UNDEFINED_MIXIN
   */
  check (Model: ModelClass, name: string, options: unknown): Mixin | undefined {
    if (options === false || options === null || options === undefined) return undefined
    const mixin = this.#mixins.get(classForm(name))
    if (mixin !== undefined) return mixin
    const Other = Model.registry.findModel(name)
    if (Other !== undefined && Other !== Model) return Target => { mixIn(Target as ModelClass, Other) }
    const { source } = Model.state.own
    throw new UndefinedMixinError(Model.modelName, source === undefined ? '' : ` (${source})`, name,
      nearest(name, [...this.#written]))
  }
}

/** Whether a mixin is a model, and no function that changes one. */
export const isClass = (mixin: unknown): mixin is ModelClass => typeof mixin === 'function' && 'modelName' in mixin

/** Gives a model the properties and the functions of another one, where it has none of the name. */
export function mixIn (Model: ModelClass, Other: ModelClass): void {
  const own = Model.state.definition.properties
  for (const [name, definition] of Object.entries(Other.state.definition.properties)) {
    if (own[name] === undefined) Model.defineProperty(name, definition)
  }
  copyMembers(Other, Model)
  copyMembers(Other.prototype, Model.prototype)
}

function copyMembers (from: object, to: object): void {
  for (const [name, member] of Object.entries(from)) {
    if (!(name in to)) Object.defineProperty(to, name, { value: member, configurable: true, writable: true })
  }
}

const classForm = (name: string): string => camelize(underscore(name.replace(/[-\s.]+/g, '_')))
