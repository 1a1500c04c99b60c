/**
 * What is declared on one model class. The effective definition and the compiled form are derived from it and forgotten
 * when it changes.
 */
import { EventEmitter } from 'node:events'
import type { ChangeFeed } from '../changes/change-feed.js'
import type { CompiledModel } from '../definition/compiled.js'
import type { Connector } from '../data-source/connector.js'
import type { DataSource } from '../data-source/data-source.js'
import type { ModelDefinition, ModelSettings, PropertyDefinition, RelationDefinition } from '../definition/definition.js'
import type { HookName, HookTable, Observer } from '../hooks.js'
import { hookNames } from '../hooks.js'
import { effectiveDefinition, settingsFor } from '../definition/inherit.js'
import { checkPropertyName, propertyDefinition, type OwnDefinition } from '../definition/normalise.js'
import { InvalidDefinitionError } from '../errors.js'
import type { Relation } from '../relations/relation.js'
import { createRelation } from '../relations/index.js'
import type { RemoteMethodOptions } from '../remoting/shared-method.js'
import type { Validation } from '../validations/validation.js'
import type { ModelClass } from './model-class.js'

export type RemoteHookMoment = 'before' | 'after' | 'afterError'

/** A listener of `beforeRemote`, `afterRemote`, `afterRemoteError`, as declared; `rest` matches and runs it. */
export interface RemoteHook {
  readonly moment: RemoteHookMoment
  /** `create`, `prototype.patchAttributes`, `*`, `prototype.*`, `**`, `*.save`. */
  readonly pattern: string
  readonly listener: (context: any, next: any, third?: any) => unknown
}

export class ModelState {
  readonly children = new Set<ModelState>()
  /** Properties that relations need; declared ones win. */
  readonly implied = new Map<string, PropertyDefinition>()
  readonly observers = new Map<HookName, Observer[]>()
  readonly validations: Validation[] = []
  /** Properties whose inherited validations were taken back. */
  readonly droppedValidations = new Set<string>()
  /** Relations declared in code after the definition. */
  readonly lateRelations = new Map<string, RelationDefinition>()
  /** Own remote methods by full name (`prototype.` for instance methods). */
  readonly remoteMethods = new Map<string, RemoteMethodOptions>()
  /** Full names and aliases that `disableRemoteMethodByName` named. */
  readonly disabledMethods = new Set<string>()
  readonly remoteHooks: RemoteHook[] = []
  /** Relations whose methods are nested (`nestRemoting`), with its options. */
  readonly nested = new Map<string, Record<string, unknown>>()
  dataSource: DataSource | undefined
  /** Made when somebody listens to changes (`changes/change-feed.ts`). */
  feed: ChangeFeed | undefined
  /**
   * Stands between the model's operations (and those of models that extend it) and the store: rows may be kept in
   * another form than operations see them, as access tokens are, of which only a hash is stored.
   */
  storeLayer: ((connector: Connector) => Connector) | undefined
  /** Whether the model is published over REST; undefined: whoever publishes decides. */
  isPublic: boolean | undefined

  /** Kept for the life of the model: applications extend it at run time. */
  readonly settings: ModelSettings

  #definition: ModelDefinition | undefined
  #relations: Map<string, Relation> | undefined
  #compiled: CompiledModel | undefined
  #events: EventEmitter | undefined

  constructor (readonly Model: ModelClass, readonly own: OwnDefinition, readonly base: ModelState | undefined) {
    this.settings = settingsFor(own, base?.settings)
    base?.children.add(this)
  }

  /** The definition with everything inherited. */
  get definition (): ModelDefinition {
    return (this.#definition ??= effectiveDefinition(this))
  }

  /** Relations of the model and of its bases, as this model has them. */
  get relations (): ReadonlyMap<string, Relation> {
    if (this.#relations === undefined) {
      const definitions = this.definition.relations
      this.#relations = new Map(
        Object.entries(definitions).map(([name, definition]) => [name, createRelation(this.Model, name, definition)])
      )
    }
    return this.#relations
  }

  get compiled (): CompiledModel {
    return this.#compiled ?? this.compile()
  }

  /** Compiles the model, unless that is done. @throws definition errors */
  compile (): CompiledModel {
    return (this.#compiled ??= this.Model.registry.compile(this))
  }

  /** The observers of each hook, base models' first. */
  hookTable (): HookTable {
    const table: Partial<Record<HookName, Observer[]>> = {}
    for (const name of hookNames) {
      const observers = this.chain().flatMap(state => state.observers.get(name) ?? [])
      if (observers.length > 0) table[name] = observers
    }
    return table
  }

  /** Events of the class (`Model.on`), made when first used. */
  get events (): EventEmitter {
    return (this.#events ??= new EventEmitter().setMaxListeners(0))
  }

  /** Adds or changes an own property; null drops an inherited one. */
  defineProperty (name: string, definition: unknown): void {
    checkPropertyName(name, key => `model "${this.own.name}", ${key}`)
    if (definition === undefined) {
      throw new InvalidDefinitionError(`model "${this.own.name}", property "${name}"`, 'a type is missing')
    }
    this.own.properties[name] =
      definition === null ? null : { ...this.own.properties[name], ...propertyDefinition(definition) }
    this.invalidate()
  }

  /** The root base first, this model last. */
  chain (): ModelState[] {
    return this.base === undefined ? [this] : [...this.base.chain(), this]
  }

  /** Forgets what was derived, here and in all models that extend this one. */
  invalidate (): void {
    this.#definition = undefined
    this.#relations = undefined
    this.#compiled = undefined
    for (const child of this.children) child.invalidate()
    this.Model.registry.emit('modelChanged', this.Model)
  }
}
