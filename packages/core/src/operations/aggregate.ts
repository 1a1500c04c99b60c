/**
 * `Model.aggregate(filter)`: groups of rows and what they come to. The store answers what it says exactly
 * (`Connector.aggregate`); else the rows are read, in the budget of the request, and JavaScript adds them up. The
 * condition on the results, their order and their page are looked at here: stores differ in how they group.
 */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import type { Row } from '../properties/types.js'
import { chain, type MaybePromise } from '../maybe-promise.js'
import { Groups } from '../query/aggregate-rows.js'
import { isRelatedValue, type AggregatePage, type Aggregation } from '../query/aggregation.js'
import type { GroupTerm, Query } from '../query/ast.js'
import { compileCondition } from '../query/match.js'
import { compileOrder, sortInSlices } from '../query/order.js'
import { parseAggregation } from '../query/parse-aggregation.js'
import { inSlices } from '../query/slices.js'
import { compileValueAt } from '../query/walk-path.js'
import { charactersOf } from '../query/weight.js'
import { WORK, type Work } from '../query/work.js'
import { accessCondition, judged } from './access-condition.js'
import { aggregateInStore } from './aggregate-in-store.js'
import { noOptions, Operation, parseOptions } from './context.js'
import { aside } from './cost.js'
import { readOptions } from './freshness.js'
import { relatedValues, selectionOf } from './related-values.js'
import { mustReadGroups, ruleOf } from './row-rules.js'

/**
 * What groups of rows come to, with default scope and `access` hooks: one plain object for each group.
 *
 * ```js
 * await aggregateRows(Order.compiled, { groupBy: ['status'], aggregate: { total: { sum: 'amount' } } }, options)
 * // [{ status: 'open', total: 30 }, { status: 'paid', total: 12.5 }]
 * ```
 * @throws RequestError 400 INVALID_AGGREGATE, and as for `find`
 */
export function aggregateRows (
  model: CompiledModel, filter: unknown, options: OperationOptions = noOptions
): MaybePromise<Row[]> {
  const operation = new Operation(model, options)
  operation.count()
  const { groups, values, related, ...page } = parseAggregation(model, filter, parseOptions(model, operation.options))
  const { where: written } = filter as { readonly where?: unknown }
  const read = chain(ruleOf(model, 'read', options), rule => {
    const added = values.flatMap(({ path }) => path === undefined ? [] : [{ value: path }])
    mustReadGroups(model, rule, [...groups, ...added], options)
  })
  return chain(read, () => judged(operation, related, () =>
    chain(accessCondition(operation, written), where => groupedRows(operation, { where, groups, values }, page))))
}

/**
 * The values that rows have in some properties, each combination once: `distinct` of a filter. Relations have been
 * judged, conditions resolved.
 *
 * ```js
 * await distinctRows(operation, query, query.distinct) // [{ city: 'Lima' }, { city: 'Quito' }]
 * ```
 */
export const distinctRows = (
  operation: Operation, { where, order, limit, skip }: Query, groups: readonly GroupTerm[]
): MaybePromise<Row[]> =>
  groupedRows(operation, { where, groups, values: [] }, { having: undefined, order, limit, skip })

function groupedRows (operation: Operation, aggregation: Aggregation, page: AggregatePage): MaybePromise<Row[]> {
  return chain(aggregateInStore(operation, aggregation), found =>
    chain(found ?? readAndAggregate(operation, aggregation), rows => pageOf(operation, aggregation, page, rows)))
}

/** Reads the rows that count, with no more than what is looked at. */
function readAndAggregate (operation: Operation, { where, groups, values }: Aggregation): MaybePromise<Row[]> {
  const { model, options } = operation
  const asking = aside(model, options)
  const related = groups.flatMap(({ value }) => isRelatedValue(value) ? [value] : [])
  const select = selectionOf(model, [...groups.map(({ value }) => value), ...values.flatMap(({ path }) => path ?? [])])
  const query: Query = { where, order: [], limit: undefined, skip: 0, select, include: [] }
  return chain(model.connector.find(model, query, readOptions(model, asking)), rows =>
    chain(relatedValues(model, rows, related, asking), valuesAt => {
      const groupValues = groups.map(({ value }) =>
        isRelatedValue(value) ? valuesAt[related.indexOf(value)] as (row: Row) => unknown : compileValueAt(value))
      const work = asking[WORK]
      return addedUp(rows, new Groups(groups, values, groupValues, work), work, 2 + groups.length + values.length)
    }))
}

/** @param units of work that a row takes */
function addedUp (
  rows: readonly Row[], groups: Groups, work: Work | undefined, units: number
): MaybePromise<Row[]> {
  const add = (i: number): void => {
    work?.spend(units)
    groups.add(rows[i] as Row)
  }
  return chain(inSlices(rows.length, add, work), () => groups.rows())
}

/** Conditions on the results, their order, which ends with that of the groups, and their page. */
function pageOf (
  { options }: Operation, { groups }: Aggregation, { having, order, limit, skip }: AggregatePage, all: readonly Row[]
): MaybePromise<Row[]> {
  const work = options[WORK]
  const rows = having === undefined ? [...all] : all.filter(compileCondition(having, work))
  const byGroups = groups.map(({ name, type }) =>
    ({ path: { property: name, path: [], type, declared: false }, descending: false }))
  const compare = compileOrder([...order, ...byGroups], { key: [] })
  return chain(sortInSlices(rows, compare, work, order.length + groups.length), sorted => {
    const page = sorted.slice(skip, limit === undefined ? undefined : skip + limit)
    work?.mustHold(page.length, charactersOf(page))
    return page
  })
}
