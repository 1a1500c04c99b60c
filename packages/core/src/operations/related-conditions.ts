/**
 * Conditions on related rows (`query/parse-related.ts`) become what stores can answer. First each becomes a link:
 * "there is a row of that model with this key, which passes this condition", with the default scope of that model and
 * what its observers of `access` make of it. A store that can look at both models at once answers links (SQL's
 * `EXISTS`); for every other one, and across data sources, the keys of the related rows are read first, in the budget
 * of the request.
 */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import type { Relation, RelationJoin } from '../interfaces/relation.js'
import { limitExceeded } from '../errors.js'
import { chain, eachInSequence, type MaybePromise } from '../maybe-promise.js'
import { relatedOf } from '../query/aggregation.js'
import type { Condition, LinkedCondition, Query, RelatedCondition, RelatedTarget } from '../query/ast.js'
import { hasPart } from '../query/condition-parts.js'
import { bothConditions } from '../query/merge.js'
import { keyCondition } from '../query/narrow.js'
import { internSelection } from '../query/parse-fields.js'
import { among } from '../query/put-away.js'
import { always, never } from '../query/parse-value.js'
import { storeOptions } from './context.js'
import { aside } from './cost.js'
import { relatedOptions } from './origin.js'
import { mustReadCondition, ruleOf, withoutRules } from './row-rules.js'
import { isInStore } from './store-layer.js'

/** The condition of reads of a model: what is asked, with the default scope and the observers of `access`. */
export type NarrowCondition = (
  model: CompiledModel, options: OperationOptions, where: Readonly<Record<string, unknown>>,
  known: Condition | undefined
) => MaybePromise<Condition | undefined>

export interface Resolving {
  readonly options: OperationOptions
  readonly narrow: NarrowCondition
  /** Whether the condition is of an update or a delete. */
  readonly isWrite?: boolean
  /** Whether the store may be given links; otherwise the result can also be tested row by row. */
  readonly mayLink?: boolean
  /** Whether a rule of the caller asks: nothing narrows the related rows. */
  readonly byRules?: boolean
  /** Relations around this condition. */
  readonly level?: number
}

/** Default scopes that name each other's rows would have no end. */
const mostLevels = 32

type Group = Extract<Condition, { readonly conditions: unknown }>

/** Whether a condition has parts that only this module understands. */
export const hasRelated = (condition: Condition | undefined): boolean =>
  hasPart(condition, ({ kind }) => kind === 'related')

/** The same for embedded rows as well: what `judgeRelated` looks at. */
const namesRelations = (condition: Condition): boolean =>
  hasPart(condition, ({ kind }) => kind === 'related' || kind === 'element')

const hasLinks = (condition: Condition | undefined): boolean => hasPart(condition, ({ kind }) => kind === 'linked')

/** Whether anything judges what a caller's condition names. */
export const isJudged = ({ includeGuard, rowRules }: OperationOptions): boolean =>
  includeGuard !== undefined || rowRules !== undefined

/**
 * Judges what a caller's condition names, at every level: properties by the rules of their model, relations by the
 * guard of the request.
 *
 * ```js
 * await judgeCondition(Note.compiled, parseWhere(Note.compiled, where, mode), options)
 * ```
 * @throws RequestError 401, 403 unless the caller may read the rows of such a relation; 400 HIDDEN_PROPERTY_IN_QUERY
 * for a property that they may not read
 */
export function judgeCondition (
  model: CompiledModel, condition: Condition | undefined, options: OperationOptions
): MaybePromise<void> {
  if (condition === undefined || !isJudged(options)) return
  const read = chain(ruleOf(model, 'read', options), rule => { mustReadCondition(model, rule, condition, options) })
  return chain(read, () => judgeRelations(model, condition, options))
}

function judgeRelations (model: CompiledModel, condition: Condition, options: OperationOptions): MaybePromise<void> {
  if (!namesRelations(condition)) return
  if ('conditions' in condition) {
    return eachInSequence(condition.conditions, inner => judgeRelations(model, inner, options))
  }
  if (condition.kind !== 'related' && condition.kind !== 'element') return
  const { includeGuard } = options
  const relation = relationOf(model, condition.relation)
  const checked = includeGuard?.concerns(relation) === true ? includeGuard.checkCondition(relation) : undefined
  return chain(checked, () => {
    if (condition.kind === 'element') return judgeCondition(targetOf(relation.joins()[0]), condition.condition, options)
    return eachInSequence(condition.targets, target =>
      judgeCondition(targetOf(joinTo(relation, target)), target.condition, options))
  })
}

/**
 * All that a query asks about rows: its condition, and what the values of related rows in its order and its groups
 * would tell.
 */
export function queriedConditions ({ where, order, distinct }: Query): Condition | undefined {
  // Nearly all queries: it is asked of each.
  if (order.length === 0 && distinct === undefined) return where
  const told = order.flatMap(term => 'related' in term ? [term.related.condition] : [])
  return [...told, relatedOf(distinct ?? [])].reduce<Condition | undefined>(bothConditions, where)
}

