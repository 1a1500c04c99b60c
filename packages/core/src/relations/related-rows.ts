/**
 * Rows of related models, by the function that the application has for them, as LoopBack's relations ask the related
 * model: its `find`, `findOne`, `findById` and `count`. What the caller asks is judged here, as nobody judges it after
 * the relation's keys have been put to it: those may not be refused.
 */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import { chain, type MaybePromise } from '../maybe-promise.js'
import type { Narrowing } from '../operations/access-condition.js'
import { noOptions, parseOptions, wideOptions } from '../operations/context.js'
import { asInternal } from '../operations/origin.js'
import { withoutOwnKeys } from '../operations/own-filter-keys.js'
import { countRows, findRowById, findRows } from '../operations/read.js'
import { queriedConditions, judgeCondition } from '../operations/related-conditions.js'
import { callOwn, comesToOwn, ownFirst, ownFunction, ownRows } from '../own-functions.js'
import type { Row } from '../properties/types.js'
import type { Query } from '../query/ast.js'
import { INCLUDE_PATH } from '../query/include-path.js'
import { mergeFilters } from '../query/merge.js'
import { parseFilter, parseWhere } from '../query/parse.js'

type Filter = Readonly<Record<string, unknown>>

/**
 * Rows of a filter that a relation or scope narrows.
 *
 * ```js
 * const rows = await relatedRows(Book.compiled, { limit: 5 }, options, demand)
 * ```
 * @param known the query that `filter` was read as, where it was read before
 * @throws RequestError 400 for a filter that cannot be
 */
export function relatedRows (
  model: CompiledModel, filter: unknown, options: OperationOptions = noOptions, narrowing?: Narrowing, known?: Query
): MaybePromise<Row[]> {
  const { Model } = model
  if (ownFunction(Model, 'find') === undefined) return findRows(model, filter, options, narrowing, known)
  const judged = known === undefined
    ? judge(model, filter, options)
    : judgeCondition(model, queriedConditions(known), options)
  return chain(judged, () =>
    ownRows<Row>(Model, narrowed(filter, narrowing), asInternal(options)) as MaybePromise<Row[]>)
}

/** The first of them, or undefined. */
export function relatedRow (
  model: CompiledModel, filter: unknown, options: OperationOptions, narrowing: Narrowing
): MaybePromise<Row | undefined> {
  const { Model } = model
  if (!comesToOwn(Model, 'findOne')) return chain(findRows(model, filter, options, narrowing), rows => rows[0])
  const row = chain(judge(model, filter, options), () =>
    ownFirst<Row>(Model, narrowed(filter, narrowing), asInternal(options)))
  return chain(row, found => found ?? undefined)
}

/**
 * How many rows of a condition there are that a relation or scope narrows.
 *
 * ```js
 * await relatedCount(Book.compiled, { stars: 5 }, options, demand)
 * ```
 */
export function relatedCount (
  model: CompiledModel, where: unknown, options: OperationOptions, narrowing?: Narrowing
): MaybePromise<number> {
  const { Model } = model
  const own = ownFunction(Model, 'count')
  if (own === undefined) return countRows(model, where, options, narrowing)
  const asked = parseWhere(model, where, parseOptions(model, options))
  const { where: all } = narrowed({ where }, narrowing)
  return chain(judgeCondition(model, asked, options), () => callOwn(own, Model, [all ?? {}, asInternal(options)]))
}

/**
 * The row with an id of the framework's own, or undefined.
 * @param filter of the framework's own: `fields` and `include`
 */
export function relatedById (
  model: CompiledModel, id: unknown, options: OperationOptions, filter?: Filter
): MaybePromise<Row | undefined> {
  const { Model } = model
  const internal = asInternal(options)
  if (!comesToOwn(Model, 'findById')) return findRowById(model, id, filter, internal)
  const found = callOwn<Row | null | undefined>(Model.findById as () => unknown, Model, [id, filter ?? {}, internal])
  return chain(found, row => row ?? undefined)
}

/**
 * Judges a filter that is then asked for on the framework's account.
 *
 * ```js
 * await judge(Book.compiled, { include: 'author' }, options)
 * ```
 * @throws RequestError 400 for a filter that cannot be; 401, 403 for related rows that the caller may not ask about
 */
export function judge (model: CompiledModel, filter: unknown, options: OperationOptions): MaybePromise<void> {
  const query = parseFilter(model, withoutOwnKeys(model, filter), wideOptions(model, options), options[INCLUDE_PATH])
  return judgeCondition(model, queriedConditions(query), options)
}

/** Both as JSON, a copy without what says nothing: what is called may look at it, and change it. */
function narrowed (filter: unknown, narrowing: Narrowing | undefined): Filter {
  const asked = { ...filter as Filter | undefined }
  const both = Object.entries({ ...mergeFilters(asked, narrowing?.written(asked)) })
  return Object.fromEntries(both.filter(([, value]) => value !== undefined))
}
