/**
 * `{ groupBy, aggregate, having, order, limit, skip, timeZone }`: what an aggregate asks for besides its `where`. Names
 * are judged as those of conditions are: what may not be asked about may not be grouped, summed or counted either.
 */
import { badQuery, type RequestError } from '../errors.js'
import { nearestOutside } from '../nearest.js'
import type { PropertyType } from '../properties/types.js'
import { resultContext } from './aggregate-results.js'
import {
  isRelatedValue, relatedOf, type AggregateFunction, type AggregatePage, type AggregateTerm
} from './aggregation.js'
import type { Condition, GroupTerm, Period, PropertyPath } from './ast.js'
import { guardInput, isPrototypeKey } from './guard-input.js'
import { isGiven } from './merge.js'
import { asList, checkLimit, excerpt, isPlainObject, parseContext, type ParseContext } from './parse-context.js'
import type { ParseOptions } from './parse-modes.js'
import { readOrder } from './parse-order.js'
import { readPage } from './parse-page.js'
import { readWhere } from './parse-where.js'
import { isTimeZone } from './periods.js'
import type { QueriedModel } from './queried-model.js'
import { readRelatedValue } from './related-value.js'
import { resolvePath } from './resolve-path.js'

/** What was read of an aggregate, its `where` not among it. */
export interface ReadAggregation extends AggregatePage {
  readonly groups: readonly GroupTerm[]
  readonly values: readonly AggregateTerm[]
  /** A condition that names the relations which groups lead through, for who judges such conditions. */
  readonly related: Condition | undefined
}

type Given = Readonly<Record<string, unknown>>

const keys: readonly string[] =
  ['where', 'groupBy', 'aggregate', 'having', 'order', 'limit', 'skip', 'offset', 'timeZone']
const functions: readonly string[] =
  ['count', 'countDistinct', 'sum', 'avg', 'min', 'max'] satisfies AggregateFunction[]
const numeric: readonly string[] = ['number', 'integer', 'long', 'bigint', 'decimal']
const periods: readonly string[] = ['year', 'quarter', 'month', 'week', 'day', 'hour'] satisfies Period[]

/**
 * Reads an aggregate.
 *
 * ```js
 * const { groups } = parseAggregation(Order.compiled, { groupBy: ['status'], aggregate: { n: { count: '*' } } },
 *   { external: true, limits: defaultQueryLimits })
 * groups[0].name // 'status'
 * ```
 * @throws RequestError 400 INVALID_AGGREGATE, and as for conditions
 */
export function parseAggregation (model: QueriedModel, filter: unknown, options: ParseOptions): ReadAggregation {
  const context = parseContext(model, options)
  if (!isPlainObject(filter)) throw invalid(`${excerpt(filter ?? null)} is no object with "aggregate" or "groupBy"`)
  guardInput(context, filter)
  checkKeys(filter)
  const timeZone = readTimeZone(filter.timeZone)
  const groups = readGroups(context, filter.groupBy, timeZone)
  const values = readValues(context, filter.aggregate)
  if (groups.length + values.length === 0) throw invalid('say what is wanted in "aggregate", or in "groupBy"')
  checkLimit(context, groups.length + values.length, context.limits.aggregates, 'groups and aggregates')
  mustDiffer([...groups, ...values].map(({ name }) => name))
  const { having, order } = filter
  // Most speak of no result, and making the context takes as long as all the rest.
  const results = isGiven(having) || isGiven(order) ? resultContext(context, groups, values) : context
  return {
    groups,
    values,
    related: relatedOf(groups),
    having: having === undefined || having === null ? undefined : readWhere(results, having),
    order: readOrder(results, order),
    ...readPage(filter)
  }
}

/**
 * The properties of `distinct`, which rows are told apart by, and the order, which speaks of these.
 *
 * ```js
 * readDistinct(context, ['city'], 'city DESC').groups
 * // [{ name: 'city', value: { property: 'city', … }, type: { kind: 'string' } }]
 * ```
 * @throws RequestError 400 INVALID_AGGREGATE for what is no list of names
 */
export function readDistinct (
  context: ParseContext, distinct: unknown, order: unknown
): Pick<ReadAggregation, 'groups' | 'order'> {
  const groups = distinctGroups(context, distinct)
  return { groups, order: readOrder(resultContext(context, groups, []), order) }
}

function distinctGroups (context: ParseContext, distinct: unknown): readonly GroupTerm[] {
  const names = typeof distinct === 'string' ? [distinct] : asList(distinct)
  if (names === undefined || names.length === 0) throw invalid('"distinct" is a list of names of properties')
  checkLimit(context, names.length, context.limits.aggregates, 'groups and aggregates')
  const groups = names.map(name => {
    if (typeof name !== 'string') throw invalid('"distinct" is a list of names of properties')
    return groupOf(context, name)
  })
  mustDiffer(groups.map(({ name }) => name))
  return groups
}

