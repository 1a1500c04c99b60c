/**
 * Words in MySQL and MariaDB: a generated column with the texts in small letters, and a FULLTEXT index on it, which
 * leads to the rows that can match. JavaScript reads their words.
 */
import type { SearchCondition } from '@fastback/core'
import type { IndexDesign, TableDesign } from '../../migration/design.js'
import { quotedName } from '../../tables/naming.js'
import type { Connection } from '../driver.js'
import type { TextSearch } from '../text-search.js'
import { oddLetters } from '../odd-letters.js'
import { quoteName, quoteText } from './quote.js'

/** Stands before what the comment of an index says of it. Another expression gets another number. */
const mark = 'fastback text index 1: '

/** How the names of generated columns begin. */
export const wordsPrefix = '_words_'
/** The generated column of an index. */
const columnOf = (index: string): string => `${wordsPrefix}${index}`.slice(0, 64)
export const hasWords = (column: string): boolean => column.startsWith(wordsPrefix)

/** FULLTEXT takes `_` for a letter. */
const replaced = [['_', ' '] as const, ...oddLetters]

/** No regular expression: MariaDB takes a minute for a text of a megabyte. */
const plain = (text: string): string => replaced.reduce(
  (inner, [from, to]) => `REPLACE(${inner}, ${quoteText(from)}, ${quoteText(to)})`, `LOWER(${text})`
)

const together = (columns: readonly string[]): string =>
  plain(`CONCAT(${columns.map(name => `COALESCE(${quoteName(name)}, '')`).join(", ' ', ")})`)

/** An index keeps to the words that its session left out when it was made: none. */
export function createTextIndex (
  { name, columns, text }: IndexDesign, design: TableDesign, collated: string
): string[] {
  const names = columns.map(({ name }) => name)
  const column = quoteName(columnOf(name))
  const comment = quoteText(`${mark}${JSON.stringify({ columns: names, language: text?.language ?? 'simple' })}`)
  return [
    'SET SESSION innodb_ft_enable_stopword = OFF',
    `ALTER TABLE ${quotedName(design, quoteName)} ADD COLUMN ${column} LONGTEXT ${collated} GENERATED ALWAYS AS (${together(names)}) STORED, ADD FULLTEXT INDEX ${quoteName(name)} (${column}) COMMENT ${comment}`,
    'SET SESSION innodb_ft_enable_stopword = DEFAULT'
  ]
}

/** A clause of ALTER TABLE. */
export const dropTextIndex = ({ name }: IndexDesign): string =>
  `DROP INDEX ${quoteName(name)}, DROP COLUMN ${quoteName(columnOf(name))}`

/** A text index, from the comment that it has; undefined for another index. */
export function textIndexOf (name: string, comment: unknown): IndexDesign | undefined {
  if (typeof comment !== 'string' || !comment.startsWith(mark)) return undefined
  const { columns, language } = JSON.parse(comment.slice(mark.length)) as { columns: string[], language: string }
  return { name, unique: false, text: { language }, columns: columns.map(name => ({ name, descending: false })) }
}

/** The same indexes with how long the words are that the server puts into one. */
export async function withLengths (
  connection: Connection, indexes: readonly IndexDesign[]
): Promise<IndexDesign[]> {
  if (!indexes.some(({ text }) => text !== undefined)) return [...indexes]
  const [row] = await connection.query('SELECT @@innodb_ft_min_token_size, @@innodb_ft_max_token_size', [])
  const [shortest, longest] = (row ?? []).map(Number)
  return indexes.map(index =>
    index.text === undefined ? index : { ...index, text: { ...index.text, shortest, longest } })
}

/** Scripts that every server knows the letters of: Latin, Greek, Cyrillic, Armenian, Hebrew, Arabic. */
const known = /^[0-9a-zà-öø-įıĳ-ɏͰ-ͷά-ώϗ-ϯѐ-ӿа-яԱ-և\u05d0-\u05ea\u0620-\u064a]+$/

/** Words that all rows have which match, and that are written alike here and there. */
const wanted = ({ terms }: SearchCondition): string[] =>
  [...new Set(terms.filter(({ excluded }) => !excluded).flatMap(({ words }) => words))].filter(word => known.test(word))

/** What MATCH is asked for; undefined where the index has none of the words for certain. */
function matched (search: SearchCondition, text: IndexDesign['text']): string | undefined {
  const { shortest = Infinity, longest = 0 } = text ?? {}
  const words = wanted(search).filter(({ length }) => length >= shortest && length <= longest)
  return words.length === 0 ? undefined : words.map(word => `+${word}`).join(' ')
}

const like = (word: string): string => `%${word}%`

/** @param uncommitted whether rows are looked for that only this transaction sees: the index does not have these yet */
export const textSearchOf = (uncommitted: boolean): TextSearch => ({
  // The forms of a word are words of their own here.
  searchLanguage: () => 'simple',
  canIndexWords: () => true,
  searchExpression (search, { textIndex }, values) {
    if (textIndex === undefined) return undefined
    const column = quoteName(columnOf(textIndex.name))
    const match = uncommitted ? undefined : matched(search, textIndex.text)
    const words = match === undefined ? wanted(search).map(like) : [match]
    values.push(...words)
    return {
      code: match === undefined ? `s${words.length};` : 'sm',
      inexact: true,
      sql: (_column, _table, placeholders) => match === undefined
        ? `(${['1 = 1', ...words.map(() => `${column} LIKE ${placeholders.next()}`)].join(' AND ')})`
        : `MATCH (${column}) AGAINST (${placeholders.next()} IN BOOLEAN MODE)`
    }
  },
  rankExpression (search, { textIndex }, values) {
    const match = uncommitted ? undefined : matched(search, textIndex?.text)
    if (textIndex === undefined || match === undefined) return undefined
    values.push(match)
    const column = quoteName(columnOf(textIndex.name))
    return {
      code: 'r',
      sql: (_column, _table, placeholders) => `MATCH (${column}) AGAINST (${placeholders.next()} IN BOOLEAN MODE)`
    }
  }
})
