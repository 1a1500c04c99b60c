/**
 * Queries after scope and `access` hook: the filter of a read, the condition of a count and of a write. What a caller
 * asks for is checked here, and what the framework demands is added.
 */
import { isDeepStrictEqual } from 'node:util'
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { Id } from '../data-source/connector.js'
import { badQuery } from '../errors.js'
import type { Observer } from '../hooks.js'
import { chain, type MaybePromise } from '../maybe-promise.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import type { Condition, Query } from '../query/ast.js'
import { isAlwaysTrue } from '../query/always-true.js'
import { bothConditions, mergeFilters } from '../query/merge.js'
import { INCLUDE_PATH } from '../query/include-path.js'
import { narrowQuery, type Addition } from '../query/narrow.js'
import { OwnFilter, ownFilter } from '../query/own-filter.js'
import { parseFilter, parseWhere, type ParseOptions } from '../query/parse.js'
import { internalOptions, Operation, parseOptions, storeOptions, whereId, wideOptions } from './context.js'
import { mayBeCostly } from './cost.js'
import { asInternal, isFromCaller } from './origin.js'
import { hasRelated, judgeRelated, resolveRelated } from './related-conditions.js'
import { watchOwnKeys, withoutOwnKeys } from './own-filter-keys.js'

/** How a filter is read again once it was judged, with what the `access` hook made of it. */
const judgedOptions = (model: CompiledModel, options: OperationOptions): ParseOptions =>
  isFromCaller(options) ? model.parsing.judged : internalOptions(model, options)

type Filter = Record<string, unknown> | undefined

/**
 * What the framework adds to a query, such as the join of a relation, in two forms that say the same. The rules for
 * what comes from outside do not bind it.
 */
export interface Narrowing {
  readonly addition: Addition
  /** Whether one row is read: the page of the default scope is not for it. */
  readonly isOne?: boolean
  /** As JSON, which is made for hooks only. @param filter what it is added to */
  written (filter: Filter): Record<string, unknown>
}

/**
 * The query of a read: the filter is checked as it came, then the default scope is added and the `access` hook may
 * change it. Only where a hook listens is there JSON of the whole, which is read again after the hook.
 * @param known the query that `filter` was read as, by `wideOptions`, where it was read before
 * @throws RequestError 400 for a filter that cannot be
 */
export function accessQuery (
  operation: Operation,
  filter: unknown,
  narrowing?: Narrowing,
  known?: Query
): MaybePromise<Query> {
  return chain(readQuery(operation, filter, narrowing, known, narrowing?.isOne === true), query =>
    resolvedQuery(operation, query))
}

/** The query as stores answer it: see `related-conditions.ts`. */
function resolvedQuery (operation: Operation, query: Query): MaybePromise<Query> {
  if (!hasRelated(query.where)) return query
  return chain(resolved(operation, query.where), where => ({ ...query, where }))
}

const resolved = (
  { model, options }: Operation, condition: Condition | undefined, how: { readonly isWrite?: boolean, readonly mayLink?: boolean } = {}
): MaybePromise<Condition | undefined> =>
  hasRelated(condition) ? resolveRelated(model, condition, { options, narrow: narrowKnown, ...how }) : condition

/** Whether the caller may ask about the related rows that a condition names. It is asked of what the caller wrote. */
const judged = <T>(operation: Operation, condition: Condition | undefined, result: () => MaybePromise<T>): MaybePromise<T> =>
  operation.options.includeGuard === undefined || condition === undefined
    ? result()
    : chain(judgeRelated(operation.model, condition, operation.options), result)

/**
 * The query of a read of one row, as `accessQuery`: a default scope says which rows there are and which comes first,
 * not how many. Its `limit`, `skip` and `offset` are for lists.
 * @throws RequestError 400 for a filter that cannot be
 */
