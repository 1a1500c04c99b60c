/** Related rows by a list of keys: one query, or several where the store is not to be given long lists (`inqLimit`). */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import { eachInSequence, chain, type MaybePromise } from '../maybe-promise.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import { judgedQuery } from '../operations/access.js'
import { Operation } from '../operations/context.js'
import { keysPerQuery } from '../operations/keys-per-query.js'
import { isFromCaller } from '../operations/origin.js'
import { isJudged } from '../operations/related-conditions.js'
import { mustBeOwnOrder } from '../operations/related-order.js'
import type { Row } from '../properties/types.js'
import type { Selection } from '../query/ast.js'
import { INCLUDE_PATH } from '../query/include-path.js'
import { nearOf } from '../query/match.js'
import { isSelected, narrowQuery } from '../query/narrow.js'
import { compileOrder } from '../query/order.js'
import { limited, type OwnFilter } from '../query/own-filter.js'
import { WORK } from '../query/work.js'
import type { Page } from './group.js'
import { Demand, type RelatedRequest } from './related-query.js'
import { relatedRows } from './related-rows.js'

export interface Among {
  /** The property that holds the key, and the keys. */
  readonly property: string
  readonly keys: readonly unknown[]
  /** What the rows must have besides. */
  readonly kind?: Row
  /** The relation's own filter. */
  readonly scope?: OwnFilter | undefined
  /** Whether one row belongs to each key. */
  readonly isOne?: boolean
}

/**
 * Rows that have one of the keys, in the order of the filter. The key is among what is read, whatever `fields` the
 * caller asks for.
 * @param asked the caller's filter; what is in `among` is the framework's own
 */
export function findAmong (
  model: CompiledModel,
  asked: RelatedRequest,
  options: OperationOptions,
  among: Among
): MaybePromise<Row[]> {
  const { keys, property, kind, scope, isOne } = among
  const reads = isOne === true ? 'one for each key' : 'list'
  // What the caller asks is refused or not, whichever rows there are (security.md, S-133).
  if (keys.length === 0) {
    if (asked.query === undefined || !isFromCaller(options) || !isJudged(options)) return []
    const { query } = asked
    return chain(judgedQuery(new Operation(model, options), query, () => query), () => [])
  }
  const find = ({ filter, query }: RelatedRequest, some: readonly unknown[]): MaybePromise<Row[]> => {
    const demand = new Demand(model, [{ [property]: { inq: some }, ...kind }], scope, property, reads)
    return relatedRows(model, filter, options, demand, query)
  }
  const most = keysPerQuery(model)
  if (keys.length <= most) return find(asked, keys)
  const { addition } = new Demand(model, [], scope, property)
  const whole = narrowQuery(model, asked.query, asked.filter, [addition], options[INCLUDE_PATH])
  // Nearness is an order that rows do not show.
  if (nearOf(whole.where) !== undefined) return find(asked, keys)
  // What `fields` leaves out may be what the rows are ordered by.
  mustBeOwnOrder(whole)
  const isOrdered = whole.order.length > 0
  const reading = isOrdered ? unpicked(model, asked) : asked
  const rows: Row[] = []
  const parts = Array.from({ length: Math.ceil(keys.length / most) }, (_, index) =>
    keys.slice(index * most, (index + 1) * most)
  )
  return chain(
    eachInSequence(parts, part =>
      chain(find(reading, part), found => {
        for (const row of found) rows.push(row)
      })
    ),
    () => {
      rows.sort(compileOrder(whole.order, model))
      if (isOrdered) for (const row of rows) keepSelected(model, whole.select, row)
      return rows
    }
  )
}

function keepSelected (model: CompiledModel, select: Selection, row: Row): void {
  for (const name of Object.keys(row)) if (!isSelected(model, select, name)) delete row[name]
}

function unpicked (model: CompiledModel, { filter, query }: RelatedRequest): RelatedRequest {
  const { fields: _, ...others } = filter ?? {}
  return { filter: others, query: { ...query, select: model.selectAll } }
}

/** Rows that are read for pages without asking how many of them the pages need. */
const fewForPages = 1_000

/**
 * Likewise, where each key's rows are a list of which a page is wanted: at least the rows of every page, in the order
 * of the filter. One query gives them where they are not many more than the pages hold; otherwise each key has one of
 * its own, so that a small page of a long list costs little.
 */
export function findPagesAmong (
  model: CompiledModel, asked: RelatedRequest, options: OperationOptions, among: Among, { skip, limit }: Page
): MaybePromise<Row[]> {
  if (limit === undefined) return findAmong(model, asked, options, among)
  const perKey = skip + limit
  const atMost = (to: number, keys: readonly unknown[]): MaybePromise<Row[]> =>
    findAmong(model, asked, options, { ...among, keys, scope: limited(model, among.scope, to) })
  if (among.keys.length <= 1) return atMost(perKey, among.keys)
  const most = Math.min(Math.max(fewForPages, 4 * perKey * among.keys.length), options[WORK]?.rows ?? Infinity)
  return chain(atMost(most, among.keys), found => {
    if (found.length < most) return found
    const rows: Row[] = []
    const add = (some: Row[]): void => { for (const row of some) rows.push(row) }
    const collected = eachInSequence(among.keys, key => chain(atMost(perKey, [key]), add))
    return chain(collected, () => rows)
  })
}
