/** Reads: find, findOne, findById, count, exists. Rows are plain; anyone who needs instances makes them. */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import { chain, type MaybePromise } from '../maybe-promise.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import type { Row } from '../properties/types.js'
import type { Query } from '../query/ast.js'
import { coerceId } from '../query/id.js'
import { parseFilter } from '../query/parse.js'
import { WORK, type Work } from '../query/work.js'
import { includeRelations } from './include.js'
import { accessOne, accessQuery } from './access.js'
import { distinctRows } from './aggregate.js'
import { accessCondition, resolving, type Narrowing } from './access-condition.js'
import { cursorPage, hasCursor } from './cursor-page.js'
import { loadedRows, noOptions, Operation, whereId } from './context.js'
import { readOptions } from './freshness.js'
import { withJoinKeys, withoutJoinKeys } from './join-keys.js'
import { linkedOrder } from './linked-order.js'
import { hasRelated, resolveRelated } from './related-conditions.js'
import { isRelatedOrder, orderedPage, type OrderedPage } from './related-order.js'
import { narrowsRows } from './row-rules.js'

/**
 * Rows of a filter, with default scope, `access` and `loaded` hooks and include.
 *
 * ```js
 * const options = remoteOptions({ accessToken: request.accessToken })
 * const rows = await findRows(Note.compiled, { where: { stars: { gt: 2 } }, limit: 10 }, options)
 * ```
 * @param narrowing what the framework adds to `filter`
 * @param known the query that `filter` was read as, where it was read before (`wideOptions`)
 * @throws RequestError 400 for a filter that cannot be
 */
export function findRows (
  model: CompiledModel,
  filter: unknown,
  options: OperationOptions = noOptions,
  narrowing?: Narrowing,
  known?: Query
): MaybePromise<Row[]> {
  const operation = new Operation(model, options)
  return chain(accessQuery(operation, filter, narrowing, known), query => runQuery(operation, query))
}

/**
 * Runs a query that has been through scope and hook.
 * @throws RequestError 400 QUERY_TOO_EXPENSIVE for more rows than a response may have
 */
export function runQuery (operation: Operation, query: Query): MaybePromise<Row[]> {
  const { model, options } = operation
  if (query.distinct !== undefined) return distinctRows(operation, query, query.distinct)
  if (query.include.length === 0) return chain(storedRows(operation, query), rows => loadedRows(operation, rows, query))
  const reading = withJoinKeys(model, query)
  const loaded = chain(storedRows(operation, reading), found => loadedRows(operation, found, reading))
  return chain(loaded, rows =>
    chain(includeRelations(model, rows, query.include, options), () => withoutJoinKeys(rows, query, reading)))
}

/** Rows as the store has them, in the order of the query. */
export function storedRows (operation: Operation, query: Query): MaybePromise<Row[]> {
  if (hasCursor(query)) return cursorPage(operation, query, page => storedRows(operation, page))
  if (isRelatedOrder(query)) return rowsInRelatedOrder(operation, query)
  const { model, options } = operation
  const work = options[WORK]
  if (work === undefined) return model.connector.find(model, query, readOptions(model, options))
  return chain(model.connector.find(model, bounded(query, work), readOptions(model, options)), rows => {
    work.mustHold(rows.length)
    return rows
  })
}

/** By the store, where it can; otherwise rows are read to be put in order, and then those of the page. */
function rowsInRelatedOrder (operation: Operation, query: Query): MaybePromise<Row[]> {
  return chain(linkedOrder(operation, query.order), order => order === undefined
    ? chain(orderedPage(operation, query), page => pageRows(operation, page))
    : storedRows(operation, { ...query, order }))
}

const pageRows = (operation: Operation, { query, sorted }: OrderedPage): MaybePromise<Row[]> =>
  chain(storedRows(operation, query), sorted)

/** Asks for one row more than a response may have, so that one knows when there are too many. */
export function bounded (query: Query, work: Work): Query {
  const { rows } = work
  if (rows === Infinity || (query.limit !== undefined && query.limit <= rows)) return query
  return { ...query, limit: rows + 1 }
}

