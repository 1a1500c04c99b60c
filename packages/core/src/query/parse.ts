/**
 * The query parser: LoopBack's filter grammar in, the AST out. Nothing behind it sees the client's JSON (security.md,
 * S-20).
 */
import type { QueriedModel } from './queried-model.js'
import { badQuery, type RequestError } from '../errors.js'
import type { Condition, DeletedRows, Query, Selection } from './ast.js'
import type { IncludePath } from './include-path.js'
import { isPlainObject, parseContext, excerpt, type ParseContext } from './parse-context.js'
import type { ParseOptions } from './parse-modes.js'
import { isGiven } from './merge.js'
import { readDistinct } from './parse-aggregation.js'
import { cursorKeys, cursorPageOf, readCursor } from './parse-cursor.js'
import { internSelection, readFields } from './parse-fields.js'
import { readInclude } from './parse-include.js'
import { readOrder } from './parse-order.js'
import { checkPage, readPage } from './parse-page.js'
import { readWhere } from './parse-where.js'
import { nearestOutside } from '../nearest.js'
import { guardInput } from './guard-input.js'

export type { ParseOptions } from './parse-modes.js'

const noFilter: Readonly<Record<string, unknown>> = Object.freeze({})

/**
 * Reads a whole filter: `where`, `order`, `limit`, `skip`/`offset`, `fields`, `include`; other keys are ignored, or
 * refused where the model says so (`unknownFilterKeys`).
 *
 * ```js
 * const query = parseFilter(model, { where: { stars: { gt: 2 } }, limit: 10 },
 *   { external: true, limits: defaultQueryLimits })
 * const rows = await connector.find(model, query, {})
 * ```
 * @param filter an object, or undefined or null for everything
 * @param includePath the relations that led here, for the scope of an include
 * @throws RequestError 400 for everything that cannot be read or may not be asked
 */
export function parseFilter (
  model: QueriedModel,
  filter: unknown,
  options: ParseOptions,
  includePath?: IncludePath
): Query {
  const context = parseContext(model, options, undefined, includePath)
  if (filter === undefined || filter === null) return readFilter(context, noFilter)
  if (!isPlainObject(filter)) throw badQuery(`The query filter ${excerpt(filter)} is not an object`)
  guardInput(context, filter)
  return readFilter(context, filter)
}

/**
 * Reads a condition. Undefined when there is none (`{}`, undefined, null): all rows.
 *
 * ```js
 * const condition = parseWhere(model, { stars: { gt: 2 } }, { external: true, limits: defaultQueryLimits })
 * const count = await connector.count(model, condition, {})
 * ```
 * @throws RequestError 400
 */
export function parseWhere (model: QueriedModel, where: unknown, options: ParseOptions): Condition | undefined {
  if (where === undefined || where === null) return undefined
  if (typeof where !== 'object') throw badQuery(`The where clause ${excerpt(where)} is not an object`)
  const context = parseContext(model, options)
  guardInput(context, where)
  return readWhere(context, where)
}

/**
 * Reads `fields`. Equal selections of one model are the same object.
 *
 * ```js
 * parseFields(model, ['title'], { external: false, limits: defaultQueryLimits }).names // ['title']
 * ```
 * @throws RequestError 400
 */
export function parseFields (model: QueriedModel, fields: unknown, options: ParseOptions): Selection {
  return readFields(parseContext(model, options), fields)
}

/** The parts of a filter, of which a model may lack some (`hasFilterPart`). */
export const filterKeys: readonly string[] =
  ['where', 'order', 'limit', 'skip', 'offset', 'fields', 'include', 'distinct', 'deleted', ...cursorKeys]

/** A model, as far as its settings say which parts its filters have. */
export type PartsOf = Pick<QueriedModel, 'hasAggregates' | 'hasCursors' | 'softDelete'>

/**
 * Whether filters of a model have a part.
 *
 * ```js
 * hasFilterPart(Note.compiled, 'limit') // true
 * ```
 */
export const hasFilterPart = ({ hasAggregates, hasCursors, softDelete }: PartsOf, key: string): boolean =>
  filterKeys.includes(key) && (hasAggregates || key !== 'distinct') && (hasCursors || !cursorKeys.includes(key)) &&
  (softDelete !== undefined || key !== 'deleted')

/**
 * The parts of a filter that are none: keys of an application's own.
 *
 * ```js
 * unknownKeys(Note.compiled, { where: { title: 'x' }, deleted: true }) // ['deleted']
 * ```
 */
export const unknownKeys = (model: PartsOf, filter: object): string[] =>
  Object.keys(filter).filter(key => !hasFilterPart(model, key))

