/**
 * What the rules of a caller (`interfaces/row-rules.ts`) add to operations: the rows that they leave to the caller, put
 * to every condition after scopes and hooks, and the properties that they hide.
 */
import { hiddenInQuery } from '../errors.js'
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import type { PropertyTest, RowAction, RowRule } from '../interfaces/row-rules.js'
import type { MaybePromise } from '../maybe-promise.js'
import type { Comparison, Condition, GroupTerm, OrderTerm, Query } from '../query/ast.js'
import { isRelatedValue } from '../query/aggregation.js'
import { namesSome, propertiesOfTerm, testsSome } from '../query/named-properties.js'
import { isSpellingOf } from '../query/query-names.js'
import { isFromCaller } from './origin.js'
import { mayReadPath } from './rows-within.js'

/**
 * Whether rules may narrow what an operation does to a model; without them, operations take their shortest ways.
 *
 * ```js
 * narrowsRows(Note.compiled, options) // false: nobody's rules count
 * ```
 */
export const narrowsRows = (model: CompiledModel, { rowRules }: OperationOptions): boolean =>
  rowRules !== undefined && rowRules.concerns(model)

/**
 * What the rules of the caller say of an action; undefined: nothing.
 *
 * ```js
 * const rule = await ruleOf(Note.compiled, 'read', options)
 * ```
 */
export const ruleOf = (
  model: CompiledModel, action: RowAction, options: OperationOptions
): MaybePromise<RowRule | undefined> =>
  narrowsRows(model, options) ? options.rowRules?.of(model, action) : undefined

/** The same without anything that rules say: for what the rules themselves look at. */
export const withoutRules = (options: OperationOptions): OperationOptions =>
  options.rowRules === undefined ? options : { ...options, rowRules: undefined, includeGuard: undefined }

/**
 * Refuses a query that names what the caller may not read: it is as if it were hidden (security.md, S-11). Its
 * condition is judged with those of related rows (`judgeCondition`).
 * @throws RequestError 400 HIDDEN_PROPERTY_IN_QUERY
 */
export function mustReadAll (
  model: CompiledModel, rule: RowRule | undefined, { order, distinct = [], include }: Query, options: OperationOptions
): void {
  if (rule?.reads === undefined || !isFromCaller(options)) return
  const { reads } = rule
  const mayOrder = (term: OrderTerm): boolean => termOf(term).every(name => mayName(model, reads, name)) &&
    (!('path' in term) || mayReadPath(model, term.path, reads, mayName))
  if (!order.every(mayOrder)) throw hiddenInQuery(model.name, 'order')
  mustReadGroups(model, rule, distinct, options)
  if (!include.every(({ relation }) => reads(relation))) throw hiddenInQuery(model.name, 'include')
}

/** The same for groups, and for the properties that are added up. */
export function mustReadGroups (
  model: CompiledModel, rule: RowRule | undefined, groups: ReadonlyArray<Pick<GroupTerm, 'value'>>,
  options: OperationOptions
): void {
  if (rule?.reads === undefined || !isFromCaller(options)) return
  const { reads } = rule
  for (const { value } of groups) {
    const name = isRelatedValue(value) ? value.relations[0] : value.property
    if (name !== undefined && !mayName(model, reads, name)) throw hiddenInQuery(model.name, 'groupBy')
    if (!isRelatedValue(value) && !mayReadPath(model, value, reads, mayName)) throw hiddenInQuery(model.name, 'groupBy')
  }
}

/** The same for a condition. Related rows are looked at where their own model is known. */
export function mustReadCondition (
  model: CompiledModel, rule: RowRule | undefined, condition: Condition | undefined, options: OperationOptions
): void {
  const reads = rule?.reads
  if (reads === undefined || !isFromCaller(options)) return
  if (!mayAskAbout(model, reads, condition)) throw hiddenInQuery(model.name, 'where')
}

/**
 * Whether a caller may ask what a condition asks of a row, and of rows within it.
 *
 * ```js
 * mayAskAbout(Note.compiled, rule.reads, condition)
 * ```
 */
export function mayAskAbout (model: CompiledModel, reads: PropertyTest, condition: Condition | undefined): boolean {
  const asksWithin = (test: Comparison): boolean =>
    !mayReadPath(model, test.path, reads, mayName, comparesValue(test)) ||
    (test.kind === 'element' && !mayAskOfElement(model, reads, test))
  return !namesSome(condition, name => !mayName(model, reads, name)) &&
    (reads.within === undefined || !testsSome(condition, asksWithin))
}

/** The same of embedded rows, which are asked about by their relation. */
function mayAskOfElement (
  model: CompiledModel, { within }: PropertyTest, { relation, condition }: Comparison & { kind: 'element' }
): boolean {
  const inner = model.relations.get(relation)?.target()?.compiled
  if (inner === undefined) return true
  const reads = (name: string): boolean => within?.(inner.name)?.(name) !== false
  return mayAskAbout(inner, Object.assign(reads, { within }), condition)
}

/** Whether a test looks at more of a value than that there is one; what is asked of embedded rows is judged as such. */
function comparesValue (test: Comparison): boolean {
  switch (test.kind) {
    case 'exists': case 'element': return false
    case 'compare': return test.value !== null || test.isShown === true
    case 'in': return test.values.some(value => value !== null)
    default: return true
  }
}

const termOf = (term: OrderTerm): readonly string[] =>
  'related' in term ? term.related.relations.slice(0, 1) : propertiesOfTerm(term)

/** An undeclared name that is another spelling of what is hidden is refused as that is. */
function mayName (model: CompiledModel, reads: PropertyTest, name: string): boolean {
  if (!reads(name)) return false
  if (model.propertyByName.has(name)) return true
  const unread = model.properties.filter(property => !reads(property.name)).map(property => property.name)
  return !isSpellingOf(new Set(unread), name, model.name)
}
