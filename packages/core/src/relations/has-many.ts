import { chain, type MaybePromise } from '../maybe-promise.js'
import { setIncluded } from '../instances/included.js'
import type { ModelInstance } from '../instances/model-instance.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import { createInstance } from '../operations/create.js'
import { createList } from '../operations/create-list.js'
import { deleteRows } from '../operations/delete.js'
import { countRows, findRows } from '../operations/read.js'
import { updateRows } from '../operations/update-all.js'
import type { Row } from '../properties/types.js'
import { mustBeWhole } from '../operations/compound.js'
import { whereId } from '../operations/context.js'
import { coerceId } from '../query/id.js'
import { asInternal } from '../operations/origin.js'
import { verb, type Verbs } from './accessor.js'
import { notAmongChildren } from './errors.js'
import { HasRelation } from './has.js'
import { toInstances } from './instances.js'
import { listVerbs, type ListOperations } from './list.js'
import { listMethods } from './methods.js'
import { allOf, Demand, firstRow, narrowed, type Filter } from './related-query.js'
import type { RelationMethod } from '../interfaces/relation.js'

/** Any number of rows of another model point at the owner. */
export class HasMany extends HasRelation implements ListOperations {
  readonly type = 'hasMany'
  readonly multiple = true

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
    return within === undefined ? [] : findRows(this.related, filter, options, within)
  }

  count (owner: Row, where: unknown, options: OperationOptions): MaybePromise<number> {
    const within = this.demand(owner)
    return within === undefined ? 0 : countRows(this.related, where, options, within)
  }

  findById (owner: Row, id: unknown, options: OperationOptions): MaybePromise<Row> {
    const missing = (): Error => notAmongChildren(id, this.Target.modelName)
    const value = this.relatedId(id)
    const keys = this.keysOf(owner)
    if (value === undefined || keys === undefined) throw missing()
    const model = this.related
    const within = this.own(owner, model)?.onlyWhere
    const demand = new Demand(model, [whereId(model, value), keys], within, undefined, 'one')
    return chain(firstRow(model, undefined, demand, asInternal(options)), row => {
      if (row === undefined) throw missing()
      return row
    })
  }

  /** @throws RequestError 400 for one value where rows have compound ids */
  private relatedId (id: unknown): unknown {
    mustBeWhole(this.related, `${this.model.modelName}.${this.name}`, id)
    return coerceId(this.related, id)
  }

  exists (owner: Row, id: unknown, options: OperationOptions): MaybePromise<boolean> {
    const value = this.relatedId(id)
    return value === undefined
      ? false
      : chain(this.count(owner, whereId(this.related, value), asInternal(options)), count => count > 0)
  }

  create (owner: Row, data: unknown, options: OperationOptions): MaybePromise<ModelInstance | ModelInstance[]> {
    const keys = this.mustHaveKeys(owner)
    return Array.isArray(data)
      ? createList(this.related, data.map(each => this.prepare(owner, each, keys)), options)
      : createInstance(this.related, this.prepare(owner, data, keys), options)
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
    return within === undefined ? { count: 0 } : deleteRows(this.related, within, asInternal(options))
  }

  updateAll (owner: Row, where: unknown, data: unknown, options: OperationOptions): MaybePromise<unknown> {
    const [condition, changes] = data === undefined ? [undefined, where] : [where, data]
    const within = this.conditionFor(owner, condition)
    if (within === undefined) return { count: 0 }
    this.mustKeep(this.related, changes, this.mustHaveKeys(owner))
    return updateRows(this.related, within, (changes ?? {}) as Row, asInternal(options))
  }

  private conditionFor (owner: Row, where: unknown): Filter | undefined {
    const keys = this.keysOf(owner)
    return keys === undefined ? undefined : allOf(narrowed(this.scopeFor(owner), keys).where, where)
  }

  protected keepIncluded (row: Row, related: Row[]): void {
    setIncluded(row, this.name, related)
  }
}
