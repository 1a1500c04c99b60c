/** `{ "$search": "fast \"exact words\" -not" }`: words that rows have, and those that they do not. */
import { badQuery, type RequestError } from '../errors.js'
import type { RankOrder, SearchCondition, SearchTerm } from './ast.js'
import { checkLimit, excerpt, type ParseContext } from './parse-context.js'
import { wordsOf } from './words.js'

/**
 * Whether `$search` and `$rank` are words of the filter. To models without a text index they are operators like any
 * other `$name`, where filters are read as LoopBack reads them; elsewhere the error says what the model lacks.
 */
export const knowsSearch = ({ model: { textIndex, refusesFilterKeys } }: ParseContext): boolean =>
  textIndex !== undefined || refusesFilterKeys

/**
 * Reads a search. What an engine would take for an operator of its own is read here, and is no part of the words.
 * @throws RequestError 400 INVALID_SEARCH for a model without a text index, a text without words, and places where
 * stores would differ; QUERY_LIMIT_EXCEEDED for too many words
 */
export function readSearch (context: ParseContext, text: unknown): SearchCondition {
  const { model: { name, textIndex }, limits, among } = context
  if (textIndex === undefined) {
    throw refused(`"${name}" has no text index: add "indexes": { "search": { "text": […] } } to its definition`)
  }
  if (among !== undefined) throw refused(`it cannot stand in "${among}"; write it beside that, or in "and"`)
  if (context.search !== undefined) throw refused('a filter has one at most; put all words into it')
  if (typeof text !== 'string') throw refused(`${excerpt(text)} is no text`)
  checkLimit(context, text.length, limits.searchLength, 'characters in a search')
  const terms = readTerms(text)
  checkLimit(context, terms.reduce((sum, { words }) => sum + words.length, 0), limits.searchWords, 'words in a search')
  if (terms.every(({ excluded }) => excluded)) {
    throw refused(`${excerpt(text)} has no word to look for, apart from those that are excluded`)
  }
  return (context.search = { kind: 'search', index: textIndex, terms, text })
}

/**
 * Reads `$rank`: without a direction the best row is first.
 * @throws RequestError 400 INVALID_SEARCH without a search in the same filter
 */
export function readRank ({ search }: ParseContext, direction: string | undefined): RankOrder {
  if (search === undefined) throw refused('"order" names $rank, and "where" has no $search beside it')
  return { rank: search, descending: direction !== 'ASC' }
}

const refused = (why: string): RequestError => badQuery(`The $search is not valid: ${why}.`, 'INVALID_SEARCH')

/**
 * Quotes hold words together, and so does every character in between that is no space: `e-mail` is `"e mail"`. A quote
 * that is not closed ends with the text.
 */
function readTerms (text: string): SearchTerm[] {
  const terms: SearchTerm[] = []
  for (const [, minus, quoted, bare] of text.matchAll(/(-?)(?:"([^"]*)"?|([^\s"]+))/gu)) {
    const words = wordsOf(quoted ?? bare ?? '')
    if (words.length > 0) terms.push({ words, excluded: minus === '-' })
  }
  return terms
}
