import type { RelationDefinition } from '../definition/definition.js'
import type { CompiledProperty } from '../definition/stored-model.js'
import { unknownId } from '../errors.js'
import { chain, eachInSequence, type MaybePromise } from '../maybe-promise.js'
import { instantiate, isInstance } from '../instances/instance.js'
import { setIncluded } from '../instances/included.js'
import { List } from '../instances/list.js'
import type { ModelInstance } from '../instances/model-instance.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import { createInstance } from '../operations/create.js'
import { isRemote, relatedOptions } from '../operations/origin.js'
import { saveInstance } from '../operations/upsert.js'
import { parseOptions } from '../operations/context.js'
import { judgeCondition } from '../operations/related-conditions.js'
import type { Row } from '../properties/types.js'
import type { IncludeNode } from '../query/ast.js'
import { coerceId } from '../query/id.js'
import { compileCondition } from '../query/match.js'
import { parseWhere } from '../query/parse.js'
import type { Validation } from '../interfaces/validation.js'
import type { Verbs } from './accessor.js'
import { RelationBase } from './base.js'
import {
  embedChanges,
  embeddedInclude,
  embedInstance,
  embedNew,
  embedNothing,
  findEmbedded,
  includeEmbedded
} from './embedded.js'
import { embeddedPrototype, embedIn, type Embedding } from './embedded-instance.js'
import { keyIsFixed } from './errors.js'
import { toInstance } from './instances.js'
import { inheritedPlural, isKey, nameFor, sameKey } from './keys.js'
import { embeddedVerbs } from './embedded-verbs.js'
import { idOf, type ListOperations } from './list.js'
import { editList, mustBeSettable, mustMayRead, type Put } from './edit-property.js'
import { embeddedIsValid, itemsHaveIds, uniqueItems } from './list-validations.js'
import { listMethods } from './methods.js'
import type { ImpliedProperty, RelationMethod, RelationJoin } from '../interfaces/relation.js'

/** Rows of another model are a list in a property of the owner's row. */
export class EmbedsMany extends RelationBase implements ListOperations {
  readonly type = 'embedsMany'
  override readonly embedded = true
  #prototype: object | undefined

  readonly verbs: Verbs = embeddedVerbs(this)

  /** The property that holds the list. It cannot have the relation's name. */
  get property (): string {
    const name = this.written.property || nameFor(inheritedPlural(this.Target))
    return name === this.name ? `_${name}` : name
  }

  get joinKeys (): readonly string[] {
    return [this.property]
  }

  protected defaults (): Partial<RelationDefinition> {
    return { model: this.Target.modelName, property: this.property }
  }

  impliedProperties (): readonly ImpliedProperty[] {
    // At start, where a compound id is told of.
    this.mustHaveOneId()
    const { options } = this
    const extra = typeof options.property === 'object' ? (options.property as Record<string, unknown>) : {}
    const value = options.omitDefaultEmbeddedItem === true ? undefined : (options.default ?? [])
    const definition = { ...extra, type: [this.Target.modelName], ...(value === undefined ? {} : { default: value }) }
    return [{ model: this.model, name: this.property, definition }]
  }

  override validations (): readonly Validation[] {
    const { property } = this
    const related = (): typeof this.related => this.related
    return [
      itemsHaveIds(property, related),
      uniqueItems(
        property,
        item => (item as Row | null)?.[this.targetId],
        () => `contains duplicate \`${this.targetId}\``
      ),
      ...(this.options.validate === false ? [] : [embeddedIsValid(property, related)])
    ]
  }

  joins (): readonly RelationJoin[] {
    return [this.joinTo(this.Target, this.property, '')]
  }

  methods (): readonly RelationMethod[] {
    return listMethods(this)
  }

  private listOf (owner: Row): readonly Row[] {
    const list = owner[this.property]
    return Array.isArray(list) ? rowsOf(list) : []
  }

  /** The list that the owner holds, of instances. */
  override value (owner: ModelInstance): ModelInstance[] {
    const held = owner[this.property]
    const list = this.listOf(owner)
    const instances = list.map(row => this.instance(owner, row))
    if (held instanceof List && instances.length === held.length && instances.every((each, i) => each === held[i])) {
      return held as ModelInstance[]
    }
    return Array.isArray(held) ? this.hold(owner, instances) : instances
  }

  private hold (owner: Row, rows: readonly Row[]): ModelInstance[] {
    const list = List.holding(rows, row => this.instance(owner, row as Row)) as ModelInstance[]
    owner[this.property] = list
    return list
  }

