/**
 * Words in MySQL and MariaDB: a generated column that has them one behind the other, with a FULLTEXT index on it. The
 * index leads to the rows; that they have the words, LIKE says of the same column. So it does alone where the index
 * knows less: of words that it leaves out, and of rows that a transaction has not yet written for others.
 */
import type { SearchCondition, SearchTerm } from '@fastback/core'
import type { IndexDesign, TableDesign } from '../../migration/design.js'
import { quotedName } from '../../tables/naming.js'
import type { Table } from '../../tables/table.js'
import type { TextSearch } from '../text-search.js'
import { quoteName, quoteText } from './quote.js'

/** Stands before what the comment of an index says of it. Another expression gets another number. */
const mark = 'fastback text index 1: '

/** How the names of generated columns begin. */
export const wordsPrefix = '_words_'
/** The generated column of an index. */
const columnOf = (index: string): string => `${wordsPrefix}${index}`.slice(0, 64)
export const hasWords = (column: string): boolean => column.startsWith(wordsPrefix)

/**
 * Stands before each word: with it none is too short for the index (`innodb_ft_min_token_size`), and none is among
 * those that are left out (`innodb_ft_server_stopword_table`).
 */
const before = 'zz'

/** Characters of a word that the index has (`innodb_ft_max_token_size`). */
const longest = 84 - before.length

/** ` zzfast zzfood`: small letters, each word with a space and a sign before it. */
const plain = (text: string): string => {
  const folded = [['ς', 'σ'], ['µ', 'μ'], ['ſ', 's']].reduce(
    (folded, [from, to]) => `REPLACE(${folded}, ${quoteText(from as string)}, ${quoteText(to as string)})`, `LOWER(${text})`
  )
  return `REGEXP_REPLACE(CONCAT(' ', ${folded}), '[^[:alnum:]]+', ' ${before}')`
}

/** No phrase goes from one text to the next: what stands in between is no word. */
const together = (columns: readonly string[]): string =>
  `CONCAT(${columns.map(name => plain(`COALESCE(${quoteName(name)}, '')`)).join(", ' - ', ")}, ' ')`

/** The clauses of ALTER TABLE. */
export function createTextIndex ({ name, columns, text }: IndexDesign, design: TableDesign, collated: string): string {
  const names = columns.map(({ name }) => name)
  const column = quoteName(columnOf(name))
  const comment = quoteText(`${mark}${JSON.stringify({ columns: names, language: text?.language ?? 'simple' })}`)
  return `ALTER TABLE ${quotedName(design, quoteName)} ADD COLUMN ${column} LONGTEXT ${collated} GENERATED ALWAYS AS (${together(names)}) STORED, ADD FULLTEXT INDEX ${quoteName(name)} (${column}) COMMENT ${comment}`
}

export const dropTextIndex = ({ name }: IndexDesign): string =>
  `DROP INDEX ${quoteName(name)}, DROP COLUMN ${quoteName(columnOf(name))}`

/** A text index, from the comment that it has; undefined for another index. */
export function textIndexOf (name: string, comment: unknown): IndexDesign | undefined {
  if (typeof comment !== 'string' || !comment.startsWith(mark)) return undefined
  const { columns, language } = JSON.parse(comment.slice(mark.length)) as { columns: string[], language: string }
  return { name, unique: false, text: { language }, columns: columns.map(name => ({ name, descending: false })) }
}

/** Letters of which the index is known to know that they are some; Latin, Greek, Cyrillic, Armenian, Hebrew, Arabic. */
const known = /^[0-9a-zà-öø-įıĳ-ɏͰ-ͷά-ώϗ-ϯѐ-ӿа-яԱ-և\u05d0-\u05ea\u0620-\u064a]+$/

/** What MATCH is asked for; undefined where it does not know a word. */
function indexedWords ({ terms }: SearchCondition): string | undefined {
  const words = new Set(terms.filter(({ excluded }) => !excluded).flatMap(({ words }) => words)
    .filter(word => word.length <= longest && known.test(word)))
  return words.size === 0 ? undefined : [...words].map(word => `+${before}${word}`).join(' ')
}

const valueOf = ({ words }: SearchTerm): string => words.join(' ')

/** @param uncommitted whether rows are looked for that only this transaction sees: the index does not have these yet */
export const textSearchOf = (uncommitted: boolean): TextSearch => ({
  // The forms of a word are words of their own here.
  searchLanguage: () => 'simple',
  canIndexWords: () => true,
  searchExpression (search, table, values) {
    const column = wordsOf(table)
    if (column === undefined) return undefined
    const { terms } = search
    const indexed = uncommitted ? undefined : indexedWords(search)
    if (indexed !== undefined) values.push(indexed)
    values.push(...terms.map(valueOf))
    return {
      code: `s${indexed === undefined ? '' : 'm'}${terms.map(({ excluded }) => excluded ? '-' : '+').join('')};`,
      sql (_column, _table, placeholders) {
        const match = indexed === undefined ? [] : [`MATCH (${column}) AGAINST (${placeholders.next()} IN BOOLEAN MODE)`]
        const tests = terms.map(({ excluded }) =>
          `${column} ${excluded ? 'NOT ' : ''}LIKE CONCAT('%', ${plain(placeholders.next())}, ' %')`)
        return `(${[...match, ...tests].join(' AND ')})`
      }
    }
  },
  rankExpression (search, table, values) {
    const column = wordsOf(table)
    const indexed = uncommitted ? undefined : indexedWords(search)
    if (column === undefined || indexed === undefined) return undefined
    values.push(indexed)
    return {
      code: 'r',
      sql: (_column, _table, placeholders) => `MATCH (${column}) AGAINST (${placeholders.next()} IN BOOLEAN MODE)`
    }
  }
})

const wordsOf = ({ textIndex }: Table): string | undefined => textIndex && quoteName(columnOf(textIndex.name))
