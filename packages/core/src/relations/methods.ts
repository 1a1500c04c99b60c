/**
 * The methods that relations share over REST (behaviour.md, section 8), as data. `call` does all that a request needs: nothing found is a 404 there.
 * A request that passes remote hooks calls the instance method of the same name instead, which gives null or false, and `rest.after` makes the 404 of
 * it once the hooks have seen the result.
 */
import type { MaybePromise } from '../maybe-promise.js'
import { chain } from '../maybe-promise.js'
import { unknownId } from '../errors.js'
import type { ModelInstance, OperationOptions } from '../model/model-class.js'
import type { ArgumentDefinition, HttpRoute, RemoteMethodOptions, RestHook, ReturnDefinition } from '../remoting/shared-method.js'
import type { RelationBase } from './base.js'
import { noRelated } from './errors.js'
import type { LinkOperations, ListOperations } from './list.js'
import type { RelationMethod } from './relation.js'

type Call = (owner: ModelInstance, args: readonly unknown[], options: OperationOptions) => MaybePromise<unknown>

const optionsArgument: ArgumentDefinition = { arg: 'options', type: 'object', http: 'optionsFromRequest' }
const refresh: ArgumentDefinition = { arg: 'refresh', type: 'boolean', http: { source: 'query' } }

/** In-process calls of `__delete__orders` take a condition; a request has none. */
const noCondition: ArgumentDefinition = { arg: 'where', type: 'object', http: () => undefined, documented: false }

const fk = (relation: RelationBase): ArgumentDefinition =>
  ({ arg: 'fk', type: 'any', description: `Foreign key for ${relation.name}`, required: true, http: { source: 'path' }, modelId: true, model: relation.Target.modelName })

/** @param keys properties that the relation sets: they are not required of the body */
const data = (model: string, variant: 'create' | 'patch', keys: readonly string[] = [], extra: Partial<ArgumentDefinition> = {}): ArgumentDefinition =>
  ({ arg: 'data', type: 'object', model, http: { source: 'body' }, modelSchema: { model, variant, ...(keys.length === 0 ? {} : { optional: keys }) }, ...extra })

const one = (arg: string, model: string): ReturnDefinition => ({ arg, type: model, root: true })

interface Shape {
  readonly prefix: string
  readonly verb: string
  /** Behind the relation's own path. */
  readonly path?: string
  readonly accessType: 'READ' | 'WRITE'
  readonly description: string
  readonly accepts?: ArgumentDefinition[]
  readonly returns?: ReturnDefinition
  readonly after?: RestHook
}

function method (relation: RelationBase, shape: Shape, call: Call): RelationMethod {
  const http: HttpRoute = { verb: shape.verb, path: `/${relation.path}${shape.path ?? ''}` }
  const options: RemoteMethodOptions = {
    accepts: [...shape.accepts ?? [], optionsArgument],
    returns: shape.returns === undefined ? [] : [shape.returns],
    http: [http],
    accessType: shape.accessType,
    description: shape.description,
    ...(shape.after === undefined ? {} : { rest: { after: shape.after } })
  }
  return { name: `__${shape.prefix}__${relation.name}`, options, call }
}

/** Passes on what was found, and makes an error of what was not. */
const orElse = (missing: unknown, found: MaybePromise<unknown>, error: () => Error): MaybePromise<unknown> => chain(found, value => {
  if (value === missing) throw error()
  return value
})

interface AfterContext { result: unknown, args?: Record<string, unknown> }

const whenResultIs = (missing: unknown, error: (args: Record<string, unknown>) => Error): RestHook => (context: AfterContext, next) =>
  context.result === missing ? next(error(context.args ?? {})) : next()

/** A relation to one row of its own. */
export interface SingleOperations extends RelationBase {
  /** Null or undefined when there is none. */
  read (owner: ModelInstance, options: OperationOptions): MaybePromise<unknown>
  create (owner: ModelInstance, data: unknown, options: OperationOptions): MaybePromise<ModelInstance>
  update (owner: ModelInstance, data: unknown, options: OperationOptions): MaybePromise<ModelInstance>
  destroy (owner: ModelInstance, options: OperationOptions): MaybePromise<unknown>
}

/** `GET /order`. A key that was never set is a 404, a key that leads nowhere answers null. */
export function belongsToMethods (relation: RelationBase & Pick<SingleOperations, 'read'>): RelationMethod[] {
  const model = relation.target()?.modelName ?? 'PersistedModel'
  const missing = (): Error => noRelated(relation.target()?.modelName ?? relation.name)
  return [method(relation, {
    prefix: 'get',
    verb: 'get',
    accessType: 'READ',
    accepts: [refresh],
    returns: one(relation.name, model),
    description: `Fetches belongsTo relation ${relation.name}.`,
    after: whenResultIs(undefined, missing)
  }, (owner, _, options) => orElse(undefined, relation.read(owner, options), missing))]
}

/**
 * `GET`, `POST`, `PUT` and `DELETE /profile`.
 * @param keys properties of the related row that the relation sets
 * @param mustExist whether reading nothing is a 404 (hasOne) or a 204 (embedsOne)
 */
