/**
 * Rows that are part of another row. They go through the hooks and validations of their own model, but are stored with
 * their owner.
 */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import { badQuery, type FoundViolation } from '../errors.js'
import { chain, type MaybePromise } from '../maybe-promise.js'
import { assignRow, instantiate } from '../instances/instance.js'
import type { ModelInstance } from '../instances/model-instance.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import { withWork } from '../operations/cost.js'
import { mustBeOwnOrder } from '../operations/related-order.js'
import { isRemote } from '../operations/origin.js'
import { judgedQuery } from '../operations/access.js'
import { Operation, parseOptions, wideOptions } from '../operations/context.js'
import { withoutRules } from '../operations/row-rules.js'
import { coerceInto, mustBeValid } from '../operations/validate.js'
import type { Row } from '../properties/types.js'
import type { IncludeNode, Query } from '../query/ast.js'
import { INCLUDE_PATH } from '../query/include-path.js'
import { compileCondition } from '../query/match.js'
import { narrowQuery } from '../query/narrow.js'
import { compileOrder } from '../query/order.js'
import type { OwnFilter } from '../query/own-filter.js'
import { parseFilter } from '../query/parse.js'
import { invalidCursor } from '../query/parse-cursor.js'
import { projectRow } from '../query/select.js'
import { inSlices } from '../query/slices.js'
import { WORK, type Work } from '../query/work.js'
import { pageOf } from './group.js'
import { includeRelations } from '../operations/include.js'
import type { Filter } from './related-query.js'

/** Puts an embedded row (without its model's prototype) where it belongs. */
export type Store = (row: Row) => MaybePromise<unknown>

/**
 * Makes a new embedded row of `data` and stores it.
 * @throws ValidationError 422
 */
export function embedNew (
  model: CompiledModel,
  data: Readonly<Row>,
  options: OperationOptions,
  store: Store
): MaybePromise<ModelInstance> {
  const operation = new Operation(model, options)
  const violations: FoundViolation[] = []
  const row = coerceInto(model, data, violations)
  model.applyDefaults(row)
  const instance = instantiate(model, row)
  return chain(operation.notify(model.hooks['before save'], { instance }), () =>
    keep(operation, instance, violations, store)
  )
}

/**
 * Changes an embedded row and stores it.
 * @throws ValidationError 422
 */
export function embedChanges (
  model: CompiledModel, current: Readonly<Row>, data: unknown, options: OperationOptions, store: Store
): MaybePromise<ModelInstance> {
  if (data === null || typeof data !== 'object' || Array.isArray(data)) throw badQuery('Value is not an object.')
  const operation = new Operation(model, options)
  const currentInstance = instantiate(model, current as Row)
  return chain(operation.notify(model.hooks['before save'], { currentInstance, data: data as Row }), context => {
    const violations: FoundViolation[] = []
    const changes = coerceInto(model, context?.data ?? data as Row, violations)
    return keep(operation, instantiate(model, { ...current, ...changes }), violations, store)
  })
}

/** Takes an embedded row out of its owner, with the delete hooks of its model around `store`. */
export function embedNothing (
  model: CompiledModel, current: Readonly<Row>, options: OperationOptions, store: () => MaybePromise<unknown>
): MaybePromise<void> {
  const operation = new Operation(model, options)
  const instance = instantiate(model, current as Row)
  const stored = chain(operation.notify(model.hooks['before delete'], { instance }), () => store())
  const concluded = chain(stored, () => operation.notify(model.hooks['after delete'], { instance }))
  return chain(concluded, () => {})
}

/** Stores an embedded instance as it is. @throws ValidationError 422 */
export function embedInstance (
  model: CompiledModel,
  instance: ModelInstance,
  options: OperationOptions,
  store: Store
): MaybePromise<ModelInstance> {
  const operation = new Operation(model, options)
  return chain(operation.notify(model.hooks['before save'], { instance }), () => {
    const violations: FoundViolation[] = []
    assignRow(instance, coerceInto(model, instance as Row, violations), model)
    return keep(operation, instance, violations, store)
  })
}

