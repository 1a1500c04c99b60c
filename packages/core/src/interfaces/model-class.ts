/** The class of a model as the parts of the core share it. The typed face for users is in `typed/model.ts`. */
import type { DataSource } from './data-source.js'
import type { DefinedModel } from '../definition/defined-model.js'
import type { HookName, Observer } from '../hooks.js'
import type { InstanceOptions, ModelInstance } from '../instances/model-instance.js'
import type { CompiledModel } from './compiled-model.js'
import type { ModelRegistry } from './model-registry.js'
import type { ModelState } from './model-state.js'
import type { RemoteMethodOptions } from './shared-method.js'

/** What is known of every model class, typed by its definition or not. */
export interface ModelFacts {
  readonly modelName: string
  readonly pluralModelName: string
  /** The effective definition: inheritance applied. */
  readonly definition: DefinedModel
  readonly settings: Record<string, unknown>
  readonly registry: ModelRegistry
  readonly dataSource: DataSource | null
  /** The class this one extends; undefined for the root `Model`. */
  readonly base: ModelClass | undefined
  /** Compiled form; made on first use and again after changes. */
  readonly compiled: CompiledModel
  /** Everything that was declared on the class (observers, remote methods, validations …). Internal. */
  readonly state: ModelState
  defineProperty (name: string, definition: unknown): void
  getIdName (): string | undefined
}

/**
 * A model class. Instances are made with `new Model(data)`; properties of `data` are coerced, defaults are filled in.
 */
export interface ModelClass extends ModelFacts {
  new (data?: Readonly<Record<string, unknown>> | null, options?: InstanceOptions): ModelInstance
  readonly prototype: ModelInstance
  observe (hook: HookName | string, observer: Observer, options?: { readonly first?: boolean }): void
  remoteMethod (name: string, options: RemoteMethodOptions): void
  disableRemoteMethodByName (name: string): void
  /** Everything else (operations, validation declarators, relation declarators, custom methods). */
  [name: string]: unknown
}
