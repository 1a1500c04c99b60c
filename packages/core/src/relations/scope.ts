/** Named scopes: `Product.cheap()`, `GET /Products/cheap`. A scope is a filter under a name. */
import { badQuery } from '../errors.js'
import { chain, type MaybePromise } from '../maybe-promise.js'
import type { ModelClass } from '../interfaces/model-class.js'
import type { ModelInstance } from '../instances/model-instance.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import { assertFullId } from '../operations/compound.js'
import { noOptions, whereId, whereIds } from '../operations/context.js'
import { findRows } from '../operations/read.js'
import { promiseOrCallback, splitCallback } from '../callbacks.js'
import type { Row } from '../properties/types.js'
import { mergeFilters } from '../query/merge.js'
import { isCompound } from '../query/compound-id.js'
import { coerceId, rowId } from '../query/id.js'
import { OwnFilter, ownFilter } from '../query/own-filter.js'
import { takeEqualities } from '../query/equalities.js'
import { isPlainObject } from '../query/parse-context.js'
import { asInternal } from '../operations/origin.js'
import { optionsOf } from './accessor.js'
import { toInstance, toInstances } from './instances.js'
import { allOf, type Filter } from './related-query.js'
import { relatedCount, relatedRow, relatedRows } from './related-rows.js'
import { createRelated, deleteRelated, updateRelated } from './related-writes.js'

/** A filter, or a function (`this` is the model) that makes one. */
export type ScopeDefinition = object | ((this: ModelClass) => object)

type Values = readonly unknown[]
interface ScopeVerb {
  readonly arity: number
  run(scope: Scope, values: Values, options: OperationOptions): MaybePromise<unknown>
}

/** A scope of one model, as it is at one moment. */
class Scope {
  #own: OwnFilter | undefined

  /** @param isFixed whether `filter` is the same object each time, as it stands in the definition */
  constructor (readonly Model: ModelClass, readonly filter: Filter, readonly isFixed: boolean) {}

