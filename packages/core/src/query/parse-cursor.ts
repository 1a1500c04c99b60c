/** `after` and `before`: the page behind or in front of a row, which a cursor names (`operations/cursor-page.ts`). */
import { badQuery, type RequestError } from '../errors.js'
import type { PageCursor } from './ast.js'
import { queryNames } from './query-names.js'
import { isGiven } from './merge.js'
import { excerpt, type ParseContext } from './parse-context.js'
import type { Page } from './parse-page.js'

/** Parts of a filter that a model has where its setting `cursors` is on. */
export const cursorKeys: readonly string[] = ['after', 'before']

/** Rows of a page whose filter has no `limit`. */
const usualPage = 100

/** What to do where a cursor is of no use. */
const again = 'Ask for the first page again, with "after": ""'

/**
 * 400 for a cursor that is none, or none of this list; or for a list that has none.
 *
 * ```js
 * throw invalidCursor('The cursor is not of this list')
 * ```
 */
export const invalidCursor = (what: string, advice = again): RequestError =>
  badQuery(`${what}. ${advice}`, 'INVALID_CURSOR')

/**
 * Reads `after` and `before`. The empty text is that of the first page, or of the last one.
 * @throws RequestError 400 INVALID_CURSOR for both at once, for what is no text, and beside parts that go without it
 */
export function readCursor (
  context: ParseContext, filter: Readonly<Record<string, unknown>>
): PageCursor | undefined {
  if (!context.model.hasCursors) return undefined
  const [side, other] = cursorKeys.filter(key => filter[key] !== undefined && filter[key] !== null)
  if (side === undefined) return undefined
  const text = filter[side]
  if (typeof text !== 'string') {
    throw invalidCursor(`The part "${side}" of the filter is no cursor: ${excerpt(text)}`)
  }
  if (other !== undefined) {
    throw invalidCursor('A page lies behind one cursor or in front of one', 'Leave "after" or "before" out')
  }
  if (context.includePath !== undefined) {
    throw invalidCursor(
      'The scope of an include has no cursors', `Leave "${side}" out, and ask for the related rows alone`
    )
  }
  if (isGiven(filter.distinct)) throw invalidCursor('Values have no cursors', `Leave "${side}" or "distinct" out`)
  return { side: side as PageCursor['side'], text, written: filter.where }
}

/**
 * The page of a cursor: of a usual size where the filter says none.
 * @throws RequestError 400 INVALID_CURSOR for rows that are skipped: a cursor says where the page begins
 */
export function cursorPageOf ({ model, options }: ParseContext, { side }: PageCursor, { limit, skip }: Page): Page {
  if (skip > 0) throw invalidCursor('A cursor says where its page begins', `Leave "skip" and "offset" or "${side}" out`)
  const most = queryNames(model).maxLimit ?? options.limits.maxLimit ?? usualPage
  return { limit: limit ?? Math.min(usualPage, most), skip }
}
