/**
 * What `order.items` and `order.customer` are: functions that load, with the relation's other operations as members.
 */
import type { MaybePromise } from '../maybe-promise.js'
import { chain } from '../maybe-promise.js'
import { compiledOf, isInstance } from '../instances/instance.js'
import type { ModelClass } from '../interfaces/model-class.js'
import type { ModelInstance } from '../instances/model-instance.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import { noOptions } from '../operations/context.js'
import { promiseOrCallback, splitCallback, type OperationCallback } from '../callbacks.js'
import type { RelationDefinition } from '../definition/definition.js'
import type { RelationBase } from './base.js'
import { remember } from './cache.js'
import { RELATION_METHOD } from '../interfaces/relation.js'
import { shownRows } from './shown-rows.js'

/**
 * One operation of a relation as in-process code calls it: `arity` arguments, then options, then perhaps a callback.
 */
export interface Verb {
  readonly arity: number
  run (owner: ModelInstance, args: readonly unknown[], options: OperationOptions): MaybePromise<unknown>
}

export type Verbs = Readonly<Record<string, Verb>>

export function verb (arity: number, run: Verb['run']): Verb {
  return { arity, run }
}

/** The promise form and the callback form of a verb, for one owner. */
export function callable (owner: ModelInstance, { arity, run }: Verb): (...args: unknown[]) => unknown {
  return (...args) => {
    const { values, callback } = splitCallback(args)
    const { registry } = owner.constructor as unknown as ModelClass
    const answer = (): unknown => run(owner, values.slice(0, arity), optionsOf(values[arity]))
    return promiseOrCallback(answer, callback, false, registry)
  }
}

export function optionsOf (value: unknown): OperationOptions {
  return value !== null && typeof value === 'object' ? value as OperationOptions : noOptions
}

/**
 * The accessor of one instance. Called with nothing it gives what is at hand (included, loaded or embedded), else a
 * promise of it; `true` or a filter loads anew; an instance becomes the related one.
 */
export function makeAccessor (relation: RelationBase, owner: ModelInstance): unknown {
  const accessor = (...args: unknown[]): unknown => {
    const { values, callback } = splitCallback(args)
    const [first] = values
    if (relation.assign !== undefined && callback === undefined && isInstance(first)) {
      return relation.assign(owner, first)
    }
    const condition = conditionOf(first)
    if (condition === undefined && first !== true) {
      const atHand = relation.value === undefined ? relation.atHand(owner) : relation.value(owner)
      if (callback === undefined && (atHand !== undefined || (relation.value !== undefined && values.length === 0))) {
        return atHand
      }
      if (atHand !== undefined) return promiseOrCallback(() => atHand, callback)
    }
    const load = (): unknown => loadAnew(relation, owner, condition, optionsOf(values[1]))
    return promiseOrCallback(load, callback, false, relation.model.registry)
  }
  for (const name of Object.keys(relation.verbs)) define(accessor, name, callable(owner, relation.verbs[name] as Verb))
  if (relation.build !== undefined) define(accessor, 'build', (data: unknown) => relation.build?.(owner, data))
  if (relation.heldAt !== undefined) define(accessor, 'at', atOf(relation, owner))
  if (relation.heldBy !== undefined) define(accessor, 'get', getOf(relation, owner))
  if (relation.value !== undefined) define(accessor, 'value', () => relation.value?.(owner))
  define(accessor, '_targetClass', relation.target()?.modelName)
  for (const [name, method] of customMethods(relation)) {
    define(accessor, name, method.bind({ definition: relation, modelInstance: owner, fetch: accessor }))
  }
  return accessor
}

/** What the row itself holds at a place is there without a callback. */
const atOf = (relation: RelationBase, owner: ModelInstance) =>
  (index: unknown, callback?: OperationCallback): unknown => {
    const found = relation.heldAt?.(owner, Number(index))
    return callback === undefined ? found : promiseOrCallback(() => found, callback)
  }

/** The same by id. Who gives a callback is told of an id that is not there. */
const getOf = (relation: RelationBase, owner: ModelInstance) => (id: unknown, ...rest: unknown[]): unknown => {
  const { callback } = splitCallback(rest)
  return callback === undefined
    ? relation.heldBy?.(owner, id)
    : callable(owner, relation.verbs.findById as Verb)(id, ...rest)
}

/** Loads, and keeps what was loaded without a condition at hand. */
function loadAnew (
  relation: RelationBase,
  owner: ModelInstance,
  condition: object | undefined,
  options: OperationOptions
) {
  return chain(relation.load(owner, condition, options), found => {
    const kept = (found ?? undefined) as ModelInstance | undefined
    if (condition === undefined && relation.value === undefined) remember(owner, relation.name, kept)
    return found
  })
}

