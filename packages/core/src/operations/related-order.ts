/**
 * Rows in an order that related rows decide, where no store puts them in it: all that match are read with what joins
 * them, in the budget of the request, and put in order here; then the rows of the page are read.
 */
import type { Id } from '../data-source/connector.js'
import type { CompiledModel } from '../interfaces/compiled-model.js'
import { badQuery, type RequestError } from '../errors.js'
import type { Row } from '../properties/types.js'
import { chain, type MaybePromise } from '../maybe-promise.js'
import type { OrderTerm, Query, RelatedOrder, RelatedValue } from '../query/ast.js'
import { comparisonOf } from '../query/comparing.js'
import { rowId } from '../query/id.js'
import { relationOfTerm } from '../query/own-order.js'
import { bothConditions } from '../query/merge.js'
import { propertiesOfTerm } from '../query/named-properties.js'
import { keyCondition, withSelected } from '../query/narrow.js'
import { compileOrder, sortInSlices, type RowOrder } from '../query/order.js'
import { WORK } from '../query/work.js'
import type { Operation } from './context.js'
import { aside } from './cost.js'
import { readOptions } from './freshness.js'
import { relatedValues, selectionOf } from './related-values.js'

/** Whether related rows decide about the order. */
export const isRelatedOrder = ({ order }: Query): boolean => order.some(term => 'related' in term)

/**
 * Refuses an order by related rows where rows are at hand and nobody reads others: embedded ones, those of very many
 * keys.
 * @throws RequestError 400 RELATION_IN_QUERY
 */
export function mustBeOwnOrder ({ order }: Query): void {
  const relation = order.map(relationOfTerm).find(name => name !== undefined)
  if (relation === undefined) return
  throw badQuery(
    `These rows are put in order by what they hold themselves, and not by "${relation}".`, 'RELATION_IN_QUERY',
    { relation }
  )
}

/** The rows of a page: the query that reads them, in no order, and what puts them in theirs. */
export interface OrderedPage {
  readonly query: Query
  sorted (rows: Row[]): Row[]
}

/**
 * Finds the page of a query.
 * @throws RequestError 400 QUERY_TOO_EXPENSIVE for more rows than a response may have; RELATION_IN_QUERY for a model
 * with a compound id, or none
 */
export function orderedPage (operation: Operation, query: Query): MaybePromise<OrderedPage> {
  const { model, options } = operation
  const { id } = model
  if (id === undefined) throw noSingleId(model)
  const asking = aside(model, options)
  const related = query.order.flatMap(term => 'related' in term ? [term.related] : [])
  const select = selectionOf(model, related, [id.name, ...query.order.flatMap(propertiesOfTerm)])
  const all: Query = { where: query.where, order: [], limit: undefined, skip: 0, select, include: [] }
  const sorted = chain(model.connector.find(model, all, readOptions(model, asking)), rows =>
    chain(relatedValues(model, rows, related, asking), valuesAt => {
      const order = orderOf(model, query.order, term => valuesAt[related.indexOf(term)] as (row: Row) => unknown)
      return sortInSlices(rows, order, asking[WORK], 1 + query.order.length)
    }))
  return chain(sorted, rows => {
    const page = rows.slice(query.skip, query.limit === undefined ? undefined : query.skip + query.limit)
    options[WORK]?.mustHold(page.length)
    return pageOf(model, query, id.name, page.map(row => rowId(model, row) as Id))
  })
}

function pageOf (model: CompiledModel, query: Query, name: string, ids: readonly Id[]): OrderedPage {
  const places = new Map(ids.map((id, i) => [String(id), i]))
  const placeOf = (row: Row): number => places.get(String(rowId(model, row))) ?? ids.length
  const among = keyCondition(model, [{ [name]: { inq: ids } }])
  const select = withSelected(model, query.select, name)
  return {
    query: { ...query, where: bothConditions(query.where, among), order: [], limit: undefined, skip: 0, select },
    sorted (rows) {
      rows.sort((a, b) => placeOf(a) - placeOf(b))
      if (select !== query.select) for (const row of rows) delete row[name]
      return rows
    }
  }
}

const noSingleId = ({ name }: CompiledModel): RequestError =>
  badQuery(
    `Rows of "${name}" are told apart by no single id, and cannot be put in an order by related rows here.`,
    'RELATION_IN_QUERY'
  )

function orderOf (
  model: CompiledModel, order: readonly OrderTerm[], valuesOf: (related: RelatedValue) => (row: Row) => unknown
): RowOrder {
  const terms = order.map(term => 'related' in term
    ? relatedOrder(term, valuesOf(term.related))
    : compileOrder([term], { key: [] }))
  const byId = compileOrder([], model)
  return (a, b) => {
    for (const compare of terms) {
      const result = compare(a, b)
      if (result !== 0) return result
    }
    return byId(a, b)
  }
}

function relatedOrder ({ related: { path }, descending }: RelatedOrder, valueAt: (row: Row) => unknown): RowOrder {
  const { order } = comparisonOf(path?.type ?? { kind: 'number' })
  const sign = descending ? -1 : 1
  return (a, b) => sign * order(valueAt(a), valueAt(b))
}
