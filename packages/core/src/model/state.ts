/**
 * What is declared on one model class. The effective definition and the compiled form are derived from it and forgotten
 * when it changes.
 */
import { EventEmitter } from 'node:events'
import type { ChangeFeed } from '../interfaces/change-feed.js'
import type { LiveQueries } from '../interfaces/live-queries.js'
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { Connector } from '../data-source/connector.js'
import type { DataSource } from '../interfaces/data-source.js'
import type { ModelDefinition, ModelSettings, PropertyDefinition, RelationDefinition } from '../definition/definition.js'
import { instrumentOf } from '../contracts/instrumentation.js'
import { instrumentedHook } from './instrument.js'
import type { HookName, HookTable, Observer } from '../hooks.js'
import { hookNames, LEADING } from '../hooks.js'
import { effectiveDefinition, settingsFor } from '../definition/inherit.js'
import type { MergePolicy } from '../definition/merge-policy.js'
import { checkPropertyName, propertyDefinition, type OwnDefinition } from '../definition/normalise.js'
import { InvalidDefinitionError } from '../errors.js'
import type { Relation } from '../interfaces/relation.js'
import { createRelation } from '../relations/index.js'
import type { RemoteMethodOptions } from '../interfaces/shared-method.js'
import type { Validation } from '../interfaces/validation.js'
import { accessorTable, type AccessorTable, type Getter, type Setter } from './accessors.js'
import { withLegacyHooks } from './legacy-hooks.js'
import { heardBy } from './observe.js'
import type { ModelClass } from '../interfaces/model-class.js'
import type { ModelState, Notifier, RemoteHook, WriteLayer } from '../interfaces/model-state.js'
import type { WriteLayerKind } from '../interfaces/write-layers.js'

export class ClassState implements ModelState {
  readonly children = new Set<ModelState>()
  readonly implied = new Map<string, PropertyDefinition>()
  readonly keyTypes = new Map<string, PropertyDefinition['type']>()
  readonly internal = new Map<string, PropertyDefinition>()
  readonly observers = new Map<string, Observer[]>()
  readonly legacyHooks = new Map<string, unknown>()
  readonly validations: Validation[] = []
  readonly getters: AccessorTable<Getter>
  readonly setters: AccessorTable<Setter>
  readonly droppedValidations = new Set<string>()
  readonly lateRelations = new Map<string, RelationDefinition>()
  readonly lateProperties = new Set<string>()
  readonly remoteMethods = new Map<string, RemoteMethodOptions>()
  readonly disabledMethods = new Set<string>()
  readonly remoteHooks: RemoteHook[] = []
  readonly nested = new Map<string, Record<string, unknown>>()
  dataSource: DataSource | undefined
  feed: ChangeFeed | undefined
  live: LiveQueries | undefined
  notifier: Notifier | undefined
  storeLayer: ((connector: Connector) => Connector) | undefined
  readonly writeLayers = new Map<WriteLayerKind, WriteLayer>()
  isPublic: boolean | undefined
  hasMixins = false
  readonly settings: ModelSettings
  #definition: ModelDefinition | undefined
  #idNames: readonly string[] | undefined
  #relations: Map<string, Relation> | undefined
  readonly #unresolved = new Map<string, Relation>()
  #compiled: CompiledModel | undefined
  #events: EventEmitter | undefined

  constructor (readonly Model: ModelClass, readonly own: OwnDefinition, readonly base: ModelState | undefined) {
    this.settings = settingsFor(own, base?.settings, policyOf(base, own))
    const changed = (): void => { this.invalidate() }
    this.getters = accessorTable(base?.getters, changed)
    this.setters = accessorTable(base?.setters, changed)
    base?.children.add(this)
    watchStrict(this.settings, changed)
  }

