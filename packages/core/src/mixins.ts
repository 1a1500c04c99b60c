/** Mixins: functions `(Model, options)` by name, applied when a model that names them gets its data source. */
import { camelize, underscore } from 'inflection'
import { UndefinedMixinError } from './errors.js'
import type { ModelClass } from './interfaces/model-class.js'

export type Mixin = (Model: any, options: any) => void

export class MixinRegistry {
  readonly #mixins = new Map<string, Mixin>()

  /** Names are compared in their class form: `time-stamp`, `timeStamp` and `TimeStamp` are one. */
  define (name: string, mixin: Mixin): void {
    this.#mixins.set(classForm(name), mixin)
  }

  has (name: string): boolean {
    return this.#mixins.has(classForm(name))
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
   * The mixin that a model names; undefined where it is switched off.
   * @throws FBK_CORE_UNDEFINED_MIXIN
   */
  check (Model: ModelClass, name: string, options: unknown): Mixin | undefined {
    if (options === false || options === null || options === undefined) return undefined
    const mixin = this.#mixins.get(classForm(name))
    if (mixin !== undefined) return mixin
    const { source } = Model.state.own
    throw new UndefinedMixinError(Model.modelName, source === undefined ? '' : ` (${source})`, name)
  }
}

const classForm = (name: string): string => camelize(underscore(name.replace(/[-\s.]+/g, '_')))