  get own (): OwnFilter {
    const { compiled } = this.Model
    return (this.#own ??= this.isFixed ? ownFilter(compiled, this.filter) : new OwnFilter(compiled, this.filter))
  }

  /** @throws RequestError 400 for one value where rows have compound ids */
  whereId (id: unknown): Filter {
    const { compiled } = this.Model
    assertFullId(compiled, 'findById', id)
    return whereId(compiled, isCompound(compiled) ? coerceId(compiled, id) : id)
  }

  find (filter: unknown, options: OperationOptions): MaybePromise<ModelInstance[]> {
    return toInstances(this.Model.compiled, relatedRows(this.Model.compiled, filter, options, this.own))
  }

  findOne (filter: unknown, options: OperationOptions): MaybePromise<ModelInstance | null> {
    return chain(relatedRow(this.Model.compiled, filter, options, this.own.first), row =>
      row === undefined ? null : toInstance(this.Model.compiled, row))
  }

  count (where: unknown, options: OperationOptions): MaybePromise<number> {
    return relatedCount(this.Model.compiled, where, options, this.own)
  }

  /** Data with the values that the scope's condition asks for. */
  prepare (data: unknown): Row {
    const row = { ...data as Row | undefined }
    takeEqualities(row, this.filter.where, name => this.Model.compiled.propertyByName.has(name))
    return row
  }

  create (data: unknown, options: OperationOptions): MaybePromise<ModelInstance | ModelInstance[]> {
    const prepared = Array.isArray(data) ? data.map(each => this.prepare(each)) : this.prepare(data)
    return createRelated(this.Model.compiled, prepared, options)
  }

  /** Condition of all rows of the scope: those of its page where it has one. */
  condition (where: unknown, options: OperationOptions): MaybePromise<Filter> {
    const { order, limit, skip, offset } = this.filter
    const all = allOf(where, this.filter.where)
    if (limit === undefined && skip === undefined && offset === undefined) return all
    const { compiled } = this.Model
    const fields = compiled.key.length === 0 ? ['id'] : compiled.key.map(({ name }) => name)
    const rows = findRows(compiled, { where: all, fields, order, limit, skip, offset }, asInternal(options))
    return chain(rows, found => whereIds(compiled, found.map(row => rowId(compiled, row))))
  }

  destroyAll (where: unknown, options: OperationOptions): MaybePromise<unknown> {
    return chain(this.condition(where, options), condition =>
      deleteRelated(this.Model.compiled, condition, options)
    )
  }

  updateAll (where: unknown, data: unknown, options: OperationOptions): MaybePromise<unknown> {
    return chain(this.condition(where, options), condition =>
      updateRelated(this.Model.compiled, condition, data as Row, options)
    )
  }
}

const find: ScopeVerb = {
  arity: 1,
  run: (scope, [filter], options) => scope.find(isPlainObject(filter) ? filter : undefined, options)
}

const verbs: Readonly<Record<string, ScopeVerb>> = {
  find,
  getAsync: find,
  findOne: { arity: 1, run: (scope, [filter], options) => scope.findOne(filter, options) },
  findById: {
    arity: 2,
    run: (scope, [id, filter], options) =>
      scope.findOne({ ...(filter as Filter | undefined), where: scope.whereId(id) }, options)
  },
  count: { arity: 1, run: (scope, [where], options) => scope.count(where, options) },
  create: { arity: 1, run: (scope, [data], options) => scope.create(data, options) },
  destroyAll: { arity: 1, run: (scope, [where], options) => scope.destroyAll(where, options) },
  updateAll: {
    arity: 2,
    run: (scope, [where, data], options) =>
      data === undefined ? scope.updateAll({}, where, noOptions) : scope.updateAll(where, data, options)
  }
}

/** Names of the class functions (`__get__cheap`) by the verb that they stand for. */
const methodVerbs = {
  get: 'find',
  create: 'create',
  count: 'count',
  findOne: 'findOne',
  findById: 'findById',
  update: 'updateAll'
}

/** Calls a verb, in either face. */
function call (scope: Scope, { arity, run }: ScopeVerb, args: readonly unknown[]): unknown {
  const { values, callback } = splitCallback(args)
  const { registry } = scope.Model
  const answer = (): unknown => run(scope, values.slice(0, arity), optionsOf(values[arity]))
  return promiseOrCallback(answer, callback, false, registry)
}

/**
 * `Product.cheap`: a function that finds, with the other operations, and the model's other scopes, which narrow it
 * further.
 */
function scopeAccessor (scope: Scope, methods: object): unknown {
  const accessor = (...args: unknown[]): unknown => call(scope, find, args)
  const define = (name: string, descriptor: PropertyDescriptor): void => {
    Object.defineProperty(accessor, name, { configurable: true, ...descriptor })
  }
  for (const [name, other] of Object.entries(scopesOf(scope.Model))) {
    const both = (): Filter => mergeFilters(scope.filter, scopeOf(scope.Model, other).filter) as Filter
    define(name, { get: () => scopeAccessor(new Scope(scope.Model, both(), false), {}) })
  }
  for (const [name, each] of Object.entries(verbs)) {
    define(name, { value: (...args: unknown[]) => call(scope, each, args) })
  }
  define('build', { value: (data: unknown) => new scope.Model(scope.prepare(data)) })
  for (const [name, method] of Object.entries(methods)) {
    if (typeof method === 'function') define(name, { value: (method as () => unknown).bind(scope.Model) })
  }
  return accessor
}

function scopeOf (Model: ModelClass, definition: unknown): Scope {
  const isFixed = typeof definition !== 'function'
  const filter = isFixed ? definition : (definition as () => unknown).call(Model)
  return new Scope(Model, (filter ?? {}) as Filter, isFixed)
}

const isScope = (definition: unknown): boolean =>
  typeof definition === 'function' || (definition !== null && typeof definition === 'object')

/**
 * Scopes of a model and of those it extends; null drops an inherited one.
 *
 * ```js
 * Object.keys(scopesOf(Product)) // ['cheap']
 * ```
 */
export function scopesOf (Model: ModelClass): Record<string, unknown> {
  const all = Object.assign({}, ...Model.state.chain().map(state => state.settings.scopes)) as Record<string, unknown>
  return Object.fromEntries(Object.entries(all).filter(([, definition]) => isScope(definition)))
}

/**
 * Defines a scope: the accessor on the class, and the functions behind its endpoints.
 * @param methods further functions of the accessor; `this` is the model
 */
export function defineScope (Model: ModelClass, name: string, definition: ScopeDefinition, methods: object = {}): void {
  const scopes = Model.state.settings.scopes as Record<string, unknown>
  scopes[name] = definition
  if (!isScope(definition)) return
  describeScopes(Model)
  const named = (of: ModelClass): Scope => scopeOf(of, scopesOf(of)[name])
  Object.defineProperty(Model, name, {
    configurable: true,
    get (this: ModelClass) {
      return scopeAccessor(named(this), methods)
    }
  })
  const define = (prefix: string, each: ScopeVerb): void => {
    const value = function (this: ModelClass, ...args: unknown[]): unknown { return call(named(this), each, args) }
    Object.defineProperty(Model, `__${prefix}__${name}`, { value, configurable: true, writable: true })
  }
  for (const [prefix, verbName] of Object.entries(methodVerbs)) define(prefix, verbs[verbName] as ScopeVerb)
  define('delete', {
    arity: 1,
    run: (scope, [where], options) => {
      mustNarrow(scope, name)
      return scope.destroyAll(where, options)
    }
  })
}

/** `Model.scopes`: what is known of the scopes, by their names; code may put something else there. */
function describeScopes (Model: ModelClass): void {
  if ('scopes' in Model) return
  Object.defineProperty(Model, 'scopes', {
    configurable: true,
    get (this: ModelClass) {
      const described = Object.entries(scopesOf(this)).map(([name, params]) =>
        [name, { name, isStatic: true, modelFrom: this, modelTo: this, params, methods: {}, options: {} }])
      return Object.fromEntries(described) as unknown
    },
    set (this: ModelClass, value: unknown) {
      Object.defineProperty(this, 'scopes', { value, configurable: true, writable: true, enumerable: true })
    }
  })
}

/** The endpoint has no condition of its own, and a scope that only sorts is no condition either (security.md, S-24). */
function mustNarrow ({ filter }: Scope, name: string): void {
  const narrows = filter.limit !== undefined || (isPlainObject(filter.where) && Object.keys(filter.where).length > 0)
  if (!narrows) throw badQuery(`The scope "${name}" has no condition, so its rows cannot be deleted all at once.`)
}
