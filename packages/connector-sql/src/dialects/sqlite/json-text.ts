/**
 * JSON text of whole rows, put together by SQLite: JavaScript gets one text of many rows, and makes nothing of a value.
 * Where SQLite would not write a value as JavaScript does, the text of its row is NULL.
 */
import type { ExtraFilter } from '../../tables/extra.js'
import type { Column } from '../../tables/table.js'
import type { ColumnFormat, TextWriter } from '../column-types.js'
import { quoteText } from './quote.js'

/** How the values of a format are written. */
interface Written {
  /** Whether SQLite writes the value of a column, which is not NULL, as JavaScript does. */
  fits? (column: string): string
  /** What `json_object` makes the JSON of; undefined: only the text is to be had. */
  value? (column: string): string
  /** The JSON text of a value that fits. */
  text (column: string): string
}

/** SQLite would write `5.0`. */
const isWhole = (column: string): string => `${column} = CAST(${column} AS INTEGER) AND abs(${column}) < 1e15`
const quoted = (column: string): string => `json_quote(CAST(${column} AS TEXT))`
const truth = (column: string): string => `CASE ${column} WHEN 1 THEN 'true' ELSE 'false' END`

const written: Readonly<Partial<Record<ColumnFormat['name'], Written>>> = {
  text: { value: column => `CAST(${column} AS TEXT)`, text: quoted },
  // It would write 0.30000000000000004 as 0.3, and 1e-7 as 1.0e-07.
  real: {
    fits: column => `(${isWhole(column)} OR (typeof(${column}) = 'real' AND ` +
      `abs(${column}) BETWEEN 1e-4 AND 1e15 AND CAST(CAST(${column} AS TEXT) AS REAL) = ${column}))`,
    value: column => `CASE WHEN ${isWhole(column)} THEN CAST(${column} AS INTEGER) ELSE ${column} END`,
    text: column =>
      `CAST(CASE WHEN ${isWhole(column)} THEN CAST(${column} AS INTEGER) ELSE ${column} END AS TEXT)`
  },
  integer: {
    fits: column => `typeof(${column}) = 'integer'`,
    value: column => column,
    text: column => `CAST(${column} AS TEXT)`
  },
  boolean: { fits: column => `${column} IN (0, 1)`, value: column => `json(${truth(column)})`, text: truth },
  // Another form is a date all the same, which JavaScript reads.
  date: {
    fits: column => `${column} GLOB '????-??-??T??:??:??.???Z'`,
    value: column => `CAST(${column} AS TEXT)`,
    text: quoted
  },
  json: { text: column => `CASE WHEN json_valid(${column}) THEN ${column} ELSE ${quoted(column)} END` }
}

const writtenOf = ({ format }: Column): Written | undefined => written[format.name]

function valueText (column: Column): string | undefined {
  const how = writtenOf(column)
  const { quoted } = column
  if (how?.fits === undefined) return how?.text(quoted)
  return `CASE WHEN ${how.fits(quoted)} THEN ${how.text(quoted)} END`
}

function row (
  columns: readonly Column[], extra: string | undefined, filter: ExtraFilter | undefined
): string | undefined {
  const isAll = filter !== undefined && 'except' in filter
  const writes = columns.map(writtenOf)
  if (writes.includes(undefined) || columns.length === 0) return undefined
  // Names that come from requests never stand in a statement.
  if (isAll ? filter.except.length > 0 : (filter?.only.length ?? 0) > columns.length) return undefined
  const any = membersOf(columns, extra, isAll)
  const whole = objectOf(columns, writes as Written[])
  if (whole === undefined) return any
  // Most rows have all their values, and then this is twice as fast.
  const isWhole = [...whole.tests, ...(isAll && extra !== undefined ? [`${extra} IS NULL`] : [])].join(' AND ')
  return `CASE WHEN ${isWhole} THEN ${whole.text} ELSE ${any} END`
}

/** A row that has all its values. */
function objectOf (
  columns: readonly Column[], writes: readonly Written[]
): { readonly tests: readonly string[], readonly text: string } | undefined {
  if (writes.some(({ value }) => value === undefined)) return undefined
  const tests = columns.map(({ quoted }, i) => writes[i]?.fits?.(quoted) ?? `${quoted} IS NOT NULL`)
  const members = columns.map(({ quoted, property: { name } }, i) =>
    `${quoteText(name)}, ${writes[i]?.value?.(quoted) as string}`)
  return { tests, text: `json_object(${members.join(', ')})` }
}

/** Any row: what is NULL is left out, or null. */
function membersOf (columns: readonly Column[], extra: string | undefined, isAll: boolean): string {
  const members = columns.map(column => {
    const name = quoteText(`,${JSON.stringify(column.property.name)}:`)
    const without = extra === undefined ? `${name} || 'null'` : isAll ? "''" : nullIn(extra, column, name)
    return `CASE WHEN ${column.quoted} IS NULL THEN ${without} ELSE ${name} || ${valueText(column) as string} END`
  })
  if (extra !== undefined && isAll) {
    members.push(`CASE WHEN ${extra} IS NULL OR ${extra} = '{}' THEN '' ` +
      `WHEN json_valid(${extra}) THEN ',' || substr(${extra}, 2, length(${extra}) - 2) END`)
  }
  return `'{' || substr(${members.join(' || ')}, 2) || '}'`
}

/** A property that is null has no value in its column, and is a member of the extra column. */
function nullIn (extra: string, { property: { name } }: Column, member: string): string {
  // Names that a path would have to escape are left to JavaScript.
  const isPlain = !/["\\]/.test(name)
  const isNull = isPlain ? `json_type(${extra}, ${quoteText(`$."${name}"`)}) = 'null'` : 'NULL'
  return `CASE WHEN ${extra} IS NULL THEN '' WHEN ${isPlain ? `json_valid(${extra})` : 'NULL'} ` +
    `THEN CASE WHEN ${isNull} THEN ${member} || 'null' ELSE '' END END`
}

export const texts: TextWriter = {
  row,
  value: valueText,
  literal: quoteText,
  joined: (text, separator) => `group_concat(${text}, ${quoteText(separator)})`,
  isFinal: () => true
}
