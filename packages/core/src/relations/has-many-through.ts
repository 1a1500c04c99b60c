import type { RelationDefinition, RelationType } from '../definition/definition.js'
import { chain, eachInSequence, isPromise, type MaybePromise } from '../maybe-promise.js'
import { isInstance } from '../instances/instance.js'
import { setIncluded } from '../instances/included.js'
import type { ModelClass } from '../interfaces/model-class.js'
import type { ModelInstance } from '../instances/model-instance.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import { createInstances } from '../operations/create.js'
import { deleteRows } from '../operations/delete.js'
import { isPlainRead, rowExists } from '../operations/read.js'
import { findOrCreate } from '../operations/upsert.js'
import { unknownId } from '../errors.js'
import type { Row } from '../properties/types.js'
import type { IncludeNode } from '../query/ast.js'
import { coerceId } from '../query/id.js'
import { bothConditions } from '../query/merge.js'
import { keyCondition } from '../query/narrow.js'
import { OwnFilter } from '../query/own-filter.js'
import { asInternal, isRemote, relatedOptions } from '../operations/origin.js'
import { linkVerbs, type LinkOperations } from './list.js'
import type { Verbs } from './accessor.js'
import { RelationBase } from './base.js'
import { invalidRelation, notAmongChildren, notLinked, notSaved } from './errors.js'
import { mustBeInSight, partsInSight } from './in-sight.js'
import { findAmong } from './find-among.js'
import { distinctKeys, groupBy, pageOf, positionsBy } from './group.js'
import { toInstances } from './instances.js'
import { idNameOf, isKey, keyText, keyTypeOf } from './keys.js'
import { KeysInBetween } from './keys-in-between.js'
import { findTarget, targetOf } from './lookup.js'
import { linkMethods, listMethods } from './methods.js'
import { polymorphicOf, type Polymorphic } from './polymorphic.js'
import { allOf, Demand, type Filter, perParent } from './related-query.js'
import { relatedById, relatedCount, relatedRows } from './related-rows.js'
import { createRelated, deleteRelated } from './related-writes.js'
import type { ImpliedProperty, RelationMethod, RelationJoin } from '../interfaces/relation.js'

/**
 * Rows of another model, joined to the owner by rows of a model in between. The relation's own `scope` narrows the
 * joining rows; filters of callers are about the rows at the far end. A row that is joined twice is in the list once.
 */
export class HasManyThrough extends RelationBase implements LinkOperations {
  readonly type: RelationType = 'hasMany'
  readonly polymorphic: Polymorphic | undefined = polymorphicOf(this.written, this.name)
  readonly verbs: Verbs = linkVerbs(this)
  #through: ModelClass | undefined
  #joining: OwnFilter | undefined
  readonly #keys = new KeysInBetween(this, this.written)