  override instance (owner: Row, row: Row): ModelInstance {
    const instance = toInstance(this.related, row)
    if (!isInstance(owner)) return instance
    const { embedding } = this
    this.#prototype ??= embeddedPrototype(this.Target.prototype, embedding)
    return embedIn(owner, instance, this.#prototype, embedding)
  }

  private get embedding (): Embedding {
    const idOf = (instance: ModelInstance): unknown => instance[this.targetId]
    return {
      persistent: this.options.persistent === true,
      keep: (owner, instance, options) =>
        this.edit(owner, options, (list, put) =>
          embedInstance(this.related, instance, options, row =>
            put(
              list.some(each => this.is(each, idOf(instance)))
                ? list.map(each => (this.is(each, idOf(instance)) ? row : each))
                : this.grown(list, row)
            )
          )
        ),
      change: (owner, instance, data, options) => this.updateById(owner, idOf(instance), data, options),
      takeOut: (owner, instance, options) => this.destroyById(owner, idOf(instance), options),
      stored: (owner, instance, options) => this.edit(owner, options, list => this.mustFind(list, idOf(instance)))
    }
  }

  load (owner: ModelInstance, condition: unknown, options: OperationOptions): MaybePromise<ModelInstance[]> {
    return chain(this.find(owner, condition, options), rows => rows.map(row => this.instance(owner, row)))
  }

  find (owner: Row, filter: unknown, options: OperationOptions): MaybePromise<Row[]> {
    return findEmbedded(this.related, this.listOf(owner), filter, this.own(owner, this.related), options)
  }

  count (owner: Row, where: unknown, options: OperationOptions): MaybePromise<number> {
    return chain(
      this.find(owner, where === undefined || where === null ? undefined : { where }, options),
      rows => rows.length
    )
  }

  findById (owner: Row, id: unknown, _options: OperationOptions): Row {
    return this.mustFind(this.listOf(owner), id)
  }

  override heldAt (owner: ModelInstance, index: number): ModelInstance | null {
    return this.value(owner)[index] ?? null
  }

  override heldBy (owner: ModelInstance, id: unknown): ModelInstance | null {
    return this.value(owner).find(each => this.is(each, id)) ?? null
  }

  exists (owner: Row, id: unknown, _options: OperationOptions): boolean {
    return this.listOf(owner).some(row => this.is(row, id))
  }

  private is (row: Row, id: unknown): boolean {
    return sameKey(row[this.targetId], coerceId(this.related, id))
  }

  private mustFind (list: readonly Row[], id: unknown): Row {
    const found = list.find(row => this.is(row, id))
    if (found === undefined) throw unknownId(this.Target.modelName, id)
    return found
  }

  override build (owner: Row, data: unknown): ModelInstance {
    const list = this.listOf(owner)
    const related = this.instance(owner, new this.Target(this.withId(list, this.prepare(owner, data, {}))))
    // The instance itself: what is done to it before its owner is saved counts.
    this.hold(owner, this.grown(list, related))
    return related
  }

  /** Adds one row, or several at once: all of them or none. */
  create (owner: Row, data: unknown, options: OperationOptions): MaybePromise<ModelInstance | ModelInstance[]> {
    mustBeSettable(this.model.compiled, this.property, owner, options)
    const prepared = (Array.isArray(data) ? (data as unknown[]) : [data]).map(each => this.prepare(owner, each, {}))
    return this.edit(owner, options, (list, put) => {
      let grown: readonly Row[] = list
      const created: ModelInstance[] = []
      const add = (row: Row): MaybePromise<unknown> => {
        grown = this.grown(grown, row)
        return grown.length === list.length + prepared.length ? put(grown) : undefined
      }
      const embedded = eachInSequence(prepared, each =>
        chain(this.embedRow(this.withId(grown, each), options, add), related => {
          created.push(related)
        })
      )
      return chain(embedded, () => (Array.isArray(data) ? created : (created[0] as ModelInstance)))
    })
  }

  private embedRow (
    data: Row,
    options: OperationOptions,
    add: (row: Row) => MaybePromise<unknown>
  ): MaybePromise<ModelInstance> {
    if (this.options.persistent !== true) return embedNew(this.related, data, options, add)
    return chain(this.stored(data, options), related => chain(add(this.rowOf(related)), () => related))
  }

  /** As in LoopBack, code embeds rows that are stored already by their ids; somebody outside names no row (S-62). */
  private stored (data: Row, options: OperationOptions): MaybePromise<ModelInstance> {
    const { related } = this
    return isKey(data[this.targetId]) && !isRemote(options)
      ? saveInstance(isInstance(data) ? data : instantiate(related, related.coerce(data, () => {})), false, options)
      : createInstance(related, data, options)
  }

  /** @throws RequestError 404 for a row that is not in the list, 400 when `data` would change its id */
  updateById (owner: Row, id: unknown, data: unknown, options: OperationOptions): MaybePromise<ModelInstance> {
    const missing = (): Error => unknownId(this.Target.modelName, id)
    const mayRead = mustMayRead(this.model.compiled, this.property, options, missing)
    return chain(mayRead, () => this.edit(owner, options, (list, put) => {
      const current = this.mustFind(list, id)
      const given = (data as Row | undefined)?.[this.targetId]
      if (given !== undefined && !sameKey(given, current[this.targetId])) {
        throw keyIsFixed(this.targetId, current[this.targetId], given)
      }
      return embedChanges(this.related, current, data, options, row =>
        put(list.map(each => (each === current ? row : each)))
      )
    }))
  }

  /** @throws RequestError 404 for a row that is not in the list */
  destroyById (owner: Row, given: unknown, options: OperationOptions): MaybePromise<void> {
    const id = idOf(this, given)
    const missing = (): Error => unknownId(this.Target.modelName, id)
    const mayRead = mustMayRead(this.model.compiled, this.property, options, missing)
    return chain(mayRead, () => this.edit(owner, options, (list, put) => {
      const current = this.mustFind(list, id)
      return embedNothing(this.related, current, options, () => put(list.filter(each => each !== current)))
    }))
  }

  destroyAll (owner: Row, where: unknown, options: OperationOptions): MaybePromise<unknown> {
    const condition = parseWhere(this.related, where, parseOptions(this.related, options))
    return chain(judgeCondition(this.related, condition, options), () =>
      this.removeWhere(owner, condition === undefined ? () => true : compileCondition(condition), options))
  }

  removeWhere (owner: Row, matches: (row: Row) => boolean, options: OperationOptions): MaybePromise<unknown> {
    return this.edit(owner, options, (list, put) => put(list.filter(row => !matches(row))))
  }

  private edit<T>(
    owner: Row,
    options: OperationOptions,
    edit: (list: readonly Row[], put: Put) => MaybePromise<T>
  ): MaybePromise<T> {
    return editList(this.model.compiled, owner, this.property, options, (list, put) => edit(rowsOf(list), put))
  }

  private grown (list: readonly Row[], row: Row): Row[] {
    return this.options.prepend === true ? [row, ...list] : [...list, row]
  }

  /**
   * Number ids are given out: the highest in the list, plus one. Others come from the store of the embedded model where
   * it makes ids (`transient`), else from the client or from the model's default.
   */
  private withId (list: readonly Row[], data: Row): Row {
    const { id } = this.related
    const { forceId, autoId, persistent } = this.options
    // Persistent rows have the ids that their store gives them.
    if (id === undefined || autoId === false || persistent === true) return data
    if (forceId !== true && data[id.name] !== undefined && data[id.name] !== null) return data
    const given = this.nextId(list, id)
    if (given === undefined) return data
    if (!isInstance(data)) return { ...(data as Record<string, unknown>), [id.name]: given }
    data[id.name] = given
    return data
  }

  private nextId (list: readonly Row[], { name, type }: CompiledProperty): unknown {
    if (['number', 'integer', 'long', 'bigint'].includes(type.kind)) {
      return list.reduce((most, row) => (typeof row[name] === 'number' ? Math.max(most, row[name]) : most), 0) + 1
    }
    return this.Target.dataSource?.connector.generateId?.(this.related)
  }

  include (rows: readonly Row[], node: IncludeNode, options: OperationOptions): MaybePromise<void> {
    const within = relatedOptions(options)
    const query = embeddedInclude(this.related, node, this.own(undefined, this.related), within)
    const keep = (owner: Row, found: Row[]): void => { setIncluded(owner, this.name, found) }
    return chain(query, asked =>
      includeEmbedded(this.related, rows, asked, within, owner => this.listOf(owner), keep))
  }
}

/** What is no object in the list is no row. */
function rowsOf (list: readonly unknown[]): Row[] {
  return list.filter((item): item is Row => item !== null && typeof item === 'object' && !Array.isArray(item))
}
