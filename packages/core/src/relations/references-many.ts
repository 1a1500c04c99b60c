import type { RelationDefinition } from '../definition/definition.js'
import { chain, type MaybePromise } from '../maybe-promise.js'
import { instantiate, isInstance } from '../instances/instance.js'
import { setIncluded } from '../instances/included.js'
import type { ModelInstance } from '../instances/model-instance.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import { createInstances } from '../operations/create.js'
import { relatedOptions } from '../operations/origin.js'
import { unknownId } from '../errors.js'
import type { Row } from '../properties/types.js'
import type { IncludeNode } from '../query/ast.js'
import { coerceId } from '../query/id.js'
import type { OwnFilter } from '../query/own-filter.js'
import type { Validation } from '../interfaces/validation.js'
import { verb, type Verbs } from './accessor.js'
import { RelationBase } from './base.js'
import { keyMismatch, notAmongChildren } from './errors.js'
import { mustBeInSight, partsInSight } from './in-sight.js'
import { findAmong } from './find-among.js'
import { pageOf, positionsBy } from './group.js'
import { toInstance, toInstances } from './instances.js'
import { isKey, keysFor, keyText, keyTypeOf, sameKey, type Key } from './keys.js'
import { linkVerbs, type LinkOperations } from './list.js'
import { editList, mustBeSettable, type Put } from './edit-property.js'
import { linkMethods, listMethods } from './methods.js'
import { Demand, type Filter, perParent, withField } from './related-query.js'
import { relatedById, relatedCount, relatedRows } from './related-rows.js'
import { createRelated } from './related-writes.js'
import type { ImpliedProperty, RelationMethod, RelationJoin } from '../interfaces/relation.js'
import { uniqueItems } from './list-validations.js'

/** The row holds a list of keys of rows of another model. Keys whose rows are gone are left out of lists. */
export class ReferencesMany extends RelationBase implements LinkOperations {
  readonly type = 'referencesMany'
  readonly verbs: Verbs = {
    ...linkVerbs(this),
    add: verb(1, (owner, [related], options) => this.link(owner, related, undefined, options)),
    at: verb(1, (owner, [index], options) => this.at(owner, Number(index), options))
  }

  /** The property that holds the keys. */
  get foreignKey (): string {
    return this.written.foreignKey || keysFor(this.Target.modelName)
  }

  get joinKeys (): readonly string[] {
    return [this.foreignKey]
  }

  protected defaults (): Partial<RelationDefinition> {
    return { model: this.Target.modelName, foreignKey: this.foreignKey, primaryKey: this.targetId }
  }

  impliedProperties (): readonly ImpliedProperty[] {
    const definition: Record<string, unknown> = {
      type: [keyTypeOf(this.Target, this.targetId)],
      default: this.options.default ?? []
    }
    return [{ model: this.model, name: this.foreignKey, definition }]
  }

  override validations (): readonly Validation[] {
    const message = (): string => `contains duplicate \`${this.Target.modelName}\` instance`
    return [uniqueItems(this.foreignKey, key => key, message, this.name)]
  }

  joins (): readonly RelationJoin[] {
    return [this.joinTo(this.Target, this.foreignKey, this.targetId)]
  }

  methods (): readonly RelationMethod[] {
    return [...listMethods(this), ...linkMethods(this, this.Target.modelName, false)]
  }

  private keysOf (owner: Row): Key[] {
    const keys = owner[this.foreignKey]
    return Array.isArray(keys) ? keys.filter(isKey) : []
  }

  load (owner: ModelInstance, condition: unknown, options: OperationOptions): MaybePromise<ModelInstance[]> {
    return toInstances(this.related, this.find(owner, condition, options))
  }

  /** In the order of the keys, unless the filter has an order of its own. */
  find (owner: Row, given: unknown, options: OperationOptions): MaybePromise<Row[]> {
    const keys = this.keysOf(owner)
    const model = this.related
    const scope = this.own(owner, model)
    const asked = given as Filter | undefined
    if ((asked?.order ?? scope?.json.order) !== undefined) {
      return relatedRows(model, asked, options, this.among(keys, scope))
    }
    return chain(relatedRows(model, asked, options, this.among(keys, scope, this.targetId)), rows => {
      const sorted = this.inOrder(keys, rows)
      return withField(asked, this.targetId) === asked ? sorted : sorted.map(({ [this.targetId]: _, ...row }) => row)
    })
  }

  private among (keys: readonly Key[], scope: OwnFilter | undefined, join?: string): Demand {
    return new Demand(this.related, [{ [this.targetId]: { inq: keys } }], scope, join)
  }

  private inOrder (keys: readonly Key[], rows: readonly Row[]): Row[] {
    const positions = positionsBy(rows, this.targetId)
    return keys.flatMap(key => {
      const position = positions.get(keyText(key))
      return position === undefined ? [] : [rows[position] as Row]
    })
  }

  count (owner: Row, where: unknown, options: OperationOptions): MaybePromise<number> {
    const model = this.related
    return relatedCount(model, where, options, this.among(this.keysOf(owner), this.own(owner, model)))
  }

