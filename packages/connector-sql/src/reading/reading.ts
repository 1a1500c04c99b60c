/** What it takes to read one selection of properties from a table: the columns, the rows made of raw values, the JSON text made by the database. */
import type { Row, Selection } from '@fastback/core'
import { extraFilter } from '../tables/extra.js'
import type { Column, Table } from '../tables/table.js'
import { makeRows, type RowMaker } from './row-maker.js'

export interface Reading {
  /** Stands for the selection in statement keys. */
  readonly number: number
  /** Expressions between SELECT and FROM. */
  readonly list: string
  /** A row from the raw values of `list`. */
  readonly row: RowMaker
  /** Expression for the row's JSON text; undefined where the database does not write JSON. */
  readonly json: string | undefined
}

export function compileReading (table: Table, select: Selection, number: number): Reading {
  const columns = select.names.map(name => table.byProperty.get(name)).filter((column): column is Column => column !== undefined)
  const expressions = columns.map(({ format, quoted }) => format.read(quoted))
  if (table.extra !== undefined) expressions.push(table.extra)
  return {
    number,
    list: expressions.length === 0 ? 'NULL' : expressions.join(', '),
    row: makeRows(columns, table.extra === undefined ? undefined : extraFilter(table, select)),
    json: jsonOf(table, columns, select)
  }
}

function jsonOf (table: Table, columns: readonly Column[], select: Selection): string | undefined {
  const { dialect, extra } = table
  const { json } = dialect
  if (json === undefined) return undefined
  if (extra === undefined) {
    const members = columns.flatMap(({ property, quoted, format }, i) =>
      [dialect.literal(`${i === 0 ? '' : ','}${JSON.stringify(property.name)}:`), json.value(quoted, format)])
    return json.concat([dialect.literal('{'), ...members, dialect.literal('}')])
  }
  // Every member begins with a comma, the first one is cut off: any of them may be missing.
  const members = columns.map(({ property, quoted, format }) =>
    `CASE WHEN ${quoted} IS NULL THEN '' ELSE ${json.concat([dialect.literal(`,${JSON.stringify(property.name)}:`), json.value(quoted, format)])} END`)
  const all = json.concat([...members, json.extra(extra, extraFilter(table, select))])
  return json.concat([dialect.literal('{'), `substr(${all}, 2)`, dialect.literal('}')])
}

/** Rows of raw values. */
export function rowsOf (reading: Reading, raw: readonly unknown[][]): Row[] {
  const rows = new Array<Row>(raw.length)
  for (let i = 0; i < raw.length; i++) rows[i] = reading.row(raw[i] as unknown[])
  return rows
}