function keep (
  operation: Operation,
  instance: ModelInstance,
  violations: readonly FoundViolation[],
  store: Store
): MaybePromise<ModelInstance> {
  const { model, options } = operation
  // Nobody has the instance yet: callbacks do not get it beside the error.
  const checked = mustBeValid(model, instance, [...violations], options, undefined, { ...instance })
  const stored = chain(checked, () => store(model.coerce(instance as Row, () => {})))
  const concluded = chain(stored, () => operation.notify(model.hooks['after save'], { instance }))
  return chain(concluded, () => instance)
}

/**
 * The query for embedded rows. What a caller asks about them is judged by the rules of their own model, as what is
 * asked about its rows.
 * @param filter the caller's, perhaps from outside
 * @param own the relation's own
 * @param known the query that `filter` was read as, where it was read before
 * @throws RequestError 400 HIDDEN_PROPERTY_IN_QUERY
 */
function embeddedQuery (
  model: CompiledModel,
  filter: unknown,
  own: OwnFilter | undefined,
  options: OperationOptions,
  known?: Query
): MaybePromise<Query> {
  const reading = own === undefined ? parseOptions(model, options) : wideOptions(model, options)
  const asked = known ?? parseFilter(model, filter, reading, options[INCLUDE_PATH])
  if (asked.cursor !== undefined) throw invalidCursor('Embedded rows have no cursors', 'Use "limit" and "skip"')
  return judgedQuery(new Operation(model, options), asked, () => own === undefined
    ? asked
    : narrowQuery(model, asked, filter as Filter | undefined, [own.addition], options[INCLUDE_PATH]))
}

/** The query for the embedded rows of an include; one that the application wrote is judged by nobody. */
export function embeddedInclude (
  model: CompiledModel,
  { scope, query, external }: IncludeNode,
  own: OwnFilter | undefined,
  options: OperationOptions
): MaybePromise<Query> {
  return embeddedQuery(model, scope, own, external ? options : withoutRules(options), query)
}

/**
 * Compiles the choice of the rows of a list that a query asks for; without an order they keep that of the list. Copies
 * where include will keep something with them.
 */
function compileSelection (
  model: CompiledModel, query: Query, work: Work | undefined
): (list: readonly Row[]) => Row[] {
  const passes = query.where === undefined ? undefined : compileCondition(query.where, work)
  mustBeOwnOrder(query)
  const order = query.order.length === 0 ? undefined : compileOrder(query.order, model)
  return list => {
    work?.spend(list.length * (1 + query.order.length))
    let rows = passes === undefined ? [...list] : list.filter(passes)
    if (order !== undefined) rows.sort(order)
    rows = pageOf(rows, query)
    if (query.select !== model.selectAll) return rows.map(row => projectRow(row, query.select, model))
    return query.include.length === 0 ? rows : rows.map(row => ({ ...row }))
  }
}

/** Embedded rows that match a filter: `where`, `order`, `limit`, `skip`, `fields` and `include`. */
export function findEmbedded (
  model: CompiledModel, list: readonly Row[], filter: unknown, own: OwnFilter | undefined, options: OperationOptions
): MaybePromise<Row[]> {
  const counted = isRemote(options) && options[WORK] === undefined ? withWork(model, options) : options
  return chain(embeddedQuery(model, filter, own, counted), query => {
    const rows = compileSelection(model, query, counted[WORK])(list)
    return chain(includeRelations(model, rows, query.include, counted), () => rows)
  })
}

/**
 * Include of embedded rows: no query, except one per relation that the scope includes further.
 * @param listOf the embedded rows of an owner
 * @param keep called once for each owner
 */
export function includeEmbedded (
  model: CompiledModel, owners: readonly Row[], query: Query, options: OperationOptions,
  listOf: (owner: Row) => readonly Row[], keep: (owner: Row, rows: Row[]) => void
): MaybePromise<void> {
  const work = options[WORK]
  const select = compileSelection(model, query, work)
  const all: Row[] = []
  return chain(inSlices(owners.length, i => {
    const owner = owners[i] as Row
    const rows = select(listOf(owner))
    for (const row of rows) all.push(row)
    keep(owner, rows)
  }, work), () => includeRelations(model, all, query.include, options))
}
