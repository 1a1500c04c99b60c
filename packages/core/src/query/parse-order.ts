/** `order`: `"n DESC, title"` or a list of such texts. */
import { badQuery } from '../errors.js'
import type { OrderTerm } from './ast.js'
import { isRelatedValue } from './aggregation.js'
import { checkLimit, excerpt, type ParseContext } from './parse-context.js'
import { readRelatedValue } from './related-value.js'
import { knowsSearch, readRank } from './parse-search.js'
import { resolvePath } from './resolve-path.js'
import { rankName } from './search-names.js'

const none: readonly OrderTerm[] = Object.freeze([])

/** @throws RequestError 400 for anything but texts, for a direction that is none, and for names that may not be used */
export function readOrder (context: ParseContext, order: unknown): readonly OrderTerm[] {
  if (order === undefined || order === null || order === '') return none
  const terms: OrderTerm[] = []
  for (const text of Array.isArray(order) ? order as unknown[] : [order]) {
    if (typeof text !== 'string') throw badQuery(`The order ${excerpt(text)} is not valid`)
    for (const part of text.split(',')) {
      const term = part.trim()
      if (term === '') continue
      terms.push(readTerm(context, term))
      checkLimit(context, terms.length, context.limits.orderTerms, 'order terms')
    }
  }
  return terms.length === 0 ? none : terms
}

function readTerm (context: ParseContext, term: string): OrderTerm {
  const words = term.split(/\s+/)
  const direction = words[1]?.toUpperCase()
  const name = words[0] as string
  const isRank = name === rankName && knowsSearch(context)
  if (words.length > 2 || (direction !== undefined && direction !== 'ASC' && direction !== 'DESC')) {
    // LoopBack's words; the name in front is still judged first, so that a secret name is not an invalid direction.
    if (!isRank) resolvePath(context, name, 'order')
    throw badQuery(`The order ${excerpt(term)} has invalid direction`)
  }
  if (isRank) return readRank(context, direction)
  const descending = direction === 'DESC'
  const value = readRelatedValue(context, name) ?? resolvePath(context, name, 'order')
  return isRelatedValue(value) ? { related: value, descending } : { path: value, descending }
}
