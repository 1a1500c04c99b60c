/**
 * The methods that relations share over REST (behaviour.md, section 8), as data. `call` does all that a request needs:
 * nothing found is a 404 there. A request that passes remote hooks calls the instance method of the same name instead,
 * which gives null or false, and `rest.after` makes the 404 of it once the hooks have seen the result.
 */
import { unknownId } from '../errors.js'
import { chain, type MaybePromise } from '../maybe-promise.js'
import type { ModelInstance } from '../instances/model-instance.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import type { RelationBase } from './base.js'
import { noRelated } from './errors.js'
import type { LinkOperations, ListOperations } from './list.js'
import {
  dataOf,
  filterOf,
  method,
  noCondition,
  nothing,
  one,
  orElse,
  refresh,
  relatedId,
  whenResultIs,
  whereOf
} from './method-parts.js'
import type { RelationMethod } from '../interfaces/relation.js'
import type { RestHook } from '../interfaces/shared-method.js'
import { shownRows } from './shown-rows.js'

/** A relation to one row of its own. */
export interface SingleOperations extends RelationBase {
  /** Null or undefined when there is none. */
  read (owner: ModelInstance, options: OperationOptions): MaybePromise<unknown>
  create (owner: ModelInstance, data: unknown, options: OperationOptions): MaybePromise<ModelInstance>
  update (owner: ModelInstance, data: unknown, options: OperationOptions): MaybePromise<ModelInstance>
  destroy (owner: ModelInstance, options: OperationOptions): MaybePromise<unknown>
}

/**
 * `GET /order`. A row without a key answers an empty object (of a polymorphic relation: a 404), one whose key leads
 * nowhere null.
 */
export function belongsToMethods (relation: RelationBase & Pick<SingleOperations, 'read'>): RelationMethod[] {
  const model = relation.target()?.modelName ?? 'PersistedModel'
  const missing = (): Error => noRelated(relation.target()?.modelName ?? relation.name)
  // The row does not say which of several models it would be.
  const polymorphic = relation.target() === undefined
  return [method(relation, {
    prefix: 'get',
    verb: 'get',
    accepts: [refresh],
    returns: one(relation.name, model),
    description: `Fetches belongsTo relation ${relation.name}.`,
    after: polymorphic ? whenResultIs(undefined, missing) : emptyForNothing
  }, (owner, _, options) => polymorphic
    ? orElse(undefined, relation.read(owner, options), missing)
    : chain(relation.read(owner, options), row => row === undefined ? {} : row))]
}

/** A row that points at nothing: LoopBack answers 200 with an empty object, and with null where the other is gone. */
const emptyForNothing: RestHook = (context: { result: unknown }, next) => {
  if (context.result === undefined) context.result = {}
  next()
}

/**
 * `GET`, `POST`, `PUT` and `DELETE /profile`.
 * @param keys properties of the related row that the relation sets
 * @param mustExist whether reading nothing is a 404 (hasOne) or a 204 (embedsOne)
 */
export function singleMethods (
  relation: SingleOperations,
  keys: readonly string[],
  mustExist: boolean
): RelationMethod[] {
  const { name } = relation
  const model = relation.Target.modelName
  const missing = (): Error => noRelated(model)
  return [
    method(
      relation,
      {
        prefix: 'get',
        verb: 'get',
        accepts: [refresh],
        returns: one(name, model),
        description: `Fetches ${relation.type} relation ${name}.`,
        ...(mustExist ? { after: whenResultIs(null, missing) } : {})
      },
      (owner, _, options) =>
        mustExist ? orElse(null, relation.read(owner, options), missing) : relation.read(owner, options)
    ),
    method(
      relation,
      {
        prefix: 'create',
        verb: 'post',
        accepts: [dataOf(model, 'create', keys)],
        returns: one('data', model),
        description: `Creates a new instance in ${name} of this model.`
      },
      (owner, [data], options) => relation.create(owner, data, options)
    ),
    method(
      relation,
      {
        prefix: 'update',
        verb: 'put',
        accepts: [dataOf(model, 'patch')],
        returns: one('data', model),
        description: `Update ${name} of this model.`
      },
      (owner, [data], options) => relation.update(owner, data, options)
    ),
    method(
      relation,
      {
        prefix: 'destroy',
        verb: 'delete',
        description: `Deletes ${name} of this model.`
      },
      (owner, _, options) => nothing(relation.destroy(owner, options))
    )
  ]
}