/** `get` and `getAsync` of relations to one row. */
export function loadVerbs (relation: RelationBase): Verbs {
  const get = verb(0, (owner, _, options) => loadAnew(relation, owner, undefined, options))
  return { get, getAsync: get }
}

function define (target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true })
}

type Method = (this: unknown, ...args: unknown[]) => unknown

/**
 * Functions that the definition adds to the accessor (`methods` of single relations, `scopeMethods` of lists; in code
 * only).
 */
const customMethods = (relation: RelationBase): Array<[string, Method]> => writtenMethods(relation.definition)

function writtenMethods ({ methods, scopeMethods }: RelationDefinition): Array<[string, Method]> {
  const written = { ...methods, ...(scopeMethods as Record<string, unknown> | undefined) }
  return Object.entries(written).filter((entry): entry is [string, Method] => typeof entry[1] === 'function')
}

/** Names of the instance methods (`__get__orders`) by the verb that they stand for. */
const methodVerbs: Readonly<Record<string, string>> = {
  create: 'create',
  delete: 'destroyAll',
  count: 'count',
  findOne: 'findOne',
  findById: 'findById',
  updateById: 'updateById',
  destroyById: 'destroyById',
  link: 'add',
  unlink: 'remove',
  exists: 'exists',
  update: 'update',
  destroy: 'destroy'
}

/**
 * Puts the accessor of a relation and its `__get__orders`, `__create__orders` … on the class. They look the relation up
 * when they are used, so they serve all models that extend this one, and outlive changes of the definition. What the
 * class has under a name stays.
 */
export function defineAccessor (Model: ModelClass, name: string, relation: RelationBase): void {
  const { prototype } = Model
  if (!(name in prototype)) {
    Object.defineProperty(prototype, name, {
      configurable: true,
      enumerable: false,
      get (this: ModelInstance) {
        return Object.hasOwn(this, 'constructor') ? describeAccessor(relation) : relationOf(this, name).accessor(this)
      }
    })
  }
  const get = verb(1, (owner, [condition], options) => {
    const current = relationOf(owner, name)
    const loaded = current.load(owner, conditionOf(condition), options)
    return current.multiple && options.includeGuard?.lists !== undefined
      ? shownRows(current, loaded as MaybePromise<ModelInstance[]>, options)
      : loaded
  })
  defineMethod(prototype, `__get__${name}`, () => get)
  for (const [prefix, verbName] of Object.entries(methodVerbs)) {
    if (relation.verbs[verbName] === undefined) continue
    defineMethod(prototype, `__${prefix}__${name}`, owner => relationOf(owner, name).verbs[verbName] as Verb)
  }
  for (const [custom, method] of writtenMethods(relation.written)) defineCustom(prototype, name, custom, method)
}

/**
 * A function that the definition adds, as the class has it: what stands on it (`shared`, `http`) stands on this one.
 *
 * ```js
 * defineCustom(Order.prototype, 'items', 'reverse', reverse) // order.__reverse__items()
 * ```
 */
export function defineCustom (prototype: object, relation: string, name: string, method: Method): void {
  const ofInstance = function (this: ModelInstance, ...args: unknown[]): unknown {
    return (this[relation] as Record<string, (...args: unknown[]) => unknown>)[name]?.(...args)
  }
  const value = Object.assign(ofInstance, method)
  Object.defineProperty(prototype, `__${name}__${relation}`, { value, configurable: true, writable: true })
}

/** What the class shows in place of an accessor, which instances alone have. */
const describeAccessor = (relation: RelationBase): object =>
  relation.isResolved ? { _targetClass: relation.target()?.modelName } : {}

function defineMethod (prototype: ModelInstance, name: string, verbFor: (owner: ModelInstance) => Verb): void {
  if (name in prototype) return
  const value = function (this: ModelInstance, ...args: unknown[]): unknown {
    return callable(this, verbFor(this))(...args)
  }
  Object.defineProperty(value, RELATION_METHOD, { value: true })
  Object.defineProperty(prototype, name, { value, configurable: true, enumerable: false, writable: true })
}

function relationOf (owner: ModelInstance, name: string): RelationBase {
  const { relations, Model } = compiledOf(owner)
  const unresolved = Model.state.unresolved.get(name)
  // Either throws, and says which model is not there.
  unresolved?.target()
  unresolved?.through()
  return relations.get(name) as unknown as RelationBase
}

/** A filter, where the first argument of an accessor is one; `true` and `false` only tell whether to load anew. */
const conditionOf = (value: unknown): object | undefined =>
  value !== null && typeof value === 'object' ? value : undefined