function checkKeys (filter: Given): void {
  for (const key of Object.keys(filter)) {
    if (keys.includes(key)) continue
    const near = nearestOutside(key, keys)
    const hint = near === undefined ? '' : ` Did you mean "${near}"?`
    throw badQuery(`An aggregate has no part ${excerpt(key)}.${hint}`, 'UNKNOWN_FILTER_KEY', { key })
  }
}

function readGroups (context: ParseContext, groupBy: unknown, timeZone: string | undefined): readonly GroupTerm[] {
  if (groupBy === undefined || groupBy === null || groupBy === '') return []
  const list = typeof groupBy === 'string' || isGroupObject(groupBy) ? [groupBy] : asList(groupBy)
  if (list === undefined) throw invalid('"groupBy" is a list of names, or of { "name": "month" }')
  return list.map(each => {
    if (typeof each === 'string') return groupOf(context, each)
    if (!isPlainObject(each)) throw invalid(`"groupBy" has ${excerpt(each)}, which is no name`)
    return periodOf(context, each, timeZone)
  })
}

/** An object with the keys 0, 1 … is a list (`filter[groupBy][0]=…`). */
const isGroupObject = (value: unknown): boolean => isPlainObject(value) && asList(value) === undefined

function periodOf (context: ParseContext, { timeZone: own, ...rest }: Given, outer: string | undefined): GroupTerm {
  const [[name, period] = [], another] = Object.entries(rest)
  if (name === undefined || another !== undefined) throw invalid('a group by a period is { "name of a date": "month" }')
  if (typeof period !== 'string' || !periods.includes(period)) {
    throw invalid(`${excerpt(period ?? null)} is no period; there are ${periods.join(', ')}`)
  }
  const group = groupOf(context, name)
  if (group.type.kind !== 'date') throw invalid(`"${name}" is no date, and has no ${period}`)
  const timeZone = own === undefined ? outer : readTimeZone(own)
  return { ...group, period: period as Period, ...(timeZone === undefined ? {} : { timeZone }) }
}

/** UTC is what stands for itself: it is not named. */
function readTimeZone (timeZone: unknown): string | undefined {
  if (timeZone === undefined || timeZone === null || timeZone === '') return undefined
  if (typeof timeZone !== 'string' || !isTimeZone(timeZone)) {
    throw invalid(`${excerpt(timeZone)} is no time zone; write a name such as "America/Lima"`)
  }
  return timeZone === 'UTC' ? undefined : timeZone
}

function groupOf (context: ParseContext, name: string): GroupTerm {
  const value = readRelatedValue(context, name) ?? resolvePath(context, name, 'groupBy')
  if (isRelatedValue(value)) {
    if (value.path === undefined) throw invalid(`rows are not grouped by how many related ones there are: "${name}"`)
    mustBeScalar(name, value.path.type)
    return { name, value, type: value.path.type }
  }
  mustBeScalar(name, value.type)
  return { name, value, type: value.type }
}

function mustBeScalar (name: string, { kind }: PropertyType): void {
  if (['array', 'object', 'buffer', 'geopoint', 'model'].includes(kind)) {
    throw invalid(`"${name}" is of type ${kind}, whose values have no common groups`)
  }
}

function readValues (context: ParseContext, aggregate: unknown): readonly AggregateTerm[] {
  if (aggregate === undefined || aggregate === null) return []
  if (!isPlainObject(aggregate)) throw invalid('"aggregate" is an object: { "total": { "sum": "amount" } }')
  return Object.entries(aggregate).map(([name, asked]) => {
    if (!/^[A-Za-z_][A-Za-z0-9_]{0,99}$/.test(name) || isPrototypeKey(name)) {
      throw invalid(`${excerpt(name)} cannot be the name of an aggregate: write letters, digits and "_"`)
    }
    const [[fn, of] = [], another] = isPlainObject(asked) ? Object.entries(asked) : []
    if (fn === undefined || another !== undefined || !functions.includes(fn) || typeof of !== 'string') {
      throw invalid(`"${name}" is one of ${functions.join(', ')} with a name: { "sum": "amount" }, { "count": "*" }`)
    }
    return { name, fn: fn as AggregateFunction, path: valuePath(context, fn as AggregateFunction, of) }
  })
}

function valuePath (context: ParseContext, fn: AggregateFunction, of: string): PropertyPath | undefined {
  if (of === '*') {
    if (fn !== 'count') throw invalid(`"*" can only be counted: "${fn}" takes the name of a property`)
    return undefined
  }
  const path = resolvePath(context, of, 'aggregate')
  const { kind } = path.type
  if ((fn === 'sum' || fn === 'avg') && !numeric.includes(kind)) {
    throw invalid(`"${of}" is of type ${kind}, which has no ${fn}`)
  }
  if (fn !== 'count') mustBeScalar(of, path.type)
  return path
}

function mustDiffer (names: readonly string[]): void {
  const twice = names.find((name, i) => names.indexOf(name) < i)
  if (twice !== undefined) throw invalid(`the name "${twice}" stands for two things; rename the aggregate`)
}

const invalid = (why: string): RequestError => badQuery(`The aggregate is not valid: ${why}.`, 'INVALID_AGGREGATE')
