/**
 * Queries after scope and `access` hook. What a caller asks for is checked here, and what the framework demands is
 * added. Conditions alone: `access-condition.ts`.
 */
import { isDeepStrictEqual } from 'node:util'
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { Id } from '../data-source/connector.js'
import type { Observer } from '../hooks.js'
import type { RowAction } from '../interfaces/row-rules.js'
import { chain, type MaybePromise } from '../maybe-promise.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import type { Query } from '../query/ast.js'
import { bothConditions, mergeFilters } from '../query/merge.js'
import { INCLUDE_PATH } from '../query/include-path.js'
import { narrowQuery, type Addition } from '../query/narrow.js'
import type { OwnFilter } from '../query/own-filter.js'
import { parseFilter } from '../query/parse.js'
import {
  askHooks, judged, judgedOptions, listensToAccess, resolved, resolvedWhere, type Narrowing
} from './access-condition.js'
import { Operation, parseOptions, whereId, wideOptions } from './context.js'
import { mayBeCostly } from './cost.js'
import { defaultScope, scopedWhere, scopeOf, type Filter } from './default-scope.js'
import { asInternal } from './origin.js'
import { watchOwnKeys, withoutOwnKeys } from './own-filter-keys.js'
import { mustReadDeleted } from './read-deleted.js'
import { queriedConditions } from './related-conditions.js'
import { mustReadAll, ruleOf } from './row-rules.js'
import type { RuleView } from './rule-view.js'

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
    chain(withWritten(operation, query, filter, narrowing), written => resolvedQuery(operation, written, 'read')))
}

/**
 * The query of a read as scope and hooks leave it, with the related rows that it asks about still to be looked at, and
 * without the rows of the rules.
 *
 * ```js
 * const query = await unresolvedQuery(new Operation(Note.compiled, options), { where: { stars: 5 } })
 * ```
 * @throws RequestError 400 for a filter that cannot be
 */
export const unresolvedQuery = (operation: Operation, filter: unknown): MaybePromise<Query> =>
  readQuery(operation, filter, undefined, undefined, false)

/**
 * What the caller wrote, what joins the rows and the rules of the caller are what cursors hold for: hooks may add what
 * changes with the time.
 */
function withWritten (
  { model, options }: Operation, query: Query, filter: unknown, narrowing: Narrowing | undefined
): MaybePromise<Query> {
  const { cursor } = query
  if (cursor === undefined) return query
  return chain(ruleOf(model, 'read', options), rule => {
    const rules = rule === undefined ? [] : [rule.key]
    const written = [(filter as Filter)?.where, narrowing?.written(undefined).where, ...rules]
    return { ...query, cursor: { ...cursor, written } }
  })
}

/** The query as stores answer it, for the rows that the rules leave to the caller: see `related-conditions.ts`. */
const resolvedQuery = (operation: Operation, query: Query, action: RowAction): MaybePromise<Query> =>
  chain(resolved(operation, query.where, action), where => where === query.where ? query : { ...query, where })

/**
 * The query of a read of one row, as `accessQuery`: a default scope says which rows there are and which comes first,
 * not how many. Its `limit`, `skip` and `offset` are for lists.
 * @throws RequestError 400 for a filter that cannot be
 */
export const accessOne = (
  operation: Operation, filter: Readonly<Record<string, unknown>>, action: RowAction = 'read'
): MaybePromise<Query> =>
  chain(readQuery(operation, filter, undefined, undefined, true), query =>
    chain(withWritten(operation, query.limit === 1 ? query : { ...query, limit: 1 }, filter, undefined), written =>
      resolvedQuery(operation, written, action)))

function readQuery (
  operation: Operation, filter: unknown, narrowing: Narrowing | undefined, known: Query | undefined, isOne: boolean
): MaybePromise<Query> {
  const { model, options } = operation
  const observers = options.notify === false ? undefined : model.hooks.access
  const isWhole = narrowing === undefined && model.definition.scope === undefined
  const reading = isWhole && observers === undefined ? parseOptions(model, options) : wideOptions(model, options)
  const asked = known ?? parseFilter(
    model, observers === undefined ? filter : withoutOwnKeys(model, filter), reading, options[INCLUDE_PATH]
  )
  if (mayBeCostly(asked)) operation.count()
  if (observers === undefined) {
    if (isWhole) return judgedQuery(operation, asked, () => asked)
    const additions = additionsTo(narrowing, scopeOf(model, isOne))
    return judgedQuery(operation, asked, () =>
      narrowQuery(model, asked, filter as Filter, additions, options[INCLUDE_PATH]))
  }
  const additions = writtenAdditions(model, asked, filter, narrowing, isOne)
  return judgedQuery(operation, asked, () => tellAccess(operation, observers, filter, additions))
}

