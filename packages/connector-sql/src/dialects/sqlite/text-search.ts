/**
 * Words in SQLite: an FTS5 table beside the rows, which has the words only and is kept by triggers
 * (https://www.sqlite.org/fts5.html#external_content_tables).
 */
import type { SearchCondition, SearchTerm } from '@fastback/core'
import type { IndexDesign, TableDesign } from '../../migration/design.js'
import type { Table } from '../../tables/table.js'
import type { TextSearch } from '../text-search.js'
import type { SqliteConnection } from './connection.js'
import { quoteName } from './quote.js'

/**
 * Signs that are younger than FTS5's tables of Unicode, which takes what they lack for letters: currencies, marks of
 * punctuation, and emoji.
 */
const youngSigns: ReadonlyArray<readonly [first: number, last: number]> = [
  [0x20ba, 0x20c1], [0x23f4, 0x23ff], [0x2700, 0x2700], [0x2e3c, 0x2e5d], [0x1f321, 0x1f32f], [0x1f336, 0x1f336],
  [0x1f37d, 0x1f37f], [0x1f394, 0x1f39f], [0x1f3c5, 0x1f3c5], [0x1f3cb, 0x1f3df], [0x1f3f1, 0x1f3ff],
  [0x1f43f, 0x1f43f], [0x1f441, 0x1f441], [0x1f4f8, 0x1f4f8], [0x1f4fd, 0x1f4ff], [0x1f53e, 0x1f53f],
  [0x1f544, 0x1f54f], [0x1f568, 0x1f5fa], [0x1f641, 0x1f644], [0x1f650, 0x1f67f], [0x1f6c6, 0x1f6fc],
  [0x1f7e0, 0x1f7f0], [0x1f900, 0x1faff]
]
const separators = youngSigns.map(([first, last]) =>
  String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, i) => first + i))).join('')

/** Letters with their marks, and digits; accents count. */
const words = `unicode61 remove_diacritics 0 categories 'L* M* N*' separators '${separators}'`
const tokenizers: Readonly<Record<string, string>> = { simple: words, english: `porter ${words}` }

/** Names that FTS5 has for itself, and that of the number of a row. */
const reserved: ReadonlySet<string> = new Set(['rank', 'rowid'])

const triggers = ['insert', 'update', 'delete'] as const
const triggerOf = (index: string, event: typeof triggers[number]): string => `${index}_${event}`

/** The statements that make a text index, with the words of the rows that are there. */
export function createTextIndex (index: IndexDesign, design: TableDesign): string[] {
  const fts = quoteName(index.name)
  const table = quoteName(design.name)
  const columns = index.columns.map(({ name }) => quoteName(name))
  const tokenizer = tokenizers[index.text?.language ?? ''] ?? words
  const list = columns.join(', ')
  const values = (row: 'new' | 'old'): string => [`${row}.rowid`, ...columns.map(name => `${row}.${name}`)].join(', ')
  const add = `INSERT INTO ${fts} (rowid, ${list}) VALUES (${values('new')});`
  const remove = `INSERT INTO ${fts} (${fts}, rowid, ${list}) VALUES ('delete', ${values('old')});`
  const changed = ['rowid', ...columns].map(name => `old.${name} IS NOT new.${name}`).join(' OR ')
  const trigger = (event: typeof triggers[number], when: string, work: string): string =>
    `CREATE TRIGGER ${quoteName(triggerOf(index.name, event))} AFTER ${event.toUpperCase()} ON ${table}${when} BEGIN ${work} END`
  return [
    `CREATE VIRTUAL TABLE ${fts} USING fts5(${list}, content=${table}, content_rowid="rowid", tokenize="${tokenizer}")`,
    `INSERT INTO ${fts} (${fts}) VALUES ('rebuild')`,
    trigger('insert', '', add),
    trigger('update', ` WHEN ${changed}`, `${remove} ${add}`),
    trigger('delete', '', remove)
  ]
}

