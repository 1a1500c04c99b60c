/** The operations that all relations to many rows have, and how in-process code calls them. */
import type { MaybePromise } from '../maybe-promise.js'
import { chain } from '../maybe-promise.js'
import type { ModelInstance } from '../instances/model-instance.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import type { Row } from '../properties/types.js'
import { verb, type Verbs } from './accessor.js'
import { isCompound } from '../query/compound-id.js'
import { rowId } from '../query/id.js'
import type { RelationBase } from './base.js'
import { forget, remember } from './cache.js'
import type { Filter } from './related-query.js'

/**
 * `owner` is the row that has the relation: an instance, or a plain row where nothing but its keys is needed. Reads
 * give plain rows.
 */
export interface ListOperations extends RelationBase {
  find (owner: Row, filter: unknown, options: OperationOptions): MaybePromise<Row[]>
  count (owner: Row, where: unknown, options: OperationOptions): MaybePromise<number>
  /** @throws RequestError 404 */
  findById (owner: Row, id: unknown, options: OperationOptions): MaybePromise<Row>
  exists (owner: Row, id: unknown, options: OperationOptions): MaybePromise<boolean>
  /** One row or, given a list, all of them. */
  create (owner: Row, data: unknown, options: OperationOptions): MaybePromise<ModelInstance | ModelInstance[]>
  build (owner: Row, data: unknown): ModelInstance
  updateById (owner: Row, id: unknown, data: unknown, options: OperationOptions): MaybePromise<ModelInstance>
  destroyById (owner: Row, id: unknown, options: OperationOptions): MaybePromise<void>
  destroyAll (owner: Row, where: unknown, options: OperationOptions): MaybePromise<unknown>
}

/** Lists whose members exist by themselves: they can be joined and parted. */
export interface LinkOperations extends ListOperations {
  /** Joins a row, given by its id or as an instance; `data` are properties of the joining row. */
  link (owner: Row, related: unknown, data: unknown, options: OperationOptions): MaybePromise<ModelInstance>
  unlink (owner: Row, related: unknown, options: OperationOptions): MaybePromise<unknown>
}

/** The members that accessors of all lists have. */
export function listVerbs (relation: ListOperations): Verbs {
  const changing = <T>(owner: ModelInstance, result: MaybePromise<T>): MaybePromise<T> => chain(result, value => {
    forget(owner, relation.name)
    return value
  })
  const find = verb(1, (owner, [filter], options) =>
    chain(relation.find(owner, filter, options), rows => {
      const found = rows.map(row => relation.instance(owner, row))
      if (filter === undefined || filter === null) remember(owner, relation.name, found)
      return found
    })
  )
  const destroyById = verb(1, (owner, [id], options) =>
    changing(owner, relation.destroyById(owner, idOf(relation, id), options))
  )
  return {
    find,
    get: find,
    getAsync: find,
    findOne: verb(1, (owner, [filter], options) =>
      chain(relation.find(owner, { ...(filter as Filter | undefined), limit: 1 }, options), ([row]) =>
        row === undefined ? null : relation.instance(owner, row)
      )
    ),
    findById: verb(1, (owner, [id], options) =>
      chain(relation.findById(owner, id, options), row => relation.instance(owner, row))
    ),
    exists: verb(1, (owner, [id], options) => relation.exists(owner, idOf(relation, id), options)),
    count: verb(1, (owner, [where], options) => relation.count(owner, where, options)),
    create: verb(1, (owner, [data], options) => changing(owner, relation.create(owner, data, options))),
    updateById: verb(2, (owner, [id, data], options) => changing(owner, relation.updateById(owner, id, data, options))),
    destroy: destroyById,
    destroyById,
    destroyAll: verb(1, (owner, [where], options) => changing(owner, relation.destroyAll(owner, where, options)))
  }
}

/** The members of lists that can be joined to. */
export function linkVerbs (relation: LinkOperations): Verbs {
  return {
    ...listVerbs(relation),
    add: verb(2, (owner, [related, data], options) => chain(relation.link(owner, related, data, options), linked => {
      forget(owner, relation.name)
      return linked
    })),
    remove: verb(1, (owner, [related], options) => chain(relation.unlink(owner, related, options), result => {
      forget(owner, relation.name)
      return result
    }))
  }
}

/** Operations take an id or the row itself. */
export function idOf (relation: RelationBase, given: unknown): unknown {
  if (given === null || typeof given !== 'object' || isCompound(relation.related)) return given
  return rowId(relation.related, given as Row)
}
