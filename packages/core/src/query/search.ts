/** What a search means: the reference for stores that read words as they are written. */
import type { Row } from '../properties/types.js'
import type { SearchCondition, SearchTerm } from './ast.js'
import type { Meter } from './work.js'
import { wordsOf } from './words.js'

/** Units of work for each character whose words are read. */
const read = 2

/**
 * Compiles a search to a test of rows: every term stands in one of the properties, and none that is excluded does.
 *
 * ```js
 * const passes = compileSearch(search)
 * passes({ title: 'Fast food', body: 'with exact words' }) // true for `fast "exact words" -slow`
 * ```
 * @param meter counts the work, before a text is looked at
 */
export function compileSearch ({ index, terms }: SearchCondition, meter?: Meter): (row: Row) => boolean {
  const wanted = terms.map(term => ({ part: partOf(term), excluded: term.excluded }))
  return row => {
    const texts = index.properties.map(name => spacedWords(row[name], meter))
    return wanted.every(({ part, excluded }) => texts.some(text => text.includes(part)) !== excluded)
  }
}

/**
 * Compiles how well a row fits a search: how often its words occur, those that are excluded aside.
 *
 * ```js
 * const rank = compileRank(search)
 * rows.sort((a, b) => rank(b) - rank(a))
 * ```
 */
export function compileRank ({ index, terms }: SearchCondition): (row: Row) => number {
  const parts = terms.filter(({ excluded }) => !excluded).map(partOf)
  return row => {
    let found = 0
    for (const name of index.properties) {
      const text = spacedWords(row[name])
      for (const part of parts) found += occurrences(text, part)
    }
    return found
  }
}

const spaced = (words: readonly string[]): string => ` ${words.join(' ')} `
const partOf = ({ words }: SearchTerm): string => spaced(words)

function spacedWords (value: unknown, meter?: Meter): string {
  if (typeof value !== 'string') return ''
  meter?.spend(1 + read * value.length)
  return spaced(wordsOf(value))
}

/** The space behind a word is the one in front of the next. */
function occurrences (text: string, part: string): number {
  let count = 0
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length - 1)) count++
  return count
}
