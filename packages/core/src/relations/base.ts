import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { RelationDefinition, RelationType } from '../definition/definition.js'
import { relationKinds } from '../definition/vocabulary/relation.js'
import { badQuery } from '../errors.js'
import { chain, type MaybePromise } from '../maybe-promise.js'
import { isInstance } from '../instances/instance.js'
import type { ModelClass } from '../interfaces/model-class.js'
import type { ModelInstance } from '../instances/model-instance.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import type { Row } from '../properties/types.js'
import type { IncludeNode } from '../query/ast.js'
import type { NestedWrite } from '../interfaces/nested-writes.js'
import type { Validation } from '../interfaces/validation.js'
import { defineCustom, makeAccessor, type Verbs } from './accessor.js'
import { recall } from './cache.js'
import { keyIsFixed } from './errors.js'
import { toInstance } from './instances.js'
import { idNameOf, sameKey } from './keys.js'
import { findTarget, targetOf } from './lookup.js'
import { isPaged, OwnFilter, ownFilter } from '../query/own-filter.js'
import type { Filter } from './related-query.js'
import { changeRelated, removeRelated } from './related-writes.js'
import type { ImpliedProperty, Reference, Relation, RelationMethod, RelationJoin } from '../interfaces/relation.js'
import { withoutEndSlashes } from '../request/end-slashes.js'

type ScopeFunction = (this: unknown, owner: Row | undefined, filter: object) => unknown

/** What all relation types have in common: names, definition, target, scope, copied properties. */
export abstract class RelationBase implements Relation {
  abstract readonly type: RelationType
  abstract readonly joinKeys: readonly string[]
  readonly embedded: boolean = false
  #definition: RelationDefinition | undefined
  #target: ModelClass | undefined

  /**
   * @param model the model that has the relation
   * @param written the definition as the user wrote it
   */
  constructor (readonly model: ModelClass, readonly name: string, readonly written: RelationDefinition) {}

  get multiple (): boolean { return relationKinds[this.type].list }
  get holdsKey (): boolean { return relationKinds[this.type].holdsKey }