/**
 * A condition without `related` parts.
 * @param rows of the rules: a condition that is added to it, whose relations the rules themselves do not narrow
 */
export function resolveRelated (
  model: CompiledModel, condition: Condition | undefined, resolving: Resolving, rows?: Condition
): MaybePromise<Condition | undefined> {
  if (!hasRelated(condition) && !hasRelated(rows)) {
    return rows === undefined ? condition : bothConditions(condition, marked(model, rows))
  }
  const asked = condition === undefined ? undefined : linked(model, condition, resolving)
  return chain(asked, tree => chain(linkedRows(model, rows, resolving), own => {
    const both = bothConditions(tree, own)
    return both === undefined ? undefined : settledLinks(model, both, resolving)
  }))
}

/** A condition of rules with its relations as links. */
export const linkedRows = (
  model: CompiledModel, rows: Condition | undefined, resolving: Resolving
): MaybePromise<Condition | undefined> =>
  rows === undefined
    ? undefined
    : linked(model, marked(model, rows), { ...resolving, options: withoutRules(resolving.options), byRules: true })

/** Rows of rules, as a connector knows them that has to look again (security.md, S-200). */
const marked = ({ connector }: CompiledModel, rows: Condition): Condition =>
  connector.handsConditionsOn === true ? { kind: 'and', conditions: [rows], byRules: true } : rows

const relationOf = (model: CompiledModel, name: string): Relation => model.relations.get(name) as Relation

const targetOf = (join: RelationJoin | undefined): CompiledModel => (join as RelationJoin).target.compiled

const joinTo = (relation: Relation, { modelName }: RelatedTarget): RelationJoin | undefined =>
  relation.joins().find(({ target }) => target.modelName === modelName)

/** Each `related` part as links. */
function linked (model: CompiledModel, condition: Condition, resolving: Resolving): MaybePromise<Condition> {
  if (!hasRelated(condition)) return condition
  switch (condition.kind) {
    case 'related': return linksOf(model, condition, resolving)
    case 'and': case 'or': case 'nor': return eachOf(condition, inner => linked(model, inner, resolving))
    case 'element': {
      const target = targetOf(relationOf(model, condition.relation).joins()[0])
      const inner = chain(linked(target, condition.condition, resolving), tree =>
        settledLinks(target, tree, { ...resolving, mayLink: false }))
      return chain(inner, resolved => ({ ...condition, condition: resolved }))
    }
    default: return condition
  }
}

function eachOf (group: Group, work: (inner: Condition) => MaybePromise<Condition>): MaybePromise<Condition> {
  const conditions: Condition[] = []
  const add = (inner: Condition): MaybePromise<void> => chain(work(inner), made => { conditions.push(made) })
  return chain(eachInSequence(group.conditions, add), () => ({ ...group, conditions }))
}

function linksOf (model: CompiledModel, related: RelatedCondition, resolving: Resolving): MaybePromise<Condition> {
  const relation = relationOf(model, related.relation)
  const level = (resolving.level ?? 0) + 1
  if (level > mostLevels) throw limitExceeded(`more than ${mostLevels} levels of related rows`, mostLevels)
  const below = { ...resolving, level }
  const links: Condition[] = []
  const add = (target: RelatedTarget): MaybePromise<void> => {
    const join = joinTo(relation, target) as RelationJoin
    const when = keyCondition(model, [join.when])
    return chain(linkTo(join, related, target, below), link => { links.push(bothConditions(when, link) as Condition) })
  }
  return chain(eachInSequence(related.targets, add), () => {
    const some: Condition = links.length === 1 ? links[0] as Condition : { kind: 'or', conditions: links }
    return related.quantifier === 'some' ? some : { kind: 'nor', conditions: [some] }
  })
}

/**
 * One join with related rows as a link, with the relation's own condition. Rows in between count as far as a read of
 * them would find them (security.md, S-132).
 */
function linkTo (
  join: RelationJoin, related: RelatedCondition, target: RelatedTarget, resolving: Resolving
): MaybePromise<Condition> {
  const own = join.where === undefined ? undefined : linked(firstOf(join), join.where, resolving)
  const where = chain(own, scope => chain(readableBetween(join, resolving), rows => bothConditions(scope, rows)))
  return chain(where, first => chain(passing(targetOf(join), related, target, resolving), condition =>
    linkOf({ ...join, where: first }, condition, resolving.byRules)))
}

/** The rows of the model in between that may be read: its default scope, its observers of `access`, its rules. */
function readableBetween ({ between }: RelationJoin, resolving: Resolving): MaybePromise<Condition | undefined> {
  if (between === undefined) return undefined
  const { compiled } = between.model
  return chain(resolving.narrow(compiled, relatedOptions(resolving.options), {}, undefined), readable =>
    readable === undefined ? undefined : linked(compiled, readable, resolving))
}