/** The triggers go first: they write to the table. */
export const dropTextIndex = ({ name }: IndexDesign): string[] => [
  ...triggers.map(event => `DROP TRIGGER IF EXISTS ${quoteName(triggerOf(name, event))}`),
  `DROP TABLE IF EXISTS ${quoteName(name)}`
]

const made = /^CREATE VIRTUAL TABLE "(?:[^"]|"")+" USING fts5\((.*), content=("(?:[^"]|"")+"), content_rowid="rowid", tokenize="([^"]*)"\)$/s

/** The text indexes of a table, as `createTextIndex` makes them. One that has lost a trigger has no language. */
export function textIndexesOf (connection: SqliteConnection, table: string): IndexDesign[] {
  const found = connection.query(
    "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE % USING fts5(%' ORDER BY name", []
  )
  const names = connection.query("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?", [table])
    .map(([name]) => String(name))
  return found.flatMap(([name, sql]): IndexDesign[] => {
    const [, list = '', content = '', tokenizer = ''] = made.exec(String(sql)) ?? []
    if (unquoted(content).toLowerCase() !== table.toLowerCase()) return []
    const isKept = triggers.every(event => names.includes(triggerOf(String(name), event)))
    const language = Object.keys(tokenizers).find(language => tokenizers[language] === tokenizer)
    const columns = (list.match(/"(?:[^"]|"")+"/g) ?? []).map(column => ({ name: unquoted(column), descending: false }))
    return [{ name: String(name), unique: false, text: { language: isKept ? language ?? '' : '' }, columns }]
  })
}

const unquoted = (name: string): string => name.slice(1, -1).replaceAll('""', '"')

/** The names of the triggers that keep text indexes: they leave the rows as they are. */
export const triggersOf = (indexes: readonly IndexDesign[]): string[] =>
  indexes.flatMap(({ name, text }) => text === undefined ? [] : triggers.map(event => triggerOf(name, event)))

/** Words are letters and digits, so that none ends its quotes; these keep `AND` from being an operator. */
const quoted = ({ words }: SearchTerm): string => `"${words.join(' ')}"`

function matchOf ({ terms }: SearchCondition): string {
  const wanted = terms.filter(({ excluded }) => !excluded).map(quoted).join(' AND ')
  const excluded = terms.filter(({ excluded }) => excluded).map(quoted)
  return excluded.length === 0 ? wanted : `(${wanted}) NOT (${excluded.join(' OR ')})`
}

/** The table of words of a model; undefined where there is none. */
const wordsOf = ({ textIndex }: Table): string | undefined => textIndex && quoteName(textIndex.name)

export const textSearch: TextSearch = {
  searchLanguage: language => language === 'english' ? language : 'simple',
  // The words of a row are found by its number.
  canIndexWords: ({ columns, standsByKey }, searched) => !standsByKey &&
    !columns.some(({ name }) => name.toLowerCase() === 'rowid') &&
    !searched.some(name => reserved.has(name.toLowerCase())),
  searchExpression (search, table, values) {
    const fts = wordsOf(table)
    if (fts === undefined) return undefined
    values.push(matchOf(search))
    return {
      code: 's',
      sql: (_column, _table, placeholders) =>
        `rowid IN (SELECT rowid FROM ${fts} WHERE ${fts} MATCH ${placeholders.next()})`
    }
  },
  rankExpression (search, table, values) {
    const fts = wordsOf(table)
    if (fts === undefined) return undefined
    values.push(matchOf(search))
    return {
      code: 'r',
      // The better, the smaller. All are worked out at once: to look a single row up among the words takes as long as
      // to rank them all.
      sql: (_column, { quoted }, placeholders) =>
        '(WITH ranked (number, fit) AS MATERIALIZED ' +
        `(SELECT rowid, -rank FROM ${fts} WHERE ${fts} MATCH ${placeholders.next()}) ` +
        `SELECT fit FROM ranked WHERE number = ${quoted}.rowid)`
    }
  }
}