  /** Looks at the target model for its id, so it is made on first use. */
  get definition (): RelationDefinition {
    return (this.#definition ??= { ...this.written, ...this.defaults() })
  }

  get options (): NonNullable<RelationDefinition['options']> {
    return this.written.options ?? {}
  }

  get nestedWrite (): NestedWrite {
    const { nestedWrite = false } = this.written as { nestedWrite?: NestedWrite }
    return this.embedded ? false : nestedWrite
  }

  /** Part of the path of the relation's endpoints. */
  get path (): string {
    const path = this.options.http?.path?.replace(/^\/+/, '')
    return path === undefined ? this.name : withoutEndSlashes(path)
  }

  /** The related model. Only the belongsTo side of a polymorphic relation has none. */
  target (): ModelClass | undefined {
    return (this.#target ??= targetOf(this.model, this.name, this.written.model))
  }

  /** A related row as an instance; what is one already stays the same object. */
  instance (_owner: Row, row: Row): ModelInstance {
    return toInstance(this.related, row)
  }

  /** The related model of relations that have exactly one. */
  get Target (): ModelClass {
    return this.target() as ModelClass
  }

  get related (): CompiledModel {
    return this.Target.compiled
  }

  /** @throws FBK_CORE_INVALID_DEFINITION for a related model with a compound id */
  protected mustHaveOneId (): string {
    return this.targetId
  }

  get targetId (): string {
    return idNameOf(this.Target, this, 'only belongsTo, hasOne and hasMany lead to such a model')
  }

  through (): ModelClass | undefined {
    return undefined
  }

  /* As code of LoopBack applications reads a relation (`Order.relations.customer.keyFrom`). */
  get modelFrom (): ModelClass { return this.model }
  get modelTo (): ModelClass | null { return this.target() ?? null }
  get modelThrough (): ModelClass | undefined { return this.through() }
  get keyFrom (): string { return this.joinKeys[0] as string }
  get keyTo (): string {
    const { foreignKey, primaryKey } = this.definition
    const key = foreignKey === this.keyFrom ? primaryKey : foreignKey
    return key ?? (this.target() === undefined ? this.written.idName ?? 'id' : this.targetId)
  }

  get embed (): boolean { return this.embedded }
  get scope (): unknown { return this.written.scope }
  get properties (): unknown { return this.written.properties }

  /** The relation as JSON shows it: names in place of models. */
  toJSON (): Record<string, unknown> {
    const { name, type, modelFrom, keyFrom, modelTo, keyTo, multiple, modelThrough } = this
    const { keyThrough, polymorphic } = this.definition
    return {
      name,
      // As LoopBack has it, the joining of both sides is how the list is made.
      type: type === 'hasAndBelongsToMany' ? 'hasMany' : type,
      modelFrom: modelFrom.modelName,
      keyFrom,
      modelTo: modelTo?.modelName ?? '<polymorphic>',
      keyTo,
      multiple,
      ...(modelThrough === undefined ? {} : { modelThrough: modelThrough.modelName, keyThrough }),
      ...(polymorphic === undefined ? {} : { polymorphic })
    }
  }

  /**
   * Adds a function to the accessor, as LoopBack code does: `this` has the relation as `definition`, its owner as
   * `modelInstance`, and `fetch`, which loads. The class has it as `__summarize__jobs`.
   */
  defineMethod (name: string, method: (...args: any[]) => unknown): void {
    defineCustom(this.model.prototype, this.name, name, method)
    const key = this.multiple ? 'scopeMethods' : 'methods'
    const methods: unknown = this.written[key]
    const own = methods !== null && typeof methods === 'object' ? methods : {}
    ;(this.written as Record<string, unknown>)[key] = { ...own, [name]: method }
    this.#definition = undefined
  }

  reference (_to?: ModelClass): Reference | undefined {
    return undefined
  }

  /** What the definition says of rows whose key leads to a row that goes. */
  protected get rules (): Pick<Reference, 'onDelete' | 'onUpdate' | 'foreignKeys'> {
    const { onDelete, onUpdate, foreignKeys } = this.written
    return { onDelete, onUpdate, foreignKeys }
  }

  /** Violations that rows of `model` can have because of the relation. */
  validations (): readonly Validation[] {
    return []
  }

  /** Related instances that were included or loaded before; null where include found none, else undefined. */
  atHand (owner: ModelInstance): ModelInstance | ModelInstance[] | null | undefined {
    return recall(owner, this.name, this.target()?.compiled)
  }

  accessor (instance: ModelInstance): unknown {
    return makeAccessor(this, instance)
  }

  targetOf (_row: Readonly<Row>): ModelClass | undefined {
    return this.target()
  }

  get isReachable (): boolean {
    return true
  }

  get doubt (): string | undefined {
    return undefined
  }

  get isResolved (): boolean {
    return this.#target !== undefined || findTarget(this.model, this.name, this.written.model) !== undefined
  }

  abstract joins (): readonly RelationJoin[]

  /** One join, with what the relation's own filter asks of the related rows. */
  protected joinTo (target: ModelClass, from: string, to: string, when: Row = {}, only: Row = {}): RelationJoin {
    return { target, from, to, when, only, ...this.narrowing(this.own(undefined, target.compiled)) }
  }

  protected narrowing (own: OwnFilter | undefined): Pick<RelationJoin, 'where' | 'isPaged'> {
    return { where: own?.addition.where, isPaged: own !== undefined && isPaged(own.json) }
  }

  protected abstract defaults (): Partial<RelationDefinition>
  abstract impliedProperties (): readonly ImpliedProperty[]
  abstract include (rows: readonly Row[], node: IncludeNode, options: OperationOptions): MaybePromise<void>
  /** The operations as in-process code calls them: members of the accessor. */
  abstract readonly verbs: Verbs
  /** Loads instances for the accessor; `condition` is a filter or undefined. */
  abstract load (owner: ModelInstance, condition: unknown, options: OperationOptions): MaybePromise<unknown>
  /** Relations to one row: makes an instance the related one, without saving. */
  assign? (owner: ModelInstance, related: ModelInstance): void
  /** A related instance with its keys, not saved. */
  build? (owner: Row, data: unknown): ModelInstance
  /** Embedded relations: what the row itself holds, which needs no loading. */
  value? (owner: ModelInstance): unknown
  /** Embedded lists: the row at a place. */
  heldAt? (owner: ModelInstance, index: number): unknown
  /** Embedded lists: the row with an id, or null. */
  heldBy? (owner: ModelInstance, id: unknown): ModelInstance | null
  abstract methods (): readonly RelationMethod[]

  /** The relation's own filter; `owner` is undefined for include, which asks for many owners at once. */
  protected scopeFor (owner: Row | undefined): Filter | undefined {
    const scope: unknown = this.written.scope
    const filter: unknown = typeof scope === 'function' ? (scope as ScopeFunction).call(this, owner, {}) : scope
    return filter !== null && typeof filter === 'object' ? filter as Filter : undefined
  }

  /** The same for queries of `model`: what the definition says is read once, what a function says each time. */
  protected own (owner: Row | undefined, model: CompiledModel): OwnFilter | undefined {
    const scope = this.scopeFor(owner)
    if (scope === undefined) return undefined
    return scope === this.written.scope ? ownFilter(model, scope) : new OwnFilter(model, scope)
  }

  /**
   * Data for a related row: the caller's, with the keys that the relation demands and the properties it copies from its
   * owner.
   * @throws RequestError 400 for what is no object
   */
  prepare (owner: Row, data: unknown, keys: Row): Row {
    const given = data ?? {}
    if (typeof given !== 'object' || Array.isArray(given)) throw badQuery('Value is not an object.')
    const target = isInstance(given) ? given : { ...given as Row }
    Object.assign(target, keys)
    this.copyProperties(owner, target)
    return target
  }

  /** Copies `properties` of the definition: from owner to related row, or the other way with `invertProperties`. */
  protected copyProperties (owner: Row, related: Row): void {
    const { properties } = this.written
    if (properties === undefined || properties === null) return
    const inverted = this.written.invertProperties === true || this.options.invertProperties === true
    const [from, to] = inverted ? [related, owner] : [owner, related]
    if (typeof properties === 'function') {
      Object.assign(to, (properties as (from: Row, to: Row) => Row).call(this, from, to))
    } else if (Array.isArray(properties)) for (const name of properties) to[name] = from[name]
    else for (const [name, as] of Object.entries(properties)) to[as] = from[name]
  }

  /** A related instance as the plain row that is stored. */
  protected rowOf (related: ModelInstance): Row {
    return this.related.coerce(related as Row, () => {})
  }

  /** Sets `data` on a related row. */
  protected change (row: Row, data: unknown, options: OperationOptions): MaybePromise<ModelInstance> {
    return changeRelated(this.related, row, data, options)
  }

  /** Deletes a related row. */
  protected remove (row: Row, options: OperationOptions): MaybePromise<void> {
    return chain(removeRelated(this.related, row, options), () => {})
  }

  /**
   * Refuses data that would move a related row to another owner, also through the foreign key of a related object in
   * the data (security.md, S-62).
   * @throws RequestError 400
   */
  mustKeep (model: CompiledModel, data: unknown, keys: Row): void {
    const changes = model.coerce((data ?? {}) as Row, () => {})
    for (const name of Object.keys(keys)) {
      if (changes[name] !== undefined && !sameKey(changes[name], keys[name])) {
        throw keyIsFixed(name, keys[name], changes[name])
      }
    }
  }
}
