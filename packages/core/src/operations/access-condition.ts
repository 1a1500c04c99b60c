/**
 * Conditions after scope and `access` hook: that of a count and of a write. What a caller asks for is checked here,
 * what the framework demands is added, and conditions on related rows become what stores answer.
 */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { Id } from '../data-source/connector.js'
import { badQuery } from '../errors.js'
import { chain, type MaybePromise } from '../maybe-promise.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import type { RowAction } from '../interfaces/row-rules.js'
import { isAlwaysTrue } from '../query/always-true.js'
import type { Condition } from '../query/ast.js'
import { rowId } from '../query/id.js'
import { bothConditions } from '../query/merge.js'
import type { Addition } from '../query/narrow.js'
import { parseWhere, type ParseOptions } from '../query/parse.js'
import { internSelection } from '../query/parse-fields.js'
import { whereJson } from '../query/write-filter.js'
import { internalOptions, Operation, parseOptions, storeOptions, whereId, whereIds } from './context.js'
import { defaultScope, scopedWhere, type Filter } from './default-scope.js'
import { asInternal, isFromCaller } from './origin.js'
import {
  hasRelated, isJudged, judgeCondition, linkedRows, resolveRelated, type Resolving
} from './related-conditions.js'
import { narrowsRows, ruleOf } from './row-rules.js'

/** How a filter is read again once it was judged, with what the `access` hook made of it. */
export const judgedOptions = (model: CompiledModel, options: OperationOptions): ParseOptions =>
  isFromCaller(options) ? model.parsing.judged : internalOptions(model, options)

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
 * A condition as stores answer it, for the rows that the rules leave to the caller: see `related-conditions.ts`.
 * @param action what is done to them
 */
export const resolved = (
  { model, options }: Operation, condition: Condition | undefined, action: RowAction,
  how: Pick<Resolving, 'isWrite' | 'mayLink'> = {}
): MaybePromise<Condition | undefined> =>
  chain(ruleOf(model, action, options), rule => rule?.rows === undefined && !hasRelated(condition)
    ? condition
    : resolveRelated(model, condition, { ...resolving({ options }), ...how }, rule?.rows))

/** The rows that rules leave to the caller, as stores answer them. */
export const resolvedRows = (
  model: CompiledModel, rows: Condition, options: OperationOptions
): MaybePromise<Condition | undefined> =>
  hasRelated(rows) ? resolveRelated(model, undefined, resolving({ options }), rows) : rows

/** How conditions on related rows are resolved: those that may be found are those that reads find. */
export const resolving = ({ options }: Pick<Operation, 'options'>): Resolving => ({ options, narrow: narrowKnown })

/** Asks whether the caller may ask about what a condition of theirs names. */
export const judged = <T>(
  operation: Operation, condition: Condition | undefined, result: () => MaybePromise<T>
): MaybePromise<T> =>
    condition === undefined || !isJudged(operation.options)
      ? result()
      : chain(judgeCondition(operation.model, condition, operation.options), result)

/** The condition of `count`: as `accessQuery`, with the condition alone. */
export function accessCondition (
  operation: Operation,
  where: unknown,
  narrowing?: Narrowing
): MaybePromise<Condition | undefined> {
  return chain(narrowedCondition(operation, where, narrowing), condition => resolved(operation, condition, 'read'))
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
  const rows = chain(ruleOf(model, 'read', options), rule => linkedRows(model, rule?.rows, resolving({ options })))
  return chain(narrowAsked(new Operation(model, options), where, known), condition =>
    chain(rows, own => bothConditions(condition, own)))
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
  action: RowAction,
  judge?: (condition: Condition | undefined) => void
): MaybePromise<AccessWhere> {
  const { model, options } = operation
  const asked = parseWhere(model, where, parseOptions(model, options))
  judge?.(asked)
  if (asked !== undefined) operation.count()
  const given = (where ?? {}) as Record<string, unknown>
  return judged(operation, asked, () => {
    if (listensToAccess(operation)) return toldWhere(operation, askHooks(operation, given, undefined), action)
    const scope = defaultScope(model)
    return toldWhere(operation, scope === undefined
      ? { condition: asked, json: given }
      : { condition: bothConditions(asked, scope.addition.where), json: scopedWhere(given, undefined, scope) }, action)
  })
}