  /**
   * @throws RequestError 400 for an id that is not in the list, whether there is such a row or not (security.md, S-04);
   * 404 for a row that is gone
   */
  findById (owner: Row, id: unknown, options: OperationOptions): MaybePromise<Row> {
    const value = coerceId(this.related, id)
    if (value === undefined || !this.keysOf(owner).some(key => sameKey(key, value))) {
      throw keyMismatch(this.model.modelName, this.foreignKey, id)
    }
    return chain(relatedById(this.related, id, options), row => {
      if (row === undefined) throw notAmongChildren(id, this.Target.modelName)
      return row
    })
  }

  at (owner: Row, index: number, options: OperationOptions): MaybePromise<ModelInstance | null> {
    const key = this.keysOf(owner)[index]
    return key === undefined ? null : chain(this.findById(owner, key, options), row => toInstance(this.related, row))
  }

  exists (owner: Row, id: unknown, _options: OperationOptions): boolean {
    const value = coerceId(this.related, id)
    return value !== undefined && this.keysOf(owner).some(key => sameKey(key, value))
  }

  override build (owner: Row, data: unknown): ModelInstance {
    return new this.Target(this.prepare(owner, data, {}))
  }

  /** Creates rows and puts their keys on the list. */
  create (owner: Row, data: unknown, options: OperationOptions): MaybePromise<ModelInstance | ModelInstance[]> {
    mustBeSettable(this.model.compiled, this.foreignKey, owner, options)
    const prepared = Array.isArray(data)
      ? data.map(each => this.prepare(owner, each, {}))
      : this.prepare(owner, data, {})
    const created = createRelated(this.related, prepared, options, createInstances)
    return chain(created, rows => chain(this.put(owner, [rows].flat(), options), () => rows))
  }

  /**
   * Puts a row's key on the list.
   * @throws RequestError 404 for a row that is not there; ValidationError 422 for one that is on the list
   */
  link (owner: Row, given: unknown, _data: unknown, options: OperationOptions): MaybePromise<ModelInstance> {
    if (isInstance(given)) return chain(this.put(owner, [given], options), () => given)
    return chain(relatedById(this.related, given, options), row => {
      if (row === undefined) throw unknownId(this.Target.modelName, given)
      const related = instantiate(this.related, row)
      return chain(this.put(owner, [related], options), () => related)
    })
  }

  private put (owner: Row, related: readonly ModelInstance[], options: OperationOptions): MaybePromise<unknown> {
    const keys = related.map(each => each[this.targetId])
    return this.edit(owner, options, (list, put) =>
      put(this.options.prepend === true ? [...keys, ...list] : [...list, ...keys])
    )
  }

  /** Takes a row's key off the list, which it gives; the row stays. That it was not on the list is no error. */
  unlink (owner: Row, given: unknown, options: OperationOptions): MaybePromise<unknown> {
    const id = isInstance(given) ? given[this.targetId] : coerceId(this.related, given)
    return chain(mustBeInSight(this.related, id, options), () => this.edit(owner, options, (list, put) => {
      const rest = list.filter(key => !sameKey(key, id))
      return rest.length < list.length ? chain(put(rest), () => rest) : rest
    }))
  }

  updateById (owner: Row, id: unknown, data: unknown, options: OperationOptions): MaybePromise<ModelInstance> {
    return chain(this.findById(owner, id, options), row => this.change(row, data, options))
  }

  /** Takes the row off the list and deletes it. */
  destroyById (owner: Row, id: unknown, options: OperationOptions): MaybePromise<void> {
    return chain(this.findById(owner, id, options), row =>
      chain(this.unlink(owner, id, options), () => this.remove(row, options))
    )
  }

  /** Empties the list (of the rows that match); the rows themselves stay, others may refer to them. */
  destroyAll (owner: Row, where: unknown, options: OperationOptions): MaybePromise<unknown> {
    const isAll = where === undefined || where === null || Object.keys(where).length === 0
    if (isAll && !partsInSight(this.related, options)) return this.edit(owner, options, (_, put) => put([]))
    const asked = isAll ? { fields: [this.targetId] } : { where, fields: [this.targetId] }
    return chain(this.find(owner, asked, options), rows => {
      const gone = new Set(rows.map(row => keyText(row[this.targetId])))
      return this.edit(owner, options, (list, put) => put(list.filter(key => !gone.has(keyText(key)))))
    })
  }

  private edit (
    owner: Row, options: OperationOptions, edit: (list: readonly unknown[], put: Put) => MaybePromise<unknown>
  ): MaybePromise<unknown> {
    return editList(this.model.compiled, owner, this.foreignKey, options, edit)
  }

  include (rows: readonly Row[], node: IncludeNode, options: OperationOptions): MaybePromise<void> {
    const model = this.related
    const within = relatedOptions(options)
    const keys = new Set<Key>()
    for (const row of rows) for (const key of this.keysOf(row)) keys.add(key)
    const asked = perParent(model, node, this.own(undefined, model), within)
    const { filter, scope, page } = asked
    const ordered = (filter?.order ?? scope?.json.order) !== undefined
    const among = { property: this.targetId, keys: [...keys], scope }
    return chain(findAmong(model, asked, within, among), related => {
      const positions = positionsBy(related, this.targetId)
      for (const row of rows) {
        const own = this.keysOf(row).flatMap(key => positions.get(keyText(key)) ?? [])
        if (ordered) own.sort((a, b) => a - b)
        setIncluded(row, this.name, pageOf(own.map(position => related[position] as Row), page))
      }
    })
  }
}
