/**
 * Queries of relations have two parts: what the caller asked, which may come from outside, and what the relation itself
 * demands (its keys and its scope), which may not be refused. The caller's is read once, by the rules for callers; what
 * is demanded is added to the tree.
 */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import type { Narrowing } from '../operations/access-condition.js'
import { parseOptions, wideOptions } from '../operations/context.js'
import type { IncludeNode, Query } from '../query/ast.js'
import { INCLUDE_PATH } from '../query/include-path.js'
import { bothConditions } from '../query/merge.js'
import { keyCondition, withPage, type Addition } from '../query/narrow.js'
import { addsNothing, isPaged, type OwnFilter } from '../query/own-filter.js'
import { distinctInScope, parseFilter } from '../query/parse.js'
import { largestPageOf, mustFitPage, readPage } from '../query/parse-page.js'
import type { Page } from './group.js'

export type Filter = Readonly<Record<string, unknown>>

/** How many rows a relation reads. The default scope of their model says nothing of the page of one. */
export type Reads = 'list' | 'one' | 'one for each key'

/** What a relation demands of the rows that are read by it, whatever the caller asks. */
export class Demand implements Narrowing {
  /**
   * @param keys what joins the rows: for each property its value, or `{ inq }` with a list of them
   * @param scope the relation's own filter
   * @param join the property among what is read that the rows are joined by afterwards
   * @param reads how many rows: a list, one, or one for each key
   */
  constructor (
    readonly model: CompiledModel,
    readonly keys: readonly Filter[],
    readonly scope: OwnFilter | undefined,
    readonly join?: string,
    readonly reads: Reads = 'list'
  ) {}

  get isOne (): boolean {
    return this.reads !== 'list'
  }

  get addition (): Addition {
    const condition = keyCondition(this.model, this.keys)
    const { where, order, select, include, page } = this.scope?.addition ?? addsNothing
    return {
      where: bothConditions(condition, where),
      order,
      select,
      join: this.join,
      include,
      page: this.reads === 'one' ? withPage(page ?? {}, one) : page
    }
  }

  written (filter: Filter | undefined): Filter {
    const within = narrowed(this.scope?.json, ...this.keys)
    const demands = this.join === undefined ? within : demanding(within, filter, this.join)
    return this.reads === 'one' ? { ...demands, limit: 1 } : demands
  }
}

const one = Object.freeze({ limit: 1 })

/** `{ and: [...] }` of the conditions that say anything. */
export function allOf (...conditions: unknown[]): Filter {
  const said = conditions.filter(
    condition => condition !== undefined && condition !== null && Object.keys(condition).length > 0
  )
  return said.length === 1 ? said[0] as Filter : said.length === 0 ? {} : { and: said }
}

/** A scope with further conditions. */
export function narrowed (scope: Filter | undefined, ...conditions: Filter[]): Filter {
  return { ...scope, where: allOf(...conditions, scope?.where) }
}

/**
 * The filter with `key` among its `fields`, so that rows can be joined; the key then shows in the response, as in
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
 * What a relation demands of a query, as hooks see it, with `key` among the `fields` that the caller asks for: it joins
 * the rows, whether the caller may see it or not.
 */
function demanding (demands: Filter, filter: Filter | undefined, key: string): Filter {
  if (demands.fields !== undefined) return withField(demands, key) as Filter
  const joined = withField(filter, key)
  return joined === filter ? demands : { ...demands, fields: joined?.fields }
}

/** What a caller asks of a relation: as it is written, which hooks see, and as it was read. */
export interface RelatedRequest {
  readonly filter: Filter | undefined
  readonly query: Query
}

/** What the scope of an include asks of a relation; the page of each parent's rows is told apart. */
export interface IncludeRequest extends RelatedRequest {
  /** The relation's own filter. */
  readonly scope: OwnFilter | undefined
  readonly page: Page
}

/**
 * Takes `limit` and `skip` out of the scope of an include, which applies them to each parent's rows. The scope is read
 * here, unless it was when it was judged.
 * @param own the relation's own filter, whose limit comes first
 * @throws RequestError 400 for what cannot be read or may not be asked, and for a limit beyond the model's `maxLimit`
 */
export function perParent (
  model: CompiledModel, node: IncludeNode, own: OwnFilter | undefined, options: OperationOptions
): IncludeRequest {
  const query = node.query ?? parseFilter(model, node.scope, wideOptions(model, options), options[INCLUDE_PATH])
  if (query.distinct !== undefined) throw distinctInScope()
  const filter = withoutPage(node.scope)
  const scope = own?.pageless
  // Rows that are counted are no page of anybody.
  const largest = node.count === true ? undefined : largestPageOf(model, parseOptions(model, options))
  const fits = largest === undefined ? undefined : (rows: number) => { mustFitPage(model, rows, largest) }
  if (filter === node.scope && own === scope) {
    return { filter, query, scope, page: fits === undefined ? whole : { ...whole, fits } }
  }
  // The caller's limit is judged; the relation's own may be any.
  const { limit, skip } = own === scope ? query : readPage(withPage(node.scope ?? {}, own?.json ?? {}))
  return { filter, query: { ...query, limit: undefined, skip: 0 }, scope, page: { limit, skip, fits } }
}

const whole: Page = Object.freeze({ skip: 0, limit: undefined })

function withoutPage (filter: Filter | undefined): Filter | undefined {
  if (filter === undefined || !isPaged(filter)) return filter
  const { limit, skip, offset, ...rest } = filter
  return rest
}
