/** `nestRemoting`: the relations of related rows get endpoints of their own, `/staff/:id/reports/:nk/reports`. */
import { chain, type MaybePromise } from '../maybe-promise.js'
import type { ModelClass } from '../interfaces/model-class.js'
import type { ModelInstance } from '../instances/model-instance.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import { promiseOrCallback, splitCallback } from '../callbacks.js'
import type { Row } from '../properties/types.js'
import type { ArgumentDefinition } from '../interfaces/shared-method.js'
import { optionsOf } from './accessor.js'
import type { RelationBase } from './base.js'
import { invalidRelation, noRelated } from './errors.js'
import { toInstance } from './instances.js'
import type { ListOperations } from './list.js'
import type { SingleOperations } from './methods.js'
import { relatedId } from './method-parts.js'
import type { NestOptions, RelationMethod } from '../interfaces/relation.js'

/**
 * The nested methods of a model, and of those it extends: of relations that `nestRemoting()` names, or that say
 * `"options": { "nestRemoting": true }` themselves.
 *
 * ```js
 * Author.nestRemoting('books')
 * nestedMethods(Author).map(({ name }) => name)
 * ```
 * @throws FBK_CORE_INVALID_DEFINITION for a relation that the model does not have
 */
export function nestedMethods (Model: ModelClass): RelationMethod[] {
  const asked = new Map<string, NestOptions>()
  for (const { name, options } of Model.state.relations.values() as Iterable<unknown> as Iterable<RelationBase>) {
    if (options.nestRemoting === true) asked.set(name, {})
  }
  for (const { nested } of Model.state.chain()) for (const [name, given] of nested) asked.set(name, given)
  return [...asked].flatMap(([name, given]) => {
    const relation = Model.state.relations.get(name) as unknown as RelationBase | undefined
    if (relation === undefined && Model.state.unresolved.has(name)) return []
    if (relation === undefined) throw invalidRelation(Model, name, 'nestRemoting names a relation that does not exist')
    return methodsOf(relation, given)
  })
}

function methodsOf (relation: RelationBase, options: NestOptions): RelationMethod[] {
  const target = relation.target()
  if (target === undefined) return []
  const { filterMethod = usualName } = options
  return [...target.state.relations.values()].flatMap(inner => inner.methods().flatMap(method => {
    const name = filterMethod({ name: method.name }, relation)
    return name === undefined || name === '' ? [] : [nest(relation, method, name, options)]
  }))
}

/** `__get__books` under the relation `authors` is `__get__authors__books`. */
function usualName (method: { name: string }, relation: { name: string }): string | undefined {
  const parts = /^__([^_]+)__(.+)$/.exec(method.name)
  return parts === null ? undefined : `__${parts[1]}__${relation.name}__${parts[2]}`
}

function nest (relation: RelationBase, method: RelationMethod, name: string, options: NestOptions): RelationMethod {
  const { pathName, paramName = 'nk', hooks = true } = options
  const own: ArgumentDefinition[] = relation.multiple ? [relatedId(paramName, relation)] : []
  const path = `/${(pathName ?? relation.path).replace(/^\//, '')}${relation.multiple ? `/:${paramName}` : ''}`
  const { accepts = [], http = [], ...rest } = method.options
  const find: NonNullable<RelationMethod['nested']>['find'] = (owner, args, options) =>
    rowBetween(relation, owner, args[0], options)
  const nested: RelationMethod = {
    name,
    options: {
      ...rest,
      accepts: [...own, ...accepts],
      http: [http].flat().map(route => ({ ...route, path: path + (route.path ?? '') }))
    },
    call: (owner, args, options) =>
      chain(find(owner, args, options), inner => method.call(inner, args.slice(own.length), options)),
    nested: { relation, method, hooks, find }
  }
  defineOnPrototype(relation.model, nested, own.length)
  return nested
}

/** The related row whose relations are asked for. */
function rowBetween (
  relation: RelationBase,
  owner: ModelInstance,
  key: unknown,
  options: OperationOptions
): MaybePromise<ModelInstance> {
  const row = relation.multiple
    ? (relation as ListOperations).findById(owner, key, options)
    : ((relation as SingleOperations).read(owner, options) as MaybePromise<Row | null | undefined>)
  return chain(row, found => {
    if (found === null || found === undefined) throw noRelated(relation.Target.modelName)
    return toInstance(relation.related, found)
  })
}

/** For requests that pass remote hooks: the same on an instance, answering with instances. */
function defineOnPrototype ({ prototype, registry }: ModelClass, { name, nested }: RelationMethod, own: number): void {
  if (name in prototype || nested === undefined) return
  const value = function (this: ModelInstance, ...args: unknown[]): unknown {
    const { values, callback } = splitCallback(args)
    const answer = (): unknown => chain(nested.find(this, values, optionsOf(values[values.length - 1])), inner =>
      (inner[nested.method.name] as (...args: unknown[]) => Promise<unknown>)(...values.slice(own)))
    return promiseOrCallback(answer, callback, false, registry)
  }
  Object.defineProperty(prototype, name, { value, configurable: true, enumerable: false, writable: true })
}
