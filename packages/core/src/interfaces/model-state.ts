/** What is declared on one model class, and what is derived from it. The core's own: others ask by `model/facts.ts`. */
import type { EventEmitter } from 'node:events'
import type { Connector } from '../data-source/connector.js'
import type { DataSource } from './data-source.js'
import type { ModelDefinition, ModelSettings, PropertyDefinition, RelationDefinition } from '../definition/definition.js'
import type { OwnDefinition } from '../definition/normalise.js'
import type { HookContext, HookTable, Observer } from '../hooks.js'
import type { ChangeFeed } from './change-feed.js'
import type { CompiledModel } from './compiled-model.js'
import type { LiveQueries } from './live-queries.js'
import type { ModelClass } from './model-class.js'
import type { Relation } from './relation.js'
import type { RemoteMethodOptions } from './shared-method.js'
import type { Validation } from './validation.js'
import type { WriteLayerKind } from './write-layers.js'

export type RemoteHookMoment = 'before' | 'after' | 'afterError'

/** A listener of `beforeRemote`, `afterRemote`, `afterRemoteError`, as declared; `rest` matches and runs it. */
export interface RemoteHook {
  readonly moment: RemoteHookMoment
  /** `create`, `prototype.patchAttributes`, `*`, `prototype.*`, `**`, `*.save`. */
  readonly pattern: string
  readonly listener: (context: any, next: any, third?: any) => unknown
  /** By `beforeRemote` and its like: the framework's own are those of every model that extends the one they are on. */
  readonly isOfApplication?: boolean
}

/**
 * A connector in front of another one.
 * @param connector what the layer is in front of
 * @param Model the model that is meant, which may extend the one that has the layer
 */
export type WriteLayer = (connector: Connector, Model: ModelClass) => Connector

/** What may stand in the place of `Model.notifyObserversOf`. */
export type Notifier = (
  this: ModelClass, hook: string, context: HookContext, callback: (error?: unknown) => void
) => unknown

export interface ModelState {
  readonly Model: ModelClass
  /** The model's own part of its definition. */
  readonly own: OwnDefinition
  readonly base: ModelState | undefined
  readonly children: Set<ModelState>
  /** Properties that relations need; declared ones win. */
  readonly implied: Map<string, PropertyDefinition>
  /** Types of keys that relations lay down over what is declared: the setting `foreignKeyTypes`. */
  readonly keyTypes: Map<string, PropertyDefinition['type']>
  /** What the framework stores with rows, and no definition says. */
  readonly internal: Map<string, PropertyDefinition>
  /** Listeners of operation hooks and of names of the application's own. */
  readonly observers: Map<string, Observer[]>
  /** Functions of the class that LoopBack calls around operations (`model/legacy-hooks.ts`), by name. */
  readonly legacyHooks: Map<string, unknown>
  /** What was put in the place of `notifyObserversOf`. */
  notifier: Notifier | undefined
  readonly validations: Validation[]
  /** Getters and setters of properties by name, those of the base inherited. */
  readonly getters: Record<string, (this: any) => unknown>
  readonly setters: Record<string, (this: any, value: any) => void>
  /** Properties whose inherited validations were taken back. */
  readonly droppedValidations: Set<string>
  /** Relations declared in code after the definition. */
  readonly lateRelations: Map<string, RelationDefinition>
  /** Own remote methods by full name (`prototype.` for instance methods). */
  readonly remoteMethods: Map<string, RemoteMethodOptions>
  /** Full names and aliases that `disableRemoteMethodByName` named. */
  readonly disabledMethods: Set<string>
  readonly remoteHooks: RemoteHook[]
  /** Relations whose methods are nested (`nestRemoting`), with its options. */
  readonly nested: Map<string, Record<string, unknown>>
  dataSource: DataSource | undefined
  /** Made when somebody listens to changes (`changes/change-feed.ts`). */
  feed: ChangeFeed | undefined
  /** Made when somebody has a live query of it (`live/live-feed.ts`). */
  live: LiveQueries | undefined
  /**
   * Stands between the model's operations (and those of models that extend it) and the store: rows may be kept in
   * another form than operations see them, as access tokens are, of which only a hash is stored.
   */
  storeLayer: ((connector: Connector) => Connector) | undefined
  /** Stand before everything else that is between the model's operations and the store: they see rows as these do. */
  readonly writeLayers: Map<WriteLayerKind, WriteLayer>
  /** Whether the model is published over REST; undefined: anyone who publishes decides. */
  isPublic: boolean | undefined
  /** Whether its mixins have been applied. */
  hasMixins: boolean

  /** Kept for the life of the model: applications extend it at run time. */
  readonly settings: ModelSettings
  /** The definition with everything inherited. */
  readonly definition: ModelDefinition
  /** Names of the id properties in their order: one, those of a compound id, or none. */
  readonly idNames: readonly string[]
  /** Name of the id property; the first of a compound id; `id` for models without one. */
  readonly idName: string
  /** Relations of the model and of its bases, as this model has them. */
  readonly relations: ReadonlyMap<string, Relation>
  /**
   * Relations to models that are not there. They take no part until there are, and say what is missing when they are
   * used. Empty before the models are closed: until then models may come in any order, and all count as being there.
   */
  readonly unresolved: ReadonlyMap<string, Relation>
  readonly compiled: CompiledModel
  /** Events of the class (`Model.on`), made when first used. */
  readonly events: EventEmitter
  /** Compiles the model, unless that is done. @throws definition errors */
  compile (): CompiledModel
  /** The observers of each hook, base models' first. */
  hookTable (): HookTable
  /** Names of own properties that were added after the definition, in their order. */
  readonly lateProperties: ReadonlySet<string>
  /** Adds or changes an own property; null drops an inherited one. */
  defineProperty (name: string, definition: unknown): void
  /** The root base first, this model last. */
  chain (): ModelState[]
  /** Forgets what was derived, here and in all models that extend this one. */
  invalidate (): void
}