/**
 * Asks whether the caller may ask about all that a filter of theirs names.
 *
 * ```js
 * const query = await judgedQuery(operation, asked, () => asked)
 * ```
 * @throws RequestError 400 HIDDEN_PROPERTY_IN_QUERY; 401, 403 for relations that the caller may not read
 */
export function judgedQuery (
  operation: Operation, asked: Query, result: () => MaybePromise<Query>
): MaybePromise<Query> {
  const { model, options } = operation
  const reads = asked.deleted === undefined ? undefined : mustReadDeleted(model, options)
  return chain(chain(reads, () => ruleOf(model, 'read', options)), rule => {
    mustReadAll(model, rule, asked, options)
    return judged(operation, queriedConditions(asked), result)
  })
}

/** What is added to a filter as it is written, for observers. */
function writtenAdditions (
  model: CompiledModel, { distinct }: Query, filter: unknown, narrowing: Narrowing | undefined, isOne: boolean
): readonly Filter[] {
  const added = [narrowing?.written(filter as Filter), scopeOf(model, isOne)?.json]
  // Where values are asked for, what is added of the form of rows and their order does not count (`narrowQuery`).
  return distinct === undefined
    ? added
    : added.map(each => each && { where: each.where, limit: each.limit, skip: each.skip, offset: each.offset })
}

/** The query that the observers of `access` make of a filter which was judged. */
function tellAccess (
  operation: Operation, observers: readonly Observer[], filter: unknown, additions: readonly Filter[]
): MaybePromise<Query> {
  const { model, options } = operation
  const merged = additions.reduce<object | undefined>(mergeFilters, copyFilter(filter))
  const query = (merged ?? {}) as Record<string, unknown>
  // As in LoopBack, who hears of a page hears where it begins.
  if (query.limit !== undefined) query.skip = query.offset = query.skip ?? query.offset ?? 0
  const forget = watchOwnKeys(model, query)
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
    return chain(accessOne(operation, { where: given }, 'update'), query => ({ query, isOther: false }))
  }
  return chain(resolvedWhere(operation, askHooks(operation, given, undefined), 'update'), ({ condition, json }) => ({
    query: { where: condition, order: [], limit: 1, skip: 0, select: model.selectAll, include: [] },
    isOther: !isDeepStrictEqual(json, scopedWhere(given, undefined, defaultScope(model)))
  }))
}

function additionsTo (narrowing: Narrowing | undefined, scope: OwnFilter | undefined): readonly Addition[] {
  if (scope === undefined) return narrowing === undefined ? none : [narrowing.addition]
  return narrowing === undefined ? [scope.addition] : [narrowing.addition, scope.addition]
}

const none: readonly Addition[] = []

/**
 * The query of a `find` without a filter: what somebody may see at all, the rows as well as what is shown of them. It
 * is for tests of single rows: conditions on related rows are as they were read, and no such test takes them.
 *
 * ```js
 * const { where, select } = await visibleQuery(Note.compiled, options)
 * ```
 * @param view what the rules leave of it
 */
export function visibleQuery (
  model: CompiledModel, options: OperationOptions, view?: Pick<RuleView, 'rows'>
): MaybePromise<Query> {
  const operation = new Operation(model, asInternal(options))
  return chain(readQuery(operation, {}, undefined, undefined, false), query =>
    view?.rows === undefined ? query : { ...query, where: bothConditions(query.where, view.rows) })
}

/** Hooks and scopes may change the top levels of a filter; the caller's object stays as it is. */
function copyFilter (filter: unknown): Filter {
  if (filter === undefined || filter === null) return undefined
  const copy = { ...filter as Record<string, unknown> }
  if (copy.where !== null && typeof copy.where === 'object' && !Array.isArray(copy.where)) {
    copy.where = { ...copy.where }
  }
  return copy
}