export function singleMethods (relation: SingleOperations, keys: readonly string[], mustExist: boolean): RelationMethod[] {
  const { name } = relation
  const model = relation.Target.modelName
  const missing = (): Error => noRelated(model)
  return [
    method(relation, {
      prefix: 'get',
      verb: 'get',
      accessType: 'READ',
      accepts: [refresh],
      returns: one(name, model),
      description: `Fetches ${relation.type} relation ${name}.`,
      ...(mustExist ? { after: whenResultIs(null, missing) } : {})
    }, (owner, _, options) => mustExist ? orElse(null, relation.read(owner, options), missing) : relation.read(owner, options)),
    method(relation, { prefix: 'create', verb: 'post', accessType: 'WRITE', accepts: [data(model, 'create', keys)], returns: one('data', model), description: `Creates a new instance in ${name} of this model.` },
      (owner, [given], options) => relation.create(owner, given, options)),
    method(relation, { prefix: 'update', verb: 'put', accessType: 'WRITE', accepts: [data(model, 'patch')], returns: one('data', model), description: `Update ${name} of this model.` },
      (owner, [given], options) => relation.update(owner, given, options)),
    method(relation, { prefix: 'destroy', verb: 'delete', accessType: 'WRITE', description: `Deletes ${name} of this model.` },
      (owner, _, options) => nothing(relation.destroy(owner, options)))
  ]
}

const nothing = (done: MaybePromise<unknown>): MaybePromise<undefined> => chain(done, () => undefined)

/** The endpoints of a list. */
export function listMethods (relation: ListOperations, keys: readonly string[] = []): RelationMethod[] {
  const { name } = relation
  const model = relation.Target.modelName
  const filter: ArgumentDefinition = { arg: 'filter', type: 'object', model, modelFilter: 'filter' }
  const where: ArgumentDefinition = { arg: 'where', type: 'object', description: 'Criteria to match model instances', model, modelFilter: 'where' }
  const found = whenResultIs(null, args => unknownId(model, args.fk))
  return [
    method(relation, { prefix: 'findById', verb: 'get', path: '/:fk', accessType: 'READ', accepts: [fk(relation)], returns: one('result', model), description: `Find a related item by id for ${name}.`, after: found },
      (owner, [id], options) => relation.findById(owner, id, options)),
    method(relation, { prefix: 'destroyById', verb: 'delete', path: '/:fk', accessType: 'WRITE', accepts: [fk(relation)], description: `Delete a related item by id for ${name}.` },
      (owner, [id], options) => nothing(relation.destroyById(owner, id, options))),
    method(relation, { prefix: 'updateById', verb: 'put', path: '/:fk', accessType: 'WRITE', accepts: [fk(relation), data(model, 'patch')], returns: one('result', model), description: `Update a related item by id for ${name}.` },
      (owner, [id, given], options) => relation.updateById(owner, id, given, options)),
    method(relation, { prefix: 'get', verb: 'get', accessType: 'READ', accepts: [filter], returns: { arg: name, type: [model], root: true }, description: `Queries ${name} of ${relation.model.modelName}.` },
      (owner, [given], options) => relation.find(owner, given, options)),
    method(relation, { prefix: 'create', verb: 'post', accessType: 'WRITE', accepts: [data(model, 'create', keys, { allowArray: true })], returns: one('data', model), description: `Creates a new instance in ${name} of this model.` },
      (owner, [given], options) => relation.create(owner, given, options)),
    method(relation, { prefix: 'delete', verb: 'delete', accessType: 'WRITE', accepts: [noCondition], description: `Deletes all ${name} of this model.` },
      (owner, _, options) => nothing(relation.destroyAll(owner, undefined, options))),
    method(relation, { prefix: 'count', verb: 'get', path: '/count', accessType: 'READ', accepts: [where], returns: { arg: 'count', type: 'number' }, description: `Counts ${name} of ${relation.model.modelName}.` },
      (owner, [given], options) => relation.count(owner, given, options))
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
  const unlinked = (id: unknown): Error => unknownId(relation.Target.modelName, id)
  return [
    method(relation, {
      prefix: 'link',
      verb: 'put',
      path,
      accessType: 'WRITE',
      accepts: [fk(relation), ...(withData ? [data(joining, 'patch')] : [])],
      returns: one(name, joining),
      description: `Add a related item by id for ${name}.`
    }, (owner, [id, given], options) => relation.link(owner, id, withData ? given : undefined, options)),
    method(relation, { prefix: 'unlink', verb: 'delete', path, accessType: 'WRITE', accepts: [fk(relation)], description: `Remove the ${name} relation to an item by id.` },
      (owner, [id], options) => nothing(relation.unlink(owner, id, options))),
    method(relation, {
      prefix: 'exists',
      verb: 'head',
      path,
      accessType: 'READ',
      accepts: [fk(relation)],
      returns: { arg: 'exists', type: 'boolean', root: true },
      description: `Check the existence of ${name} relation to an item by id.`,
      after: whenResultIs(false, args => unlinked(args.fk))
    }, (owner, [id], options) => orElse(false, relation.exists(owner, id, options), () => unlinked(id)))
  ]
}
