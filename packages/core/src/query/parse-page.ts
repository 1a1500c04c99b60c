/** `limit`, `skip`, `offset` and the largest page. */
import type { QueriedModel } from './queried-model.js'
import { badQuery } from '../errors.js'
import type { Condition } from './ast.js'
import { largestPage } from './limits.js'
import { excerpt, type ParseContext } from './parse-context.js'
import type { ParseOptions } from './parse-modes.js'
import { queryNames } from './query-names.js'

/** The members of a filter that make its page, as they are written. */
export interface WrittenPage {
  readonly limit?: unknown
  readonly skip?: unknown
  readonly offset?: unknown
}

export interface Page { readonly limit: number | undefined, readonly skip: number }

/** `limit` when only `skip` is given, as LoopBack has it. */
const limitOfSkip = 100

/**
 * Zero and no `limit` mean no limit; with `skip` alone there are at most 100 rows.
 * @throws RequestError 400 for what is no integer from 0 to 2³¹−1
 */
export function readPage (filter: WrittenPage): Page {
  const given = filter.skip === undefined || filter.skip === null || filter.skip === '' ? filter.offset : filter.skip
  const skip = whole(given)
  if (skip === undefined) throw badQuery(`The offset/skip parameter ${excerpt(given)} is not valid`)
  const limit = whole(filter.limit)
  if (limit === undefined) throw badQuery(`The limit parameter ${excerpt(filter.limit)} is not valid`)
  const said = filter.limit !== undefined && filter.limit !== null && filter.limit !== ''
  return { limit: limit > 0 ? limit : skip > 0 && !said ? limitOfSkip : undefined, skip }
}

/** An integer; 0 for what is not given; undefined for what is none. Texts come from `filter[limit]=20`. */
function whole (value: unknown): number | undefined {
  if (value === undefined || value === null || value === '') return 0
  const number = typeof value === 'string' && /^\s*\d+\s*$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 && number <= largestPage
    ? number
    : undefined
}

/**
 * Refuses pages larger than the model's `maxLimit` (setting of the model, of its data source, or of the limits).
 * In-process code is not paged; a condition on the id bounds itself; an include without a limit is judged by the rows
 * that each parent gets (`mustFitPage`).
 * @throws RequestError 400 naming the limit
 */
export function checkPage (context: ParseContext, limit: number | undefined, where: Condition | undefined): void {
  const largest = largestPageOf(context.model, context.options)
  const isIncluded = context.options.protectedHidden === true && context.options.paged !== true
  if (
    largest === undefined ||
    (limit !== undefined ? limit <= largest : isIncluded || rowsOf(context, where) <= largest)
  ) { return }
  throw pageTooLarge(context.model, limit, largest)
}

/** Most rows of a page of a model; undefined where there is no such limit, and for code in the process. */
export function largestPageOf (model: QueriedModel, { external, limits }: ParseOptions): number | undefined {
  return external ? queryNames(model).maxLimit ?? limits.maxLimit : undefined
}

/** @throws RequestError 400 for more rows than `largest`, which nothing limited */
export function mustFitPage (model: QueriedModel, rows: number, largest: number | undefined): void {
  if (largest !== undefined && rows > largest) throw pageTooLarge(model, undefined, largest)
}

function pageTooLarge ({ name }: QueriedModel, limit: number | undefined, largest: number): Error {
  return badQuery(
    limit === undefined
      ? `A limit is needed: "${name}" gives at most ${largest} rows at once`
      : `The limit parameter ${limit} is not valid: "${name}" gives at most ${largest} rows at once`,
    'QUERY_LIMIT_EXCEEDED',
    { limit: largest }
  )
}

/** How many rows a condition can match at most, as far as its ids tell. */
function rowsOf (context: ParseContext, where: Condition | undefined): number {
  const id = context.model.id?.name
  switch (where?.kind) {
    case 'compare':
      return where.op === 'eq' && where.path.property === id && where.path.path.length === 0 ? 1 : Infinity
    case 'in':
      return where.op === 'inq' && where.path.property === id && where.path.path.length === 0
        ? where.values.length
        : Infinity
    case 'and':
      return where.conditions.reduce((least, condition) => Math.min(least, rowsOf(context, condition)), Infinity)
    default:
      return Infinity
  }
}