  override through (): ModelClass {
    return (this.#through ??= this.findThrough())
  }

  protected findThrough (): ModelClass {
    return targetOf(this.model, this.name, this.written.through, 'through model')
  }

  override get isResolved (): boolean {
    const { through } = this.written
    return super.isResolved && (!through || findTarget(this.model, this.name, through) !== undefined)
  }

  /** The joining rows' property that points at the owner. */
  get foreignKey (): string {
    return this.#keys.foreignKey
  }

  /** The joining rows' property that points at the far end. */
  get keyThrough (): string {
    return this.#keys.keyThrough
  }

  override get doubt (): string | undefined {
    return this.#keys.doubt
  }

  get primaryKey (): string {
    return this.written.primaryKey || idNameOf(this.model, this)
  }

  get joinKeys (): readonly string[] {
    return [this.primaryKey]
  }

  protected defaults (): Partial<RelationDefinition> {
    return {
      model: this.Target.modelName,
      through: this.through().modelName,
      foreignKey: this.foreignKey,
      primaryKey: this.primaryKey,
      keyThrough: this.keyThrough,
      ...(this.polymorphic === undefined ? {} : { polymorphic: this.polymorphic })
    }
  }

  impliedProperties (): readonly ImpliedProperty[] {
    const model = this.through()
    const { foreignKey, keyThrough } = this
    if (foreignKey === keyThrough) {
      throw invalidRelation(
        this.model,
        this.name,
        `both sides are joined by "${foreignKey}"; name two properties with "foreignKey" and "keyThrough"`
      )
    }
    const indexed = (name: string, type: unknown): ImpliedProperty => ({
      model,
      name,
      definition: { type, index: true }
    })
    const keys = [
      indexed(foreignKey, keyTypeOf(this.model, this.primaryKey)),
      indexed(keyThrough, keyTypeOf(this.Target, this.targetId))
    ]
    return this.polymorphic === undefined ? keys : [...keys, indexed(this.polymorphic.discriminator, 'string')]
  }

  joins (): readonly RelationJoin[] {
    const { primaryKey: from, foreignKey: to, Target: target, keyThrough } = this
    const between = { model: this.through(), keyThrough, targetKey: this.targetId }
    const { where, isPaged } = this.narrowing(this.joining(undefined))
    return [{ target, from, to, when: {}, only: this.kind(), where, isPaged, between }]
  }

  methods (): readonly RelationMethod[] {
    return [...listMethods(this), ...linkMethods(this, this.through().modelName, true)]
  }

  /** What joining rows of one owner have; undefined for an owner without a key. */
  private keysOf (owner: Row): Row | undefined {
    const key = owner[this.primaryKey]
    return isKey(key) ? { [this.foreignKey]: key, ...this.kind() } : undefined
  }

  private kind (): Row {
    if (this.polymorphic === undefined) return {}
    return { [this.polymorphic.discriminator]: this.#keys.inverted ? this.Target.modelName : this.model.modelName }
  }

  /** What the row that joins an owner to `id` has. */
  private linkKeys (owner: Row, id: unknown): Row {
    const keys = this.keysOf(owner)
    if (keys === undefined) throw notSaved(this.model.modelName, this.name)
    return { ...keys, [this.keyThrough]: id }
  }

  /** How joining rows are read: the relation's own scope is about them, and their keys are enough. */
  private joining (owner: Row | undefined): OwnFilter {
    const model = this.through().compiled
    const isFixed = typeof this.written.scope !== 'function'
    if (isFixed && this.#joining?.model === model) return this.#joining
    const { where, order, limit, skip, offset } = this.scopeFor(owner) ?? {}
    const joining = new OwnFilter(model, { where, order, limit, skip, offset, fields: this.keys })
    if (isFixed) this.#joining = joining
    return joining
  }

  private get keys (): readonly string[] {
    return this.#keys.both
  }

  /** Joining rows of one owner. */
  private joiningRows (condition: Filter, owner: Row, options: OperationOptions): MaybePromise<Row[]> {
    const model = this.through().compiled
    const { json: { where, order, limit, skip, offset }, query } = this.joining(owner)
    const filter = { where: allOf(condition, where), order, limit, skip, offset, fields: this.keys }
    const within = bothConditions(keyCondition(model, [condition]), query.where)
    return relatedRows(model, filter, asInternal(options), undefined, { ...query, where: within })
  }

  /** Joining rows of many owners. */
  private joiningRowsOf (keys: readonly unknown[], options: OperationOptions): MaybePromise<Row[]> {
    const model = this.through().compiled
    const { json: { where, order }, pageless: { query } } = this.joining(undefined)
    const asked = { filter: { where, order, fields: this.keys }, query }
    return findAmong(model, asked, asInternal(options), { property: this.foreignKey, keys, kind: this.kind() })
  }

  private idsOf (owner: Row, options: OperationOptions): MaybePromise<unknown[]> {
    const keys = this.keysOf(owner)
    return keys === undefined
      ? []
      : chain(this.joiningRows(keys, owner, options), joins => distinctKeys(joins, this.keyThrough))
  }

  load (owner: ModelInstance, condition: unknown, options: OperationOptions): MaybePromise<ModelInstance[]> {
    return toInstances(this.related, this.find(owner, condition, options))
  }

  find (owner: Row, filter: unknown, options: OperationOptions): MaybePromise<Row[]> {
    const asked = filter as Filter | undefined
    const ordered = this.scopeFor(owner)?.order !== undefined && asked?.order === undefined
    return chain(this.idsOf(owner, options), ids => {
      const among = this.amongTargets(ids, ordered ? this.targetId : undefined)
      const rows = relatedRows(this.related, asked, options, among)
      if (!ordered) return rows
      const position = new Map(ids.map((id, index) => [keyText(id), index]))
      const positionOf = (row: Row): number => position.get(keyText(row[this.targetId])) ?? 0
      return chain(rows, found => found.sort((a, b) => positionOf(a) - positionOf(b)))
    })
  }

  count (owner: Row, where: unknown, options: OperationOptions): MaybePromise<number> {
    return chain(this.idsOf(owner, options), ids => relatedCount(this.related, where, options, this.amongTargets(ids)))
  }

  private amongTargets (ids: readonly unknown[], join?: string): Demand {
    return new Demand(this.related, [{ [this.targetId]: { inq: ids } }], undefined, join)
  }

  /** Of a row that a caller from outside does not see, nothing is told either (security.md, S-91). */
  exists (owner: Row, given: unknown, options: OperationOptions): MaybePromise<boolean> {
    return chain(this.isLinked(owner, given, options), isLinked =>
      isLinked && isRemote(options) && !isPlainRead(this.related, options)
        ? rowExists(this.related, given, asInternal(options))
        : isLinked)
  }

  private isLinked (owner: Row, given: unknown, options: OperationOptions): MaybePromise<boolean> {
    const id = coerceId(this.related, given)
    const keys = this.keysOf(owner)
    if (id === undefined || keys === undefined) return false
    return chain(
      relatedCount(this.through().compiled, this.linkCondition(owner, id), asInternal(options)),
      count => count > 0
    )
  }

  private linkCondition (owner: Row, id: unknown): Filter {
    return allOf(this.linkKeys(owner, id), this.scopeFor(owner)?.where)
  }

  findById (owner: Row, id: unknown, options: OperationOptions): MaybePromise<Row> {
    return chain(this.isLinked(owner, id, options), linked => {
      if (!linked) {
        throw notLinked(
          this.through().modelName,
          this.model.modelName,
          owner[this.primaryKey],
          this.Target.modelName,
          id
        )
      }
      return chain(relatedById(this.related, id, options, shownBy(options)), row => {
        if (row === undefined) throw notAmongChildren(id, this.Target.modelName)
        return row
      })
    })
  }

  /** Joins an existing row. Joining what is joined already gives the same joining row again. */
  link (owner: Row, given: unknown, data: unknown, options: OperationOptions): MaybePromise<ModelInstance> {
    const id = isInstance(given) ? given[this.targetId] : coerceId(this.related, given)
    const missing = (): Error => unknownId(this.Target.modelName, given)
    if (id === undefined) throw missing()
    return chain(isInstance(given) || rowExists(this.related, id, asInternal(options)), exists => {
      if (!exists) throw missing()
      return this.join(owner, id, data, options)
    })
  }

  private join (owner: Row, id: unknown, data: unknown, options: OperationOptions): MaybePromise<ModelInstance> {
    const keys = this.linkKeys(owner, id)
    const through = this.through().compiled
    this.mustKeep(through, data, keys)
    const filter = { where: this.linkCondition(owner, id) }
    return chain(findOrCreate(through, filter, this.prepare(owner, data, keys), asInternal(options)), ([row]) => row)
  }

  /**
   * Parts a row from its owner; the row itself stays. That it was not joined is no error.
   * @throws RequestError 404 for one that rules do not leave to the caller
   */
  unlink (owner: Row, given: unknown, options: OperationOptions): MaybePromise<unknown> {
    const id = isInstance(given) ? given[this.targetId] : coerceId(this.related, given)
    if (id === undefined) return { count: 0 }
    return chain(mustBeInSight(this.related, id, options), () =>
      deleteRelated(this.through().compiled, this.linkCondition(owner, id), options))
  }

  override build (_owner: Row, data: unknown): ModelInstance {
    return new this.Target((data ?? {}) as Row)
  }

  /** Creates rows at the far end and joins them; when that fails, they are removed again. */
  create (owner: Row, data: unknown, options: OperationOptions): MaybePromise<ModelInstance | ModelInstance[]> {
    if (this.keysOf(owner) === undefined) throw notSaved(this.model.modelName, this.name)
    return chain(createRelated(this.related, (data ?? {}) as Row, options, createInstances), created =>
      chain(this.joinAll(owner, [created].flat(), options), () => created)
    )
  }

  private joinAll (owner: Row, created: ModelInstance[], options: OperationOptions): MaybePromise<ModelInstance[]> {
    const undo = (error: unknown): MaybePromise<never> => {
      const ids = created.map(each => each[this.targetId])
      return chain(deleteRows(this.related, { [this.targetId]: { inq: ids } }, asInternal(options)), () => {
        throw error as Error
      })
    }
    try {
      const joined = eachInSequence(created, each => this.join(owner, each[this.targetId], undefined, options))
      return isPromise(joined) ? joined.then(() => created, undo) : created
    } catch (error) {
      return undo(error)
    }
  }

  updateById (owner: Row, id: unknown, data: unknown, options: OperationOptions): MaybePromise<ModelInstance> {
    return chain(this.findById(owner, id, options), row => this.change(row, data, options))
  }

  /** Parts the row and deletes it. */
  destroyById (owner: Row, id: unknown, options: OperationOptions): MaybePromise<void> {
    return chain(this.findById(owner, id, options), row =>
      chain(this.unlink(owner, id, options), () => this.remove(row, options))
    )
  }

  /** Parts all rows (those of a condition) from their owner; the rows themselves stay. */
  destroyAll (owner: Row, where: unknown, options: OperationOptions): MaybePromise<unknown> {
    const keys = this.keysOf(owner)
    if (keys === undefined) return { count: 0 }
    const part = (condition: Filter): MaybePromise<unknown> =>
      deleteRelated(this.through().compiled, allOf(condition, this.scopeFor(owner)?.where), options)
    const isAll = where === undefined || where === null || Object.keys(where).length === 0
    if (isAll && !partsInSight(this.related, options)) return part(keys)
    const asked = isAll ? { fields: [this.targetId] } : { where, fields: [this.targetId] }
    return chain(this.find(owner, asked, options), rows =>
      part({ ...keys, [this.keyThrough]: { inq: rows.map(row => row[this.targetId]) } })
    )
  }

  include (rows: readonly Row[], node: IncludeNode, options: OperationOptions): MaybePromise<void> {
    const keys = distinctKeys(rows, this.primaryKey)
    const within = relatedOptions(options)
    const model = this.related
    const asked = perParent(model, node, undefined, within)
    return chain(this.joiningRowsOf(keys, options), joins => {
      const among = { property: this.targetId, keys: distinctKeys(joins, this.keyThrough) }
      return chain(findAmong(model, asked, within, among), related => {
        this.distribute(rows, joins, related, list => pageOf(list, asked.page))
      })
    })
  }

  /** Each owner gets the rows it is joined to, once each and in the order in which they were found. */
  private distribute (
    rows: readonly Row[],
    joins: readonly Row[],
    related: readonly Row[],
    page: (list: Row[]) => Row[]
  ): void {
    const positions = positionsBy(related, this.targetId)
    const joiningRowsOf = groupBy(joins, this.foreignKey)
    for (const row of rows) {
      const key = row[this.primaryKey]
      const own = new Set<number>()
      for (const join of (isKey(key) ? joiningRowsOf.get(keyText(key)) : undefined) ?? []) {
        const position = positions.get(keyText(join[this.keyThrough]))
        if (position !== undefined) own.add(position)
      }
      setIncluded(row, this.name, page([...own].sort((a, b) => a - b).map(position => related[position] as Row)))
    }
  }
}

/** What code asks to see of a row; as in LoopBack, it says so where other relations have options alone. */
const shownBy = (options: OperationOptions): Filter =>
  isRemote(options) ? {} : { fields: options.fields, include: options.include }
