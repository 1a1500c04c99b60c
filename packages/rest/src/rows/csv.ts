/** Rows as CSV (RFC 4180), which a spreadsheet opens without taking a text for a formula. */
import type { PropertyKind, RowPages } from '@fastback/core'

/** A column: a property, and what its values are. */
export interface Column {
  readonly name: string
  readonly kind: PropertyKind
}

/**
 * The columns of a model: the declared properties that clients see, in the order of the definition.
 *
 * ```js
 * columnsOf(Note.compiled, new Set(['title', 'secret']), false) // [{ name: 'title', kind: 'string' }]
 * ```
 * @param names those that are read
 * @param reached whether protected properties are left out as well
 */
export function columnsOf (
  { properties, hidden, protectedNames }: RowPages['model'], names: ReadonlySet<string>, reached: boolean
): Column[] {
  return properties
    .filter(property => names.has(property.name) && !property.hidden && !hidden.has(property.name))
    .filter(property => !reached || !(property.protected || protectedNames.has(property.name)))
    .map(({ name, type: { kind } }) => ({ name, kind }))
}

/**
 * The columns of values in place of rows (`distinct`), which were judged.
 *
 * ```js
 * valueColumns(Note.compiled, ['city']) // [{ name: 'city', kind: 'string' }]
 * ```
 */
export function valueColumns ({ properties }: RowPages['model'], distinct: unknown): Column[] {
  // A list may come as an object with the keys 0, 1 …
  const names = typeof distinct === 'object' && distinct !== null ? Object.values(distinct) : [distinct]
  return names.map(String)
    .map(name => ({ name, kind: properties.find(property => property.name === name)?.type.kind ?? 'any' }))
}

/**
 * The first line: the names of the columns.
 *
 * ```js
 * csvHeader([{ name: 'id', kind: 'number' }, { name: 'title', kind: 'string' }]) // 'id,title\r\n'
 * ```
 */
export const csvHeader = (columns: readonly Column[]): string => lineOf(columns.map(({ name }) => textCell(name)))

/**
 * The line of a row, as JSON has it.
 *
 * ```js
 * csvLine(columns, { id: 7, title: 'a "b"' }) // '7,"a ""b"""\r\n'
 * ```
 */
export const csvLine = (columns: readonly Column[], row: Readonly<Record<string, unknown>> | null): string =>
  lineOf(columns.map(({ name, kind }) => cellOf(row?.[name], kind)))

/** A line of one cell without anything would be none. */
const lineOf = (cells: readonly string[]): string =>
  cells.length === 1 && cells[0] === '' ? '""\r\n' : `${cells.join()}\r\n`

/** Texts that JSON has for values that are none: dates, and whole numbers that a double does not hold. */
const written: Readonly<Partial<Record<PropertyKind, RegExp>>> = {
  date: /^[+-]?\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  number: /^-?\d+$/,
  integer: /^-?\d+$/,
  long: /^-?\d+$/
}

/** Null and missing values are nothing; objects and lists are JSON. */
function cellOf (value: unknown, kind: PropertyKind): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'object') return quoted(JSON.stringify(value))
  if (typeof value !== 'string') return String(value)
  return written[kind]?.test(value) === true ? value : textCell(value)
}

/** What programs take for the beginning of a formula. */
const formula = /^[=+\-@\t\r]/

/** A text that would be a formula begins with an apostrophe, which makes it a text. */
const textCell = (text: string): string => quoted(formula.test(text) ? `'${text}` : text)

const quoted = (text: string): string => /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
