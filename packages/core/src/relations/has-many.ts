import { chain, type MaybePromise } from '../maybe-promise.js'
import { setIncluded } from '../instances/included.js'
import type { ModelInstance } from '../instances/model-instance.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import type { Row } from '../properties/types.js'
import { assertFullId } from '../operations/compound.js'
import { whereId } from '../operations/context.js'
import { coerceId } from '../query/id.js'
import { asInternal } from '../operations/origin.js'
import { PagedRows } from '../operations/pages.js'
import { comesToOwn, ownFunction } from '../own-functions.js'
import { verb, type Verbs } from './accessor.js'
import { notAmongChildren } from './errors.js'
import { HasRelation } from './has.js'
import { toInstances } from './instances.js'
import { listVerbs, type ListOperations } from './list.js'
import { listMethods } from './methods.js'
import { allOf, Demand, narrowed, type Filter } from './related-query.js'
import { relatedCount, relatedRow, relatedRows } from './related-rows.js'
import { createRelated, deleteRelated, updateRelated } from './related-writes.js'
import { shownRows } from './shown-rows.js'
import type { RelationMethod } from '../interfaces/relation.js'
import type { PageSettings, RowPages } from '../interfaces/row-pages.js'

/** Any number of rows of another model point at the owner. */
export class HasMany extends HasRelation implements ListOperations {
  readonly type = 'hasMany'

  readonly verbs: Verbs = {
    ...listVerbs(this),
    updateAll: verb(2, (owner, [where, data], options) => this.updateAll(owner, where, data, options))
  }

  methods (): readonly RelationMethod[] {
    return listMethods(this, this.setKeys)
  }

  load (owner: ModelInstance, condition: unknown, options: OperationOptions): MaybePromise<ModelInstance[]> {
    return toInstances(this.related, this.find(owner, condition, options))
  }

  find (owner: Row, filter: unknown, options: OperationOptions): MaybePromise<Row[]> {
    const within = this.demand(owner)
    return within === undefined ? [] : relatedRows(this.related, filter, options, within)
  }

  pages (
    owner: Row, filter: unknown, options: OperationOptions, settings: PageSettings
  ): Promise<RowPages> | undefined {
    const narrowing = this.demand(owner)
    if (narrowing === undefined || ownFunction(this.Target, 'find') !== undefined) return undefined
    const shown = (rows: Row[]): MaybePromise<Row[]> => shownRows(this, rows, options)
    return PagedRows.open(this.related, filter, options, settings, { narrowing, shown })
  }

  count (owner: Row, where: unknown, options: OperationOptions): MaybePromise<number> {
    const within = this.demand(owner)
    return within === undefined ? 0 : relatedCount(this.related, where, options, within)
  }

  findById (owner: Row, id: unknown, options: OperationOptions): MaybePromise<Row> {
    return chain(this.rowWithId(owner, this.relatedId(id), options), row => {
      if (row === undefined) throw notAmongChildren(id, this.Target.modelName)
      return row
    })
  }

  private rowWithId (owner: Row, id: unknown, options: OperationOptions): MaybePromise<Row | undefined> {
    const keys = this.keysOf(owner)
    if (id === undefined || keys === undefined) return undefined
    const model = this.related
    const within = this.own(owner, model)?.onlyWhere
    const demand = new Demand(model, [whereId(model, id), keys], within, undefined, 'one')
    return relatedRow(model, undefined, asInternal(options), demand)
  }

  /** @throws RequestError 400 for one value where rows have compound ids */
  private relatedId (id: unknown): unknown {
    assertFullId(this.related, `${this.model.modelName}.${this.name}`, id)
    return coerceId(this.related, id)
  }

  exists (owner: Row, id: unknown, options: OperationOptions): MaybePromise<boolean> {
    const value = this.relatedId(id)
    // As in LoopBack: who says which rows there are says it to this as well.
    if (comesToOwn(this.Target, 'findOne')) {
      return chain(this.rowWithId(owner, value, options), row => row !== undefined)
    }
    return value === undefined
      ? false
      : chain(this.count(owner, whereId(this.related, value), asInternal(options)), count => count > 0)
  }

  create (owner: Row, data: unknown, options: OperationOptions): MaybePromise<ModelInstance | ModelInstance[]> {
    const keys = this.mustHaveKeys(owner)
    const prepared = Array.isArray(data)
      ? data.map(each => this.prepare(owner, each, keys))
      : this.prepare(owner, data, keys)
    return createRelated(this.related, prepared, options)
  }

  updateById (owner: Row, id: unknown, data: unknown, options: OperationOptions): MaybePromise<ModelInstance> {
    return chain(this.findById(owner, id, options), row => {
      this.mustKeep(this.related, data, this.mustHaveKeys(owner))
      return this.change(row, data, options)
    })
  }

  destroyById (owner: Row, id: unknown, options: OperationOptions): MaybePromise<void> {
    return chain(this.findById(owner, id, options), row => this.remove(row, options))
  }

  destroyAll (owner: Row, where: unknown, options: OperationOptions): MaybePromise<unknown> {
    const within = this.conditionFor(owner, where)
    return within === undefined ? { count: 0 } : deleteRelated(this.related, within, options)
  }

  updateAll (owner: Row, where: unknown, data: unknown, options: OperationOptions): MaybePromise<unknown> {
    const [condition, changes] = data === undefined ? [undefined, where] : [where, data]
    const within = this.conditionFor(owner, condition)
    if (within === undefined) return { count: 0 }
    this.mustKeep(this.related, changes, this.mustHaveKeys(owner))
    return updateRelated(this.related, within, (changes ?? {}) as Row, options)
  }

  private conditionFor (owner: Row, where: unknown): Filter | undefined {
    const keys = this.keysOf(owner)
    return keys === undefined ? undefined : allOf(narrowed(this.scopeFor(owner), keys).where, where)
  }

  protected keepIncluded (row: Row, related: Row[]): void {
    setIncluded(row, this.name, related)
  }
}
