/**
 * Values that a property had before it was declared lie in the extra column; once it has a column of its own they
 * move there.
 */
import type { CompiledProperty, MaybePromise, Row, StoredModel } from '@fastback/core'
import { chain, eachInTurn } from '@fastback/core/connector'
import type { Dialect } from '../dialects/dialect.js'
import type { Connection } from '../dialects/driver.js'
import { columnName, quotedName } from '../tables/naming.js'
import { findColumn, type Change, type ColumnDesign, type TableDesign } from './design.js'

/** Moves the values of columns that were just added. What does not have the column's type stays where it is. */
export function adoptExtra (
  connection: Connection,
  dialect: Dialect,
  model: StoredModel,
  design: TableDesign,
  changes: readonly Change[]
): MaybePromise<void> {
  const added = changes.flatMap(change => (change.kind === 'add column' ? [change.column] : []))
  if (added.length === 0 || model.key.length === 0) return
  const key = model.key.map(property => columnName(property, dialect.settingKeys))
  const properties = model.properties.filter(property =>
    added.some(column => column.name === columnName(property, dialect.settingKeys))
  )
  return chain(dialect.introspect(connection, design), actual => {
    if (
      actual !== undefined &&
      findColumn(actual, design.extra) !== undefined &&
      key.every(name => findColumn(actual, name) !== undefined)
    ) { return adoptRows(actual.name) }
  })

  function adoptRows (tableName: string): MaybePromise<void> {
    const quoted = {
      table: quotedName({ schema: design.schema, name: tableName }, dialect.quote),
      extra: dialect.quote(design.extra),
      key: key.map(dialect.quote)
    }
    const { table, extra } = quoted
    const rows = connection.query(
      `SELECT ${extra}, ${quoted.key.join(', ')} FROM ${table} WHERE ${extra} IS NOT NULL`, []
    )
    return chain(rows, rows =>
      eachInTurn(rows, ([text, ...values]) =>
        adoptRow(connection, dialect, quoted, dialect.extra.decode(text), values, properties, added)
      )
    )
  }
}

interface QuotedNames { readonly table: string, readonly extra: string, readonly key: readonly string[] }

function adoptRow (
  connection: Connection,
  dialect: Dialect,
  quoted: QuotedNames,
  extra: Row,
  key: readonly unknown[],
  properties: readonly CompiledProperty[],
  added: readonly ColumnDesign[]
): MaybePromise<void> {
  const columns: ColumnDesign[] = []
  const values: unknown[] = []
  for (const property of properties) {
    const column = added.find(({ name }) => name === columnName(property, dialect.settingKeys)) as ColumnDesign
    const value = Object.hasOwn(extra, property.name) ? valueFor(column, extra[property.name]) : undefined
    if (value === undefined) continue
    columns.push(column)
    values.push(column.format.encode(value))
    delete extra[property.name]
  }
  if (columns.length === 0) return
  values.push(Object.keys(extra).length === 0 ? null : dialect.extra.encode(extra), ...key)
  let position = 0
  const next = (): string => dialect.placeholder(++position)
  const set = columns.map(({ name, format }) => `${dialect.quote(name)} = ${format.bound(next())}`)
  const rest = dialect.extra.bound(next())
  const where = quoted.key.map(name => `${name} = ${next()}`)
  const sql = `UPDATE ${quoted.table} SET ${set.join(', ')}, ${quoted.extra} = ${rest} WHERE ${where.join(' AND ')}`
  return chain(connection.prepare(`adopt:${sql}`, sql).run(values), () => {})
}

/**
 * The value with the column's type; undefined for null (which stays in the extra column) and for values of other
 * types.
 */
function valueFor ({ format }: ColumnDesign, value: unknown): unknown {
  if (value === null) return undefined
  const typed =
    (format.name === 'date' || format.name === 'milliseconds') && typeof value === 'string' ? new Date(value) : value
  return format.accepts(typed) ? typed : undefined
}