export const accessOne = (operation: Operation, filter: Readonly<Record<string, unknown>>): MaybePromise<Query> =>
  chain(readQuery(operation, filter, undefined, undefined, true), query =>
    resolvedQuery(operation, query.limit === 1 ? query : { ...query, limit: 1 }))

function readQuery (
  operation: Operation, filter: unknown, narrowing: Narrowing | undefined, known: Query | undefined, isOne: boolean
): MaybePromise<Query> {
  const { model, options } = operation
  const observers = options.notify === false ? undefined : model.hooks.access
  const isWhole = narrowing === undefined && model.definition.scope === undefined
  const reading = isWhole && observers === undefined ? parseOptions(model, options) : wideOptions(model, options)
  const asked = known ?? parseFilter(
    model, observers === undefined ? filter : withoutOwnKeys(filter), reading, options[INCLUDE_PATH]
  )
  if (mayBeCostly(asked)) operation.count()
  if (observers === undefined) {
    if (isWhole) return judged(operation, asked.where, () => asked)
    const additions = additionsTo(narrowing, scopeOf(model, isOne))
    return judged(operation, asked.where, () =>
      narrowQuery(model, asked, filter as Filter, additions, options[INCLUDE_PATH]))
  }
  return judged(operation, asked.where, () => tellAccess(operation, observers, filter, narrowing, isOne))
}

/** The query that the observers of `access` make of a filter which was judged. */
function tellAccess (
  operation: Operation, observers: readonly Observer[], filter: unknown, narrowing: Narrowing | undefined, isOne: boolean
): MaybePromise<Query> {
  const { model, options } = operation
  const narrowed = narrowing === undefined
    ? copyFilter(filter)
    : mergeFilters(copyFilter(filter), narrowing.written(filter as Filter))
  const query = (mergeFilters(narrowed, scopeOf(model, isOne)?.json) ?? {}) as Record<string, unknown>
  // As in LoopBack, who hears of a page hears where it begins.
  if (query.limit !== undefined) query.skip = query.offset = query.skip ?? query.offset ?? 0
  const forget = watchOwnKeys(query)
  return chain(operation.notify(observers, { query }), context => {
    forget()
    return parseFilter(model, context?.query ?? query, judgedOptions(model, options), options[INCLUDE_PATH])
  })
}

/** What an upsert looks for, and whether observers of `access` have made other rows of it than the one with the id. */
export interface Sought {
  readonly query: Query
  readonly isOther: boolean
}

/**
 * The query of an upsert by id.
 *
 * ```js
 * const { query, isOther } = await soughtById(operation, 1)
 * ```
 */
export function soughtById (operation: Operation, id: Id): MaybePromise<Sought> {
  const { model } = operation
  const given = whereId(model, id)
  if (!listensToAccess(operation)) {
    return chain(accessOne(operation, { where: given }), query => ({ query, isOther: false }))
  }
  return chain(resolvedWhere(operation, askHooks(operation, given, undefined)), ({ condition, json }) => ({
    query: { where: condition, order: [], limit: 1, skip: 0, select: model.selectAll, include: [] },
    isOther: !isDeepStrictEqual(json, scopedWhere(given, undefined, defaultScope(model)))
  }))
}

function additionsTo (narrowing: Narrowing | undefined, scope: OwnFilter | undefined): readonly Addition[] {
  if (scope === undefined) return narrowing === undefined ? none : [narrowing.addition]
  return narrowing === undefined ? [scope.addition] : [narrowing.addition, scope.addition]
}

const none: readonly Addition[] = []

/** The condition of `count`: as `accessQuery`, with the condition alone. */
export function accessCondition (
  operation: Operation,
  where: unknown,
  narrowing?: Narrowing
): MaybePromise<Condition | undefined> {
  return chain(narrowedCondition(operation, where, narrowing), condition => resolved(operation, condition))
}

function narrowedCondition (
  operation: Operation, where: unknown, narrowing?: Narrowing
): MaybePromise<Condition | undefined> {
  const { model, options } = operation
  const asked = parseWhere(model, where, parseOptions(model, options))
  if (asked !== undefined) operation.count()
  return judged(operation, asked, () => narrowAsked(operation, where, asked, narrowing))
}

