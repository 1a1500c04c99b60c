/**
 * JSON text of whole rows, put together by SQLite: JavaScript gets one text of many rows, and makes nothing of a value.
 * Where SQLite would not write a value as JavaScript does, the text of its row is NULL.
 */
import { joined } from '../../query/statement-builder.js'
import type { ExtraFilter } from '../../tables/extra.js'
import type { Column } from '../../tables/column.js'
import type { ColumnFormat, TextAround, TextWriter } from '../column-types.js'
import { textWithin } from '../text-within.js'
import { quoteText } from './quote.js'

/** How the values of a format are written. */
interface Written {
  /** Whether SQLite writes the value of a column, which is not NULL, as JavaScript does. */
  fits? (column: string): string
  /** The JSON text of a value that fits: in a format of `printf`, and what stands there. */
  readonly format: string
  value (column: string): string
  /** The same as an expression. */
  text (column: string): string
}

const quoted = (column: string): string => `json_quote(CAST(${column} AS TEXT))`
const truth = (column: string): string => `CASE ${column} WHEN 1 THEN 'true' ELSE 'false' END`
const anyJson = (column: string): string => `CASE WHEN json_valid(${column}) THEN ${column} ELSE ${quoted(column)} END`

/**
 * Digits are all that goes between quotes unseen. A pattern that says so of each takes twice as long: what SQLite takes
 * for a date has them, but for what stands behind the point.
 */
const isInstant = (column: string): string =>
  `(${column} GLOB '????-??-??T??:??:??.[0-9][0-9][0-9]Z' AND julianday(${column}) IS NOT NULL)`

/**
 * Fifteen digits, which every double keeps. CAST and the JSON functions write 15 or 17 of them by the version, and in
 * 3.53 not even the same number.
 */
const digits = (column: string): string => `printf('%.15g', ${column})`

/** Whether it is the double next to a number of ten thousandths. Most are, and it is seen sooner than by writing it. */
const isShort = (column: string): string =>
  `(${column} BETWEEN -99999999999 AND 99999999999 AND ` +
  `CAST(${column} * 1e4 + CASE WHEN ${column} < 0 THEN -0.5 ELSE 0.5 END AS INTEGER) / 1e4 = ${column})`

const written: Readonly<Partial<Record<ColumnFormat['name'], Written>>> = {
  text: { format: '%s', value: quoted, text: quoted },
  // 0.30000000000000004 has seventeen; what is smaller or larger has an exponent, at other places than in JavaScript.
  real: {
    // A text may be taken for the number that it says; anything else equals no number.
    fits: column => `(typeof(${column}) <> 'text' AND (${isShort(column)} OR (abs(${column}) <= 999999999999999 AND ` +
      `(CAST(${column} AS INTEGER) = ${column} OR ` +
      `(abs(${column}) >= 1e-4 AND CAST(${digits(column)} AS REAL) = ${column})))))`,
    format: '%.15g',
    value: column => column,
    text: digits
  },
  integer: {
    // Larger ones are texts.
    fits: column => `(typeof(${column}) = 'integer' AND ` +
      `${column} BETWEEN ${Number.MIN_SAFE_INTEGER} AND ${Number.MAX_SAFE_INTEGER})`,
    format: '%d',
    value: column => column,
    text: column => `CAST(${column} AS TEXT)`
  },
  boolean: { fits: column => `${column} IN (0, 1)`, format: '%s', value: truth, text: truth },
  // Another form is a date all the same, which JavaScript reads.
  date: {
    fits: isInstant,
    format: '"%s"',
    value: column => column,
    text: quoted
  },
  json: { format: '%s', value: anyJson, text: anyJson }
}

/** Fewer than a function of SQLite has arguments. */
const mostColumns = 100

/** Dates in a form of others are JavaScript's, each of them. */
const writtenOf = ({ format }: Column): Written | undefined =>
  format.equality === undefined && (format.name !== 'json' || format.jsonEncoding === 'json')
    ? written[format.name]
    : undefined

function valueText (column: Column): string | undefined {
  const how = writtenOf(column)
  const { quoted } = column
  if (how?.fits === undefined) return how?.text(quoted)
  return `CASE WHEN ${how.fits(quoted)} THEN ${how.text(quoted)} END`
}

