/** Words in PostgreSQL: a GIN index on what `to_tsvector` makes of the texts, and the same expression in queries. */
import type { SearchCondition, SearchTerm } from '@fastback/core'
import type { IndexDesign, TableDesign } from '../../migration/design.js'
import type { Placeholders } from '../../query/statement-builder.js'
import { quotedName } from '../../tables/naming.js'
import type { Table } from '../../tables/table.js'
import type { TextSearch } from '../text-search.js'
import type { Connection } from '../driver.js'
import { oddLetters } from '../odd-letters.js'
import { quoteName, quoteText } from './quote.js'

/** Stands before what the comment of an index says of it. Another expression gets another number. */
const mark = 'fastback text index 1: '

const odd = oddLetters.map(([letter]) => letter).join('')
const folded = oddLetters.map(([, letter]) => letter).join('')

/**
 * Letters and digits, with spaces between. Otherwise the parser would take `a.b` for a host and `a/b` for a file, each
 * one word. By Unicode, whatever the locale of the database.
 */
const plain = (text: string): string =>
  `regexp_replace(translate(lower(${text} COLLATE "und-x-icu"), ${quoteText(odd)}, ${quoteText(folded)}), '[^[:alnum:]]+', ' ', 'g')`

const vector = (language: string, text: string): string => `to_tsvector(${configOf(language)}, ${plain(text)})`

/** One of a closed list (`searchLanguages` of core). */
const configOf = (language: string): string => `'pg_catalog.${language}'::regconfig`

const together = (columns: readonly string[]): string =>
  columns.length === 1
    ? `coalesce(${columns[0] as string}, '')`
    : `(${columns.map(column => `coalesce(${column}, '')`).join(" || ' ' || ")})`

export function createTextIndex (index: IndexDesign, design: TableDesign): string[] {
  const language = index.text?.language ?? 'simple'
  const columns = index.columns.map(({ name }) => name)
  const name = quotedName({ schema: design.schema, name: index.name }, quoteName)
  return [
    `CREATE INDEX ${quoteName(index.name)} ON ${quotedName(design, quoteName)} USING gin ((${vector(language, together(columns.map(quoteName)))}))`,
    `COMMENT ON INDEX ${name} IS ${quoteText(`${mark}${JSON.stringify({ columns, language })}`)}`
  ]
}

const findIndexes = `SELECT x.relname, obj_description(x.oid, 'pg_class') FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid
  WHERE i.indrelid = $1::oid AND i.indexprs IS NOT NULL AND i.indisvalid AND obj_description(x.oid, 'pg_class') LIKE $2::text
  ORDER BY x.relname`

/** The text indexes of a table, as their comments say. */
export async function textIndexesOf (connection: Connection, table: string): Promise<IndexDesign[]> {
  const rows = await connection.query(findIndexes, [table, `${mark}%`])
  return rows.map(([name, comment]): IndexDesign => {
    const said = JSON.parse(String(comment).slice(mark.length)) as { columns: string[], language: string }
    return {
      name: String(name),
      unique: false,
      text: { language: said.language },
      columns: said.columns.map(name => ({ name, descending: false }))
    }
  })
}

/** The columns of a search as texts; undefined where the table lacks one. */
function textsOf ({ index }: SearchCondition, { byProperty }: Table): string[] | undefined {
  const columns = index.properties.map(name => byProperty.get(name))
  const texts = columns.flatMap(column =>
    column?.type === undefined || column.format.name !== 'text' ? [] : [column.format.read(column.quoted)])
  return texts.length === columns.length ? texts : undefined
}

const queryOf = (language: string, placeholders: Placeholders): string =>
  `phraseto_tsquery(${configOf(language)}, ${plain(`${placeholders.next()}::text`)})`

const isPhrase = ({ words }: SearchTerm): boolean => words.length > 1
const valueOf = ({ words }: SearchTerm): string => words.join(' ')

/** What is asked of all texts together, and what of each: words of a phrase stand in one of them. */
function partsOf ({ index: { properties }, terms }: SearchCondition) {
  const isApart = (term: SearchTerm): boolean => properties.length > 1 && isPhrase(term)
  return {
    together: terms.filter(term => !term.excluded || !isApart(term)),
    apart: terms.filter(isApart)
  }
}

export const textSearch: TextSearch = {
  searchLanguage: language => language,
  canIndexWords: () => true,
  searchExpression (search, table, values) {
    const texts = textsOf(search, table)
    if (texts === undefined) return undefined
    const { language } = search.index
    const { together: all, apart } = partsOf(search)
    values.push(...all.map(valueOf), ...apart.flatMap(term => texts.map(() => valueOf(term))))
    const code = (terms: readonly SearchTerm[]): string => terms.map(({ excluded }) => excluded ? '-' : '+').join('')
    return {
      code: `s${code(all)};${code(apart)}`,
      sql (_column, _table, placeholders) {
        const query = all.map(({ excluded }) => `${excluded ? '!!' : ''}${queryOf(language, placeholders)}`).join(' && ')
        const phrases = apart.map(({ excluded }) => {
          const some = texts.map(text =>
            `${vector(language, `coalesce(${text}, '')`)} @@ ${queryOf(language, placeholders)}`).join(' OR ')
          return ` AND ${excluded ? 'NOT ' : ''}(${some})`
        })
        return `(${vector(language, together(texts))} @@ (${query})${phrases.join('')})`
      }
    }
  },
  rankExpression (search, table, values) {
    const texts = textsOf(search, table)
    if (texts === undefined) return undefined
    const { language } = search.index
    const wanted = search.terms.filter(({ excluded }) => !excluded)
    values.push(...wanted.map(valueOf))
    return {
      code: `r${wanted.length};`,
      sql: (_column, _table, placeholders) =>
        `ts_rank(${vector(language, together(texts))}, ${wanted.map(() => queryOf(language, placeholders)).join(' && ')})`
    }
  }
}