/**
 * Rows as the store has them, whatever scopes and hooks hide: for the framework's own eyes.
 *
 * ```js
 * const rows = await rowsInStore(Note.compiled, { id: { inq: [1, 2] } })
 * ```
 * @param limit the most rows
 */
export function rowsInStore (
  model: CompiledModel, where: object, options: OperationOptions = noOptions, limit?: number
): MaybePromise<Row[]> {
  const query = parseFilter(model, limit === undefined ? { where } : { where, limit }, model.parsing.internal)
  const { where: asked } = query
  // What a write asks of related rows is what its caller may ask.
  const resolved = hasRelated(asked) ? resolveRelated(model, asked, resolving({ options })) : asked
  return chain(resolved, where =>
    model.connector.find(model, where === asked ? query : { ...query, where }, readOptions(model, options)))
}

/**
 * The first row of a filter, or undefined.
 *
 * ```js
 * const row = await findOneRow(Note.compiled, { where: { title: 'hello' } }, options)
 * ```
 */
export function findOneRow (
  model: CompiledModel,
  filter: unknown,
  options: OperationOptions = noOptions
): MaybePromise<Row | undefined> {
  const given = (filter ?? {}) as Record<string, unknown>
  return firstOf(new Operation(model, options), { ...given, limit: 1 })
}

const firstOf = (operation: Operation, filter: Readonly<Record<string, unknown>>): MaybePromise<Row | undefined> =>
  chain(accessOne(operation, filter), query => chain(runQuery(operation, query), rows => rows[0]))

/**
 * The row with this id, or undefined. Of the filter only `fields` and `include` count.
 *
 * ```js
 * const row = await findRowById(Note.compiled, 1, { include: 'author' }, options)
 * ```
 */
export function findRowById (
  model: CompiledModel,
  id: unknown,
  filter: unknown,
  options: OperationOptions = noOptions
): MaybePromise<Row | undefined> {
  const value = coerceId(model, id)
  if (value === undefined) return undefined
  if (filter === undefined && isPlainRead(model, options)) {
    return model.connector.findById(model, value, model.selectAll, readOptions(model, options))
  }
  return firstOf(new Operation(model, options), byId(model, value, filter))
}

/** The filter of a read by id: what the hooks of `access` see. The store is asked for one row. */
export function byId (model: CompiledModel, id: unknown, filter: unknown): Record<string, unknown> {
  const { fields, include, deleted } = (filter ?? {}) as { fields?: unknown, include?: unknown, deleted?: unknown }
  const result: Record<string, unknown> = { where: whereId(model, id) }
  if (fields !== undefined) result.fields = fields
  if (include !== undefined) result.include = include
  if (deleted !== undefined && model.softDelete !== undefined) result.deleted = deleted
  return result
}

/** Whether a read goes straight to the store: no hook listens, no default scope and no rule narrows it. */
export const isPlainRead = (model: CompiledModel, options: OperationOptions): boolean =>
  !narrowsRows(model, options) && isOnlyNarrowed(model, options)

/** The same, whatever rules say. */
export function isOnlyNarrowed (model: CompiledModel, options: OperationOptions): boolean {
  return (
    model.definition.scope === undefined &&
    ((model.hooks.access === undefined && model.hooks.loaded === undefined) || options.notify === false)
  )
}

/**
 * Number of rows that match.
 *
 * ```js
 * await countRows(Note.compiled, { stars: { gt: 2 } }, options)
 * ```
 */
export function countRows (
  model: CompiledModel,
  where: unknown,
  options: OperationOptions = noOptions,
  narrowing?: Narrowing
): MaybePromise<number> {
  const operation = new Operation(model, options)
  return chain(accessCondition(operation, where, narrowing), condition =>
    model.connector.count(model, condition, readOptions(model, operation.options))
  )
}

/**
 * Whether there is a row with this id.
 *
 * ```js
 * if (!await rowExists(Note.compiled, 1, options)) reply.code(404)
 * ```
 */
export function rowExists (
  model: CompiledModel,
  id: unknown,
  options: OperationOptions = noOptions
): MaybePromise<boolean> {
  const value = coerceId(model, id)
  if (value === undefined) return false
  return chain(countRows(model, whereId(model, value), options), count => count > 0)
}