function row (
  columns: readonly Column[], extra: string | undefined, filter: ExtraFilter | undefined, around?: TextAround
): string | undefined {
  const isAll = filter !== undefined && 'except' in filter
  const writes = columns.map(writtenOf)
  if (writes.includes(undefined) || columns.length === 0) return undefined
  // Names that come from requests never stand in a statement.
  if (isAll ? filter.except.length > 0 : (filter?.only.length ?? 0) > columns.length) return undefined
  const members = membersOf(columns, extra, isAll)
  const any = around === undefined ? members : textWithin(around, members, quoteText)
  if (columns.length > mostColumns) return any
  const { tests, text } = objectOf(columns, writes as Written[], around)
  // Most rows have all their values, and then this is twice as fast.
  const isWhole = [...tests, ...(isAll && extra !== undefined ? [`${extra} IS NULL`] : [])].join(' AND ')
  return `CASE WHEN ${isWhole} THEN ${text} ELSE ${any} END`
}

const noText: TextAround = { before: [], start: '', end: '' }

/** What `printf` writes as it is. */
const verbatim = (text: string): string => text.replaceAll('%', '%%')

/** A row that has all its values; what stands around it is not copied once more. */
function objectOf (
  columns: readonly Column[], writes: readonly Written[], { before, start, end }: TextAround = noText
): { readonly tests: readonly string[], readonly text: string } {
  const tests = columns.map(({ quoted }, i) => writes[i]?.fits?.(quoted) ?? `${quoted} IS NOT NULL`)
  const members = columns.map(({ property: { name } }, i) =>
    `${verbatim(JSON.stringify(name))}:${(writes[i] as Written).format}`)
  const values = [
    ...before.map(([, value]) => value),
    ...columns.map(({ quoted }, i) => (writes[i] as Written).value(quoted))
  ]
  const format = `${before.map(([text]) => `${verbatim(text)}%s`).join('')}${verbatim(start)}{${members.join(',')}}${verbatim(end)}`
  return { tests, text: `printf(${[quoteText(format), ...values].join(', ')})` }
}

/** Any row: what is NULL is left out, or null. */
function membersOf (columns: readonly Column[], extra: string | undefined, isAll: boolean): string {
  const members = columns.map(column => {
    const name = quoteText(`,${JSON.stringify(column.property.name)}:`)
    const without = extra === undefined ? `${name} || 'null'` : "''"
    return `CASE WHEN ${column.quoted} IS NULL THEN ${without} ELSE ${name} || ${valueText(column) as string} END`
  })
  if (extra !== undefined) {
    const own = isAll ? `',' || substr(${extra}, 2, length(${extra}) - 2)` : nullsOf(extra, columns)
    members.push(`CASE WHEN ${extra} IS NULL OR ${extra} = '{}' THEN '' WHEN json_valid(${extra}) THEN ${own} END`)
  }
  return `'{' || substr(${joined(members, ' || ')}, 2) || '}'`
}

/**
 * A property that is null has no value in its column, and is a member of the extra column: those of these columns, in
 * its order, as JavaScript has them. Anything else in their place is left to JavaScript, and so are names that it would
 * put first.
 */
function nullsOf (extra: string, columns: readonly Column[]): string {
  const names = columns.map(({ property }) => property.name)
  if (names.some(name => /^\d+$/.test(name))) return 'NULL'
  const members = "coalesce(group_concat(',' || json_quote(key) || ':null', ''), '')"
  return `(SELECT CASE WHEN total(type <> 'null') = 0 THEN ${members} END FROM json_each(${extra}) ` +
    `WHERE key IN (${names.map(quoteText).join(', ')}))`
}

/**
 * V8 keeps a string of more than 128 kB on pages of its own, and the system clears new ones for each: of a pull of
 * 1,000 rows that took a third.
 */
const mostJoined = 60_000

export const texts: TextWriter = {
  row,
  value: valueText,
  // As it is, where it can be: an index finds it sooner.
  asText: ({ name }, value) => name === 'text' ? value : `'' || ${value}`,
  joined: (text, separator) => `group_concat(${text}, ${quoteText(separator)})`,
  mostJoined,
  length: text => `length(${text})`,
  isFinal: () => true
}