function checkKeys ({ model, names, secrets }: ParseContext, filter: object): void {
  for (const key of Object.keys(filter)) {
    if (hasFilterPart(model, key)) continue
    if (!model.refusesFilterKeys) {
      model.tellIgnored(`The filter part ${excerpt(key)} of "${model.name}" has no effect: nobody reads it`)
      continue
    }
    const isCondition = names.paths.has(key) && secrets?.has(key) !== true
    const near = nearestOutside(key, filterKeys.filter(part => hasFilterPart(model, part)))
    const meant = isCondition ? ' Conditions stand in "where".' : near === undefined ? '' : ` Did you mean "${near}"?`
    throw badQuery(`The filter has no part ${excerpt(key)}.${meant}`, 'UNKNOWN_FILTER_KEY', { key })
  }
}

function readFilter (context: ParseContext, filter: Readonly<Record<string, unknown>>): Query {
  checkKeys(context, filter)
  const { where: condition } = filter
  const where = condition === undefined || condition === null ? undefined : readWhere(context, condition)
  const cursor = readCursor(context, filter)
  const page = readPage(filter)
  const { limit, skip } = cursor === undefined ? page : cursorPageOf(context, cursor, page)
  checkPage(context, limit, where)
  if (isGiven(filter.distinct) && context.model.hasAggregates) return readDistinctFilter(context, filter, where)
  const deleted = readDeleted(context, filter.deleted)
  const query = {
    where,
    order: readOrder(context, filter.order),
    limit,
    skip,
    select: deleted === undefined || isGiven(filter.fields)
      ? readFields(context, filter.fields)
      : withDeletedAt(context.model, readFields(context, undefined)),
    include: readInclude(context, filter.include, (target, scope, includePath) =>
      readScope(context, target, scope, includePath))
  }
  return {
    ...query, ...(cursor === undefined ? {} : { cursor }), ...(deleted === undefined ? {} : { deleted })
  }
}

/** Which rows beside those that are there. */
function readDeleted ({ model, includePath }: ParseContext, deleted: unknown): DeletedRows | undefined {
  if (!isGiven(deleted) || model.softDelete === undefined) return undefined
  if (includePath !== undefined) {
    throw badQuery('The scope of an include has no "deleted": rows that are put away belong to none', 'INVALID_DELETED')
  }
  if (deleted === 'only' || deleted === 'with') return deleted
  throw badQuery(`"deleted" is "only" or "with", and not ${excerpt(deleted)}`, 'INVALID_DELETED')
}

/** Rows that are put away say when: it is how they are told apart. */
function withDeletedAt (model: QueriedModel, { names, extra }: Selection): Selection {
  const at = model.softDelete?.name
  const all = model.properties.flatMap(({ name }) => name === at || names.includes(name) ? [name] : [])
  return internSelection(model, { names: all, extra })
}

/** 400 for the scope of an include whose rows would not be rows. */
export const distinctInScope = (): RequestError =>
  badQuery('The scope of an include has no "distinct": related rows come as rows', 'INVALID_AGGREGATE')

/** Each combination of values once: there are no rows whose other properties or relations could be shown. */
function readDistinctFilter (
  context: ParseContext, filter: Readonly<Record<string, unknown>>, where: Condition | undefined
): Query {
  const beside = ['fields', 'include'].find(key => isGiven(filter[key]))
  if (context.includePath !== undefined) throw distinctInScope()
  if (beside !== undefined) {
    throw badQuery(`A filter with "distinct" has no rows to show: leave "${beside}" out`, 'INVALID_AGGREGATE')
  }
  const { groups, order } = readDistinct(context, filter.distinct, filter.order)
  const deleted = readDeleted(context, filter.deleted)
  const query = { where, order, ...readPage(filter), select: context.model.selectAll, include: [], distinct: groups }
  return deleted === undefined ? query : { ...query, deleted }
}

/**
 * Scopes are judged before any row is read, and are not read again. Protected properties of the related model count as
 * hidden (S-12). Hidden ones are selected, as for every query that is narrowed before it runs; embedded rows are at
 * hand.
 */
function readScope (
  context: ParseContext,
  target: QueriedModel,
  scope: Readonly<Record<string, unknown>>,
  includePath: IncludePath
): Query {
  const { embedded, definition } = includePath.relation
  const selectsHidden = !embedded || definition.scope !== undefined
  const options = { ...context.options, protectedHidden: true, paged: false, selectsHidden }
  return readFilter(parseContext(target, options, context.counts, includePath), scope)
}
