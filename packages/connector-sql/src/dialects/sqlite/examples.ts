/**
 * Dates that others store: SQLite lets every column have values of every type, so that only these say which form they
 * have. A column whose values have the form that its type gets here has no example.
 */
import type { StoredModel } from '@fastback/core'
import { findColumn, type ActualColumn, type ActualTable } from '../../migration/design.js'
import { columnName } from '../../tables/naming.js'
import type { SqliteConnection } from './connection.js'
import { quoteName } from './quote.js'
import { keepsNumbers } from './declared-types.js'

/** Rows at each end of a table that are looked at. */
const few = 200

/** What `date` writes (`dates.ts`). */
const isOurs = (text: string): boolean => /^(?:[~-]\d{6}|\d{4})-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)

export function withExamples (
  connection: SqliteConnection, table: ActualTable, model: StoredModel, settingKeys: readonly string[]
): ActualTable {
  const dates = new Set(model.properties
    .filter(({ type }) => type.kind === 'date')
    .flatMap(property => findColumn(table, columnName(property, settingKeys)) ?? []))
  if (dates.size === 0) return table
  const examples = table.isView
    ? new Map([...dates].map(column => [column, '']))
    : examplesOf(connection, table, [...dates])
  if (examples.size === 0) return table
  return {
    ...table,
    columns: table.columns.map(column => {
      const example = examples.get(column)
      return example === undefined ? column : { ...column, example }
    })
  }
}

function examplesOf (
  connection: SqliteConnection, table: ActualTable, dates: readonly ActualColumn[]
): Map<ActualColumn, string> {
  const rows = rowsOf(connection, table, dates)
  const defaults = defaultsOf(connection, table, dates)
  const examples = new Map<ActualColumn, string>()
  const silent: ActualColumn[] = []
  dates.forEach((column, i) => {
    const values = [...rows.map(row => row[i]).filter(value => value !== null), ...defaults.get(column.name) ?? []]
    if (values.length === 0) silent.push(column)
    const numbers = keepsNumbers(column.type)
    const others = values.filter(value => typeof value === 'string' ? numbers || !isOurs(value) : !numbers)
    // Numbers beside texts were written here before, and fractions where there were some.
    const texts = others.filter(value => typeof value === 'string')
    const example = texts.find(text => !text.includes('.')) ?? texts[0] ?? others[0]
    if (example !== undefined) examples.set(column, String(example))
  })
  // A column that says nothing is as the others are.
  const [other] = examples.values()
  if (other !== undefined) for (const column of silent) examples.set(column, other)
  return examples
}

/** Values of the last rows and of the first ones. */
function rowsOf (
  connection: SqliteConnection, { name, storedBy }: ActualTable, dates: readonly ActualColumn[]
): unknown[][] {
  const columns = dates.map(column => quoteName(column.name)).join(', ')
  const order = storedBy?.map(quoteName) ?? ['rowid']
  return ['DESC', 'ASC'].flatMap(direction => {
    const terms = order.map(each => `${each} ${direction}`).join(', ')
    return connection.query(`SELECT ${columns} FROM ${quoteName(name)} ORDER BY ${terms} LIMIT ${few}`, [])
  })
}

/** What the database writes where a row says nothing. */
function defaultsOf (
  connection: SqliteConnection, { name }: ActualTable, dates: readonly ActualColumn[]
): Map<string, unknown[]> {
  const names = new Set(dates.map(({ name }) => name))
  const all = connection.query('SELECT name, dflt_value FROM pragma_table_info(?) WHERE dflt_value IS NOT NULL', [name])
  return new Map(all
    .filter(([column, value]) => names.has(column as string) && /current_|date|time|'/i.test(value as string))
    .map(([column, value]) => [column as string, connection.query(`SELECT ${value as string}`, [])[0] ?? []]))
}
