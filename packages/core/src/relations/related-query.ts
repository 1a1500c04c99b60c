/**
 * Queries of relations have two parts: what the caller asked, which may come from outside, and what the relation itself
 * demands (its keys and its scope), which may not be refused. The two are told apart until the first has been judged.
 */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { MaybePromise } from '../maybe-promise.js'
import { chain } from '../maybe-promise.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import { parseOptions } from '../operations/context.js'
import { isAsked } from '../operations/origin.js'
import { findRows } from '../operations/read.js'
import type { Row } from '../properties/types.js'
import { mergeFilters } from '../query/merge.js'
import { parseFilter } from '../query/parse.js'
import { largestPageOf, mustFitPage } from '../query/parse-page.js'
import type { Page } from './group.js'

export type Filter = Record<string, unknown>

/**
 * Options for the scope of an include: from outside, protected properties may not be asked about either (security.md,
 * S-12).
 */
export function includeOptions (options: OperationOptions): OperationOptions {
  return isAsked(options)
    ? { ...options, prohibitProtectedPropertiesInQuery: true }
    : options
}

/** The first row of `filter` within the relation, or undefined. */
export function firstRow (
  model: CompiledModel, filter: Filter | undefined, within: Filter, options: OperationOptions
): MaybePromise<Row | undefined> {
  return chain(findRows(model, filter, options, { ...within, limit: 1 }), rows => rows[0])
}

/** `{ and: [...] }` of the conditions that say anything. */
export function allOf (...conditions: unknown[]): Filter {
  const said = conditions.filter(
    condition => condition !== undefined && condition !== null && Object.keys(condition).length > 0
  )
  return said.length === 1 ? said[0] as Filter : said.length === 0 ? {} : { and: said }
}

/** A scope with a further condition. */
export function narrowed (scope: Filter | undefined, condition: Filter): Filter {
  return scope === undefined ? { where: condition } : { ...scope, where: allOf(condition, scope.where) }
}

/**
 * The filter with `key` among its `fields`, so that rows can be joined; the key then shows in the answer, as in
 * LoopBack.
 */
export function withField (filter: Filter | undefined, key: string): Filter | undefined {
  const fields = filter?.fields
  if (fields === undefined || fields === null || fields === '') return filter
  if (typeof fields === 'string') return fields === key ? filter : { ...filter, fields: [fields, key] }
  if (Array.isArray(fields)) {
    return fields.length === 0 || fields.includes(key) ? filter : { ...filter, fields: [...fields as unknown[], key] }
  }
  if (typeof fields !== 'object') return filter
  const { [key]: _, ...others } = fields as Filter
  const only = Object.values(others).some(on => on === true || on === 'true' || on === 1 || on === '1')
  return { ...filter, fields: only ? { ...others, [key]: true } : others }
}

/**
 * What a relation demands of a query, with `key` among the `fields` that the caller asks for: it joins the rows,
 * whether the caller may see it or not.
 */
export function demanding (demands: Filter, filter: Filter | undefined, key: string): Filter {
  if (demands.fields !== undefined) return withField(demands, key) as Filter
  const joined = withField(filter, key)
  return joined === filter ? demands : { ...demands, fields: joined?.fields }
}

/**
 * Takes `limit` and `skip` out of a filter: include applies them to each parent's rows.
 * @param scope the relation's own scope, whose limit comes first
 * @throws RequestError 400 for what is no limit, or one beyond the model's `maxLimit`
 */
export function perParent (
  model: CompiledModel, filter: Filter | undefined, scope: Filter | undefined, options: OperationOptions
): { filter: Filter | undefined, scope: Filter | undefined, page: Page } {
  const asked = withoutPage(filter)
  const own = withoutPage(scope)
  const reading = parseOptions(model, options)
  const largest = largestPageOf(model, reading)
  const fits = largest === undefined ? undefined : (rows: number) => { mustFitPage(model, rows, largest) }
  if (asked === filter && own === scope) return { filter, scope, page: fits === undefined ? whole : { ...whole, fits } }
  // The caller's limit is judged; the relation's own may be any.
  const page = parseFilter(model, onlyPage(filter), reading)
  const { limit, skip } =
    own === scope ? page : parseFilter(model, mergeFilters(onlyPage(filter), onlyPage(scope)), model.parsing.internal)
  return { filter: asked, scope: own, page: { limit, skip, fits } }
}

const whole: Page = Object.freeze({ skip: 0, limit: undefined })

function withoutPage (filter: Filter | undefined): Filter | undefined {
  if (
    filter === undefined ||
    (filter.limit === undefined && filter.skip === undefined && filter.offset === undefined)
  ) {
    return filter
  }
  const { limit, skip, offset, ...rest } = filter
  return rest
}

function onlyPage (filter: Filter | undefined): Filter {
  return Object.fromEntries(
    ['limit', 'skip', 'offset'].flatMap(key => (filter?.[key] === undefined ? [] : [[key, filter[key]]]))
  )
}