/** The endpoints of a list. */
export function listMethods (relation: ListOperations, keys: readonly string[] = []): RelationMethod[] {
  const { name } = relation
  const model = relation.Target.modelName
  const from = relation.model.modelName
  const fk = relatedId('fk', relation)
  // One key in a path is no id of a row whose id has several parts.
  const byId = relation.Target.state.idNames.length > 1
    ? []
    : [
        method(relation, {
          prefix: 'findById',
          verb: 'get',
          path: '/:fk',
          accepts: [fk],
          returns: one('result', model),
          description: `Find a related item by id for ${name}.`,
          after: whenResultIs(null, args => unknownId(model, args.fk))
        }, (owner, [id], options) => relation.findById(owner, id, options)),
        method(relation, {
          prefix: 'destroyById',
          verb: 'delete',
          path: '/:fk',
          accepts: [fk],
          description: `Delete a related item by id for ${name}.`
        }, (owner, [id], options) => nothing(relation.destroyById(owner, id, options))),
        method(relation, {
          prefix: 'updateById',
          verb: 'put',
          path: '/:fk',
          accepts: [fk, dataOf(model, 'patch')],
          returns: one('result', model),
          description: `Update a related item by id for ${name}.`
        }, (owner, [id, data], options) => relation.updateById(owner, id, data, options))
      ]
  return [
    ...byId,
    method(relation, {
      prefix: 'get',
      verb: 'get',
      accepts: [filterOf(model)],
      returns: { arg: name, type: [model], root: true },
      description: `Queries ${name} of ${from}.`
    }, (owner, [filter], options) => shownRows(relation, relation.find(owner, filter, options), options)),
    method(relation, {
      prefix: 'create',
      verb: 'post',
      accepts: [{ ...dataOf(model, 'create', keys), allowArray: true }],
      returns: one('data', model),
      description: `Creates a new instance in ${name} of this model.`
    }, (owner, [data], options) => relation.create(owner, data, options)),
    method(relation, {
      prefix: 'delete',
      verb: 'delete',
      accepts: [noCondition],
      description: `Deletes all ${name} of this model.`
    }, (owner, _, options) => nothing(relation.destroyAll(owner, undefined, options))),
    method(relation, {
      prefix: 'count',
      verb: 'get',
      path: '/count',
      accepts: [whereOf(model)],
      returns: { arg: 'count', type: 'number' },
      description: `Counts ${name} of ${from}.`
    }, (owner, [where], options) => relation.count(owner, where, options))
  ]
}

/**
 * The endpoints under `/rel/:fk`.
 * @param joining the model whose row the link answers with
 * @param withData whether the body of a link holds properties of the joining row
 */
export function linkMethods (relation: LinkOperations, joining: string, withData: boolean): RelationMethod[] {
  const { name } = relation
  const path = '/rel/:fk'
  const fk = relatedId('fk', relation)
  const unlinked = (id: unknown): Error => unknownId(relation.Target.modelName, id)
  return [
    method(relation, {
      prefix: 'link',
      verb: 'put',
      path,
      accepts: withData ? [fk, dataOf(joining, 'patch')] : [fk],
      returns: one(name, joining),
      description: `Add a related item by id for ${name}.`
    }, (owner, [id, data], options) => relation.link(owner, id, withData ? data : undefined, options)),
    method(relation, {
      prefix: 'unlink',
      verb: 'delete',
      path,
      accepts: [fk],
      description: `Remove the ${name} relation to an item by id.`
    }, (owner, [id], options) => nothing(relation.unlink(owner, id, options))),
    method(relation, {
      prefix: 'exists',
      verb: 'head',
      path,
      accepts: [fk],
      returns: { arg: 'exists', type: 'boolean', root: true },
      description: `Check the existence of ${name} relation to an item by id.`,
      after: whenResultIs(false, args => unlinked(args.fk))
    }, (owner, [id], options) => orElse(false, relation.exists(owner, id, options), () => unlinked(id)))
  ]
}