/** The condition of a write as stores answer it. */
export const resolvedWhere = (
  operation: Operation, found: MaybePromise<AccessWhere>, action: RowAction
): MaybePromise<AccessWhere> =>
  chain(found, where => chain(resolved(operation, where.condition, action, { isWrite: true }), condition =>
    condition === where.condition ? where : { ...where, condition }))

/** The same, with the rows of the rules in what hooks see: they are told of no others. */
function toldWhere (
  operation: Operation, found: MaybePromise<AccessWhere>, action: RowAction
): MaybePromise<AccessWhere> {
  const { model, options } = operation
  const written = resolvedWhere(operation, found, action)
  if (options.notify === false || !writeHooks.some(name => model.hooks[name] !== undefined)) return written
  return chain(written, where => chain(ruleOf(model, action, options), rule =>
    rule?.rows === undefined ? where : withRows(operation, where, rule.rows)))
}

/** What stands in `where` stays there: hooks look at `where.id`. */
function withRows (operation: Operation, where: AccessWhere, rows: Condition): MaybePromise<AccessWhere> {
  const { json } = where
  const before = Array.isArray(json.and) ? json.and as unknown[] : []
  return chain(rowsAsJson(operation, rows, where.condition), added =>
    ({ ...where, json: { ...json, and: [...before, added] } }))
}

const writeHooks = ['before save', 'persist', 'after save', 'before delete', 'after delete'] as const

/** As a condition of the model's own properties: rows that relations decide about are named by their ids. */
function rowsAsJson (
  { model, options }: Operation, rows: Condition, condition: Condition | undefined
): MaybePromise<Record<string, unknown>> {
  if (!hasRelated(rows) || model.key.length === 0) return whereJson(rows)
  const select = internSelection(model, { names: model.key.map(({ name }) => name), extra: 'none' })
  const query = { where: condition, order: [], limit: undefined, skip: 0, select, include: [] }
  return chain(model.connector.find(model, query, storeOptions(model, options)), found =>
    whereIds(model, found.map(row => rowId(model, row))))
}

export const listensToAccess = ({ model, options }: Operation): boolean =>
  model.hooks.access !== undefined && options.notify !== false

/** Whether reads leave rows out that no rule of access does: by the default scope, or as observers of `access` say. */
export const hidesRows = (operation: Operation): boolean =>
  narrows(operation.model.definition.scope) || listensToAccess(operation)

/** What the observers of `access` make of a condition. */
export function askHooks (
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
  operation: Operation, found: AccessWhere, told: { readonly where?: Record<string, unknown> } | undefined,
  action: RowAction
): MaybePromise<AccessWhere> {
  if (told === undefined) return found
  const { model, options } = operation
  const json = told.where ?? {}
  return resolvedWhere(
    operation, { condition: parseWhere(model, json, judgedOptions(model, options)), json }, action)
}

/**
 * The condition of a bulk write. From outside it must say which rows: only `{}`, in so many words, stands for all of
 * them (security.md, S-24).
 * @throws RequestError 400 for none, and for one that no row can fail (`{ and: [] }`, `{ name: { nin: [] } }`)
 */
export function writeWhere (operation: Operation, where: unknown, action: RowAction): MaybePromise<AccessWhere> {
  if (!isFromCaller(operation.options)) return accessWhere(operation, where, action)
  if (where === undefined || where === null) {
    throw badQuery('A where clause is needed: {} stands for all rows', 'MISSING_WHERE')
  }
  return accessWhere(operation, where, action, condition => {
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
  if (!asksHooks && !narrows(model.definition.scope) && !narrowsRows(model, options)) return true
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
  return chain(narrowedCondition(operation, {}), condition =>
    resolved(operation, condition, 'read', { mayLink: false }))
}