  get definition (): ModelDefinition {
    return (this.#definition ??= effectiveDefinition(this))
  }

  get idNames (): readonly string[] {
    return (this.#idNames ??= idNamesIn(this.definition))
  }

  get idName (): string {
    const { idNames } = this
    return idNames.includes('id') ? 'id' : idNames[0] ?? 'id'
  }

  get relations (): ReadonlyMap<string, Relation> {
    return (this.#relations ??= this.#makeRelations())
  }

  get unresolved (): ReadonlyMap<string, Relation> {
    this.#relations ??= this.#makeRelations()
    return this.#unresolved
  }

  #makeRelations (): Map<string, Relation> {
    const resolved = new Map<string, Relation>()
    this.#unresolved.clear()
    for (const [name, definition] of Object.entries(this.definition.relations)) {
      const relation = createRelation(this.Model, name, definition)
      const isLeftOut = this.Model.registry.isClosed && !relation.isResolved
      ;(isLeftOut ? this.#unresolved : resolved).set(name, relation)
    }
    return resolved
  }

  get compiled (): CompiledModel {
    return this.#compiled ?? this.compile()
  }

  compile (): CompiledModel {
    return (this.#compiled ??= this.Model.registry.compile(this))
  }

  hookTable (): HookTable {
    const table: Partial<Record<HookName, readonly Observer[]>> = {}
    const told = instrumentOf(this.Model.registry)
    for (const name of hookNames) {
      const observers = leadingFirst(withLegacyHooks(this, name, heardBy(this, name)))
      if (observers.length === 0) continue
      table[name] = told === undefined ? observers : instrumentedHook(told, this.own.name, name, observers)
    }
    return table
  }

  get events (): EventEmitter {
    return (this.#events ??= new EventEmitter().setMaxListeners(0))
  }

  defineProperty (name: string, definition: unknown): void {
    checkPropertyName(name, key => `model "${this.own.name}", ${key}`)
    if (definition === undefined) {
      throw new InvalidDefinitionError(`model "${this.own.name}", property "${name}"`, 'a type is missing')
    }
    if (!Object.hasOwn(this.own.properties, name)) this.lateProperties.add(name)
    this.own.properties[name] =
      definition === null ? null : { ...this.own.properties[name], ...propertyDefinition(definition) }
    this.invalidate()
  }

  chain (): ModelState[] {
    return this.base === undefined ? [this] : [...this.base.chain(), this]
  }

  invalidate (): void {
    this.#definition = undefined
    this.#idNames = undefined
    this.#relations = undefined
    this.#compiled = undefined
    for (const child of this.children) child.invalidate()
    this.Model.registry.emit('modelChanged', this.Model)
  }
}

/** Code of applications says late how strict a model is: `Note.settings.strict = true`. */
function watchStrict (settings: ModelSettings, changed: () => void): void {
  let { strict } = settings
  Object.defineProperty(settings, 'strict', {
    get: () => strict,
    set: (value: ModelSettings['strict']) => {
      strict = value
      Object.defineProperty(settings, 'strict', { enumerable: true })
      changed()
    },
    enumerable: strict !== undefined,
    configurable: true
  })
}

/** The base is asked: applications replace `getMergePolicy`. */
function policyOf (base: ModelState | undefined, { settings }: OwnDefinition): MergePolicy | undefined {
  const ask = base?.Model.getMergePolicy
  return typeof ask === 'function' ? (ask as (settings: ModelSettings) => MergePolicy).call(base?.Model, settings) : undefined
}

function idNamesIn ({ properties }: ModelDefinition): string[] {
  const position = ({ id }: PropertyDefinition): number => (id === undefined || id === null ? 0 : Number(id))
  return Object.entries(properties)
    .filter(([, definition]) => position(definition) > 0)
    .sort(([, a], [, b]) => position(a) - position(b))
    .map(([name]) => name)
}

const leadingFirst = (observers: readonly Observer[]): readonly Observer[] =>
  observers.some(observer => LEADING in observer)
    ? [...observers.filter(observer => LEADING in observer), ...observers.filter(observer => !(LEADING in observer))]
    : observers