function narrowAsked (
  operation: Operation, where: unknown, asked: Condition | undefined, narrowing?: Narrowing
): MaybePromise<Condition | undefined> {
  if (listensToAccess(operation)) {
    const given = (where ?? {}) as Record<string, unknown>
    return chain(askHooks(operation, given, narrowing?.written(undefined)), ({ condition }) => condition)
  }
  return bothConditions(
    narrowing === undefined ? asked : bothConditions(asked, narrowing.addition.where),
    defaultScope(operation.model)?.addition.where
  )
}

/** Related rows that a condition may find are those that reads of their model find. */
function narrowKnown (
  model: CompiledModel, options: OperationOptions, where: Readonly<Record<string, unknown>>,
  known: Condition | undefined
): MaybePromise<Condition | undefined> {
  return narrowAsked(new Operation(model, options), where, known)
}

/** A condition in both forms. `json` is what hooks see. */
export interface AccessWhere {
  readonly condition: Condition | undefined
  readonly json: Record<string, unknown>
}

/** The condition of `updateAll` and deletes. */
function accessWhere (
  operation: Operation,
  where: unknown,
  judge?: (condition: Condition | undefined) => void
): MaybePromise<AccessWhere> {
  const { model, options } = operation
  const asked = parseWhere(model, where, parseOptions(model, options))
  judge?.(asked)
  if (asked !== undefined) operation.count()
  const given = (where ?? {}) as Record<string, unknown>
  return judged(operation, asked, () => {
    if (listensToAccess(operation)) return resolvedWhere(operation, askHooks(operation, given, undefined))
    const scope = defaultScope(model)
    return resolvedWhere(operation, scope === undefined
      ? { condition: asked, json: given }
      : { condition: bothConditions(asked, scope.addition.where), json: scopedWhere(given, undefined, scope) })
  })
}

/** The condition of a write as stores answer it. */
const resolvedWhere = (operation: Operation, found: MaybePromise<AccessWhere>): MaybePromise<AccessWhere> =>
  chain(found, where => hasRelated(where.condition)
    ? chain(resolved(operation, where.condition, { isWrite: true }), condition => ({ ...where, condition }))
    : where)

const listensToAccess = ({ model, options }: Operation): boolean =>
  model.hooks.access !== undefined && options.notify !== false

function askHooks (
  operation: Operation, given: Record<string, unknown>, narrowing: Filter
): MaybePromise<AccessWhere> {
  const { model, options } = operation
  const query: Record<string, unknown> = { where: scopedWhere(given, narrowing, defaultScope(model)) }
  return chain(operation.notify(model.hooks.access, { query }), context => {
    const json = ((context?.query ?? query).where ?? {}) as Record<string, unknown>
    return { condition: parseWhere(model, json, judgedOptions(model, options)), json }
  })
}

/**
 * The condition of a write once the observers of its `before` hook have had it: what they made of `where` counts.
 * @param told the context that they got; undefined where nobody listens
 */
export function whereAfter (
  operation: Operation, found: AccessWhere, told: { readonly where?: Record<string, unknown> } | undefined
): MaybePromise<AccessWhere> {
  if (told === undefined) return found
  const { model, options } = operation
  const json = told.where ?? {}
  return resolvedWhere(operation, { condition: parseWhere(model, json, judgedOptions(model, options)), json })
}

function scopedWhere (
  given: Record<string, unknown>, narrowing: Filter, scope: OwnFilter | undefined
): Record<string, unknown> {
  const narrowed = mergeFilters({ where: { ...given } }, onlyWhere(narrowing))
  const { where } = mergeFilters(narrowed, onlyWhere(scope?.json)) as { where?: Record<string, unknown> }
  return where ?? {}
}

