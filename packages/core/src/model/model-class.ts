/**
 * The shape of model classes and instances that the parts of the core share. The typed face for users is in `typed.ts`.
 */
import type { CompiledModel } from '../definition/compiled.js'
import type { DataSource } from '../data-source/data-source.js'
import type { ModelDefinition } from '../definition/definition.js'
import type { HookName, Observer } from '../hooks.js'
import type { ModelRegistry } from '../registry.js'
import type { CAME, Came } from '../query/came.js'
import type { ORIGIN, Origin } from '../operations/origin.js'
import type { CALLER, Caller, WORK, Work } from '../query/work.js'
import type { IncludeGuard } from '../operations/include-guard.js'
import type { RemoteMethodOptions } from '../remoting/shared-method.js'
import type { ModelState } from './state.js'

/** Options of an operation, handed through to hooks as `ctx.options`. Unknown keys are the application's own. */
export interface OperationOptions {
  transaction?: unknown
  /** LoopBack's option: hidden properties may not be named in queries. Who asks is told by `ORIGIN`. */
  prohibitHiddenPropertiesInQuery?: boolean
  prohibitProtectedPropertiesInQuery?: boolean | undefined
  maxDepthOfQuery?: number | undefined
  maxDepthOfData?: number | undefined
  /** Leaves validations out. */
  skipValidation?: boolean
  validate?: boolean
  /** Leaves operation hooks out (used by `notify: false` calls of LoopBack applications). */
  notify?: boolean
  accessToken?: unknown
  /** What the caller may see through include; undefined: everything. */
  includeGuard?: IncludeGuard | undefined
  /** Whether somebody outside asks (`operations/origin.ts`); undefined: code of the application. */
  [ORIGIN]?: Origin | undefined
  /** The request that waits for the answer: work for a client that has gone is not finished. */
  [CALLER]?: Caller | undefined
  /** What the request may still cost; set by the first operation of a request that can be costly. */
  [WORK]?: Work | undefined
  /** The relations that led to this query of an include from outside. */
  [CAME]?: Came | undefined
  [key: string]: unknown
}

/** Callback form of every operation; operations called with one return nothing (specification, Versioning 10). */
export type OperationCallback<T = unknown> = (error: unknown, result?: T, ...more: unknown[]) => void

/** An instance: its properties are own enumerable data properties, methods come from the class. */
export interface ModelInstance {
  [property: string]: unknown
}

/** What `new Model(data, options)` takes. */
export interface InstanceOptions {
  readonly fields?: unknown
  readonly applySetters?: boolean
  readonly persisted?: boolean
  readonly applyDefaultValues?: boolean
}

/**
 * A model class. Instances are made with `new Model(data)`; properties of `data` are coerced, defaults are filled in.
 */
export interface ModelClass {
  new (data?: Readonly<Record<string, unknown>> | null, options?: InstanceOptions): ModelInstance
  readonly prototype: ModelInstance
  readonly modelName: string
  readonly pluralModelName: string
  /** The effective definition: inheritance applied. */
  readonly definition: ModelDefinition
  readonly settings: Record<string, unknown>
  readonly registry: ModelRegistry
  readonly dataSource: DataSource | null
  /** The class this one extends; undefined for the root `Model`. */
  readonly base: ModelClass | undefined
  /** Compiled form; made on first use and again after changes. */
  readonly compiled: CompiledModel
  /** Everything that was declared on the class (observers, remote methods, validations …). Internal. */
  readonly state: ModelState
  observe (hook: HookName | string, observer: Observer, options?: { readonly first?: boolean }): void
  remoteMethod (name: string, options: RemoteMethodOptions): void
  disableRemoteMethodByName (name: string): void
  defineProperty (name: string, definition: unknown): void
  getIdName (): string | undefined
  /** Everything else (operations, validation declarators, relation declarators, custom methods). */
  [name: string]: unknown
}