/**
 * All rows of a relation that a read of them would find, as a link; undefined where the store of `model` does not
 * answer it, or they are of several models.
 */
export function linkAlong (
  model: CompiledModel, name: string, resolving: Resolving
): MaybePromise<LinkedCondition | undefined> {
  const relation = relationOf(model, name)
  if (relation.embedded) return undefined
  const joins = relation.joins()
  const [join] = joins
  if (join === undefined || joins.length > 1 || Object.keys(join.when).length > 0) return undefined
  const all = { modelName: join.target.modelName, where: {}, condition: undefined }
  const made = linkTo(join, { kind: 'related', relation: name, quantifier: 'some', targets: [all] }, all, resolving)
  return chain(made, tree => chain(settledLinks(model, tree, resolving), kept => kept.kind === 'linked' ? kept : undefined))
}

/** The rows of the related model that decide: for `every` those that may be read and do not pass. */
function passing (
  target: CompiledModel, { quantifier }: RelatedCondition, { where, condition }: RelatedTarget, resolving: Resolving
): MaybePromise<Condition | undefined> {
  const options = relatedOptions(resolving.options)
  const deciding = quantifier === 'every'
    ? chain(resolving.narrow(target, options, {}, undefined), readable =>
      bothConditions(readable, { kind: 'nor', conditions: [condition ?? always] }))
    : resolving.narrow(target, options, where, condition)
  return chain(deciding, all => all === undefined ? undefined : linked(target, all, resolving))
}

/** The model that the row's own key leads to. */
const firstOf = ({ between, target }: RelationJoin): CompiledModel => (between?.model ?? target).compiled

function linkOf (join: RelationJoin, condition: Condition | undefined, byRules?: boolean): Condition {
  const { target, from, to, only, where, between } = join
  const first = firstOf(join)
  const end = between === undefined
    ? condition
    : link(between.keyThrough, target.compiled, between.targetKey, condition, byRules)
  return link(from, first, to, bothConditions(bothConditions(keyCondition(first, [only]), where), end), byRules)
}

const link = (
  from: string, model: CompiledModel, to: string, condition: Condition | undefined, byRules?: boolean
): LinkedCondition => ({ kind: 'linked', from, model, to, condition, ...(byRules === true ? { byRules } : {}) })

/** Keeps the links that the model's store answers, and reads keys for the others. */
export function settledLinks (model: CompiledModel, tree: Condition, resolving: Resolving): MaybePromise<Condition> {
  const { options, mayLink = true, isWrite = false } = resolving
  const answers = (condition: Condition): boolean => mayLink &&
    model.connector.supportsLinks?.(model, condition, isWrite, storeOptions(model, options)) === true
  const each = (part: Condition): MaybePromise<Condition> => {
    if (!hasLinks(part)) return part
    if ('conditions' in part) return eachOf(part, each)
    const own = part as LinkedCondition
    const other = own.model as CompiledModel
    const isSame = isInStore(other) && other.key.length === 1 && other.Model.dataSource === model.Model.dataSource
    return chain(own.condition === undefined ? undefined : settledLinks(other, own.condition, resolving), condition => {
      const known = { ...own, condition: among(other, condition, undefined) }
      return isSame && answers(known) ? known : keysOf(model, { ...own, condition }, options)
    })
  }
  return chain(each(tree), kept => hasLinks(kept) && !answers(kept) ? allByKeys(model, kept, options) : kept)
}

/** Where the store answers each link by itself, and not all that stands beside them in one statement. */
function allByKeys (model: CompiledModel, tree: Condition, options: OperationOptions): MaybePromise<Condition> {
  if (!hasLinks(tree)) return tree
  return 'conditions' in tree
    ? eachOf(tree, inner => allByKeys(model, inner, options))
    : keysOf(model, tree as LinkedCondition, options)
}

/** A link as the keys of the rows that it leads to. */
function keysOf (
  model: CompiledModel, { from, model: stored, to, condition, byRules }: LinkedCondition, given: OperationOptions
): MaybePromise<Condition> {
  const other = stored as CompiledModel
  const options = byRules === true ? withoutRules(given) : given
  const select = internSelection(other, { names: [to], extra: other.propertyByName.has(to) ? 'none' : [to] })
  const query = { where: condition, order: [], limit: undefined, skip: 0, select, include: [] }
  const isSame = other.Model.dataSource === model.Model.dataSource
  const asking = aside(other, isSame ? options : { ...options, transaction: undefined })
  return chain(other.connector.find(other, query, storeOptions(other, asking)), rows => {
    const keys = new Set<unknown>()
    for (const row of rows) keys.add(row[to])
    keys.delete(null)
    keys.delete(undefined)
    return keys.size === 0 ? never : keyCondition(model, [{ [from]: { inq: [...keys] } }]) ?? never
  })
}