/**
 * The condition of a bulk write. From outside it must say which rows: only `{}`, in so many words, stands for all of
 * them (security.md, S-24).
 * @throws RequestError 400 for none, and for one that no row can fail (`{ and: [] }`, `{ name: { nin: [] } }`)
 */
export function writeWhere (operation: Operation, where: unknown): MaybePromise<AccessWhere> {
  if (!isFromCaller(operation.options)) return accessWhere(operation, where)
  if (where === undefined || where === null) {
    throw badQuery('A where clause is needed: {} stands for all rows', 'MISSING_WHERE')
  }
  return accessWhere(operation, where, condition => {
    if (isAlwaysTrue(condition) && Object.keys(where).length > 0) {
      throw badQuery('The where clause tests nothing: {} stands for all rows', 'EMPTY_WHERE')
    }
  })
}

/**
 * Whether the row with this id is one that the caller's reads would find, for writes that replace it whole: the default
 * scope counts (S-76), and so do the observers of `access` unless `accessOnReplace` is false, as it is in folders that
 * do not say (S-105). LoopBack asks neither.
 */
export function isInSight (operation: Operation, id: Id): MaybePromise<boolean> {
  const { model, options } = operation
  const asksHooks = model.hooks.access !== undefined && options.notify !== false &&
    (model.settings.accessOnReplace ?? model.Model.registry.settings.accessOnReplace) !== false
  if (!asksHooks && !narrows(model.definition.scope)) return true
  const asking = asksHooks ? operation : new Operation(model, { ...options, notify: false })
  return chain(accessCondition(asking, whereId(model, id)), condition =>
    chain(model.connector.count(model, condition, storeOptions(model, options)), count => count > 0))
}

/** Whether a default scope may hide rows: one of an order or a limit alone does not. */
const narrows = (scope: unknown): boolean =>
  typeof scope === 'function' || (scope as { readonly where?: unknown } | undefined)?.where !== undefined

/**
 * The condition that all reads of somebody have: the default scope, and what the `access` hook adds. Undefined where
 * there is none.
 *
 * ```js
 * const condition = await visibleCondition(Note.compiled, options)
 * ```
 */
export function visibleCondition (
  model: CompiledModel, options: OperationOptions
): MaybePromise<Condition | undefined> {
  const operation = new Operation(model, asInternal(options))
  return chain(narrowedCondition(operation, {}), condition => resolved(operation, condition, { mayLink: false }))
}

/**
 * The query of a `find` without a filter: what somebody may see at all, the rows as well as what is shown of them. It is
 * for tests of single rows: conditions on related rows are as they were read, and no such test takes them.
 *
 * ```js
 * const { where, select } = await visibleQuery(Note.compiled, options)
 * ```
 */
export const visibleQuery = (model: CompiledModel, options: OperationOptions): MaybePromise<Query> =>
  readQuery(new Operation(model, asInternal(options)), {}, undefined, undefined, false)

/** Hooks and scopes may change the top levels of a filter; the caller's object stays as it is. */
function copyFilter (filter: unknown): Filter {
  if (filter === undefined || filter === null) return undefined
  const copy = { ...filter as Record<string, unknown> }
  if (copy.where !== null && typeof copy.where === 'object' && !Array.isArray(copy.where)) {
    copy.where = { ...copy.where }
  }
  return copy
}

/** The `scope` of a model: an object, or a function that makes one. */
function defaultScope (model: CompiledModel): OwnFilter | undefined {
  const { scope } = model.definition
  if (scope === undefined || scope === null) return undefined
  if (typeof scope !== 'function') return ownFilter(model, scope)
  const made = (scope as () => object | null | undefined).call(model.Model)
  return made === undefined || made === null ? undefined : new OwnFilter(model, made)
}

const scopeOf = (model: CompiledModel, isOne: boolean): OwnFilter | undefined =>
  isOne ? defaultScope(model)?.pageless : defaultScope(model)

const onlyWhere = (scope: Filter): Filter => scope === undefined ? undefined : { where: scope.where }
