/**
 * Values that a property had before it was declared lie in the extra column; once it has a column of its own they
 * move there.
 */
import type { MaybePromise, Row, StoredModel } from '@fastback/core'
import { chain, eachInSequence } from '@fastback/core/connector'
import type { Dialect } from '../dialects/dialect.js'
import type { Connection } from '../dialects/driver.js'
import { columnName, quotedName } from '../tables/naming.js'
import { findColumn, type ActualTable, type ColumnDesign, type TableDesign } from './design.js'

/** A value of undefined stays where it is. */
interface Moved { readonly name: string, readonly column: ColumnDesign, readonly value: unknown }

/** The properties of new columns that the extra column of a row has a value of, where it has the column's type. */
function valuesIn (
  extra: Row, { properties }: StoredModel, added: readonly ColumnDesign[], { settingKeys }: Dialect
): Moved[] {
  return added.flatMap(column => {
    const property = properties.find(each => columnName(each, settingKeys) === column.name)
    if (property === undefined || !Object.hasOwn(extra, property.name)) return []
    const value = valueFor(column, extra[property.name])
    return value === undefined && column.fill === undefined ? [] : [{ name: property.name, column, value }]
  })
}

/** In how many rows each of the columns that are yet to be added has a value to get. */
export function countMoving (
  connection: Connection, dialect: Dialect, model: StoredModel, design: TableDesign, actual: ActualTable,
  added: readonly ColumnDesign[]
): MaybePromise<Map<string, number>> {
  const counts = new Map(added.map(({ name }) => [name, 0]))
  if (!mayMove(model, design, actual, added, dialect)) return counts
  const extra = dialect.quote(design.extra)
  const table = quotedName({ schema: design.schema, name: actual.name }, dialect.quote)
  return chain(connection.query(`SELECT ${extra} FROM ${table} WHERE ${extra} IS NOT NULL`, []), rows => {
    for (const [text] of rows) {
      for (const { column: { name }, value } of valuesIn(dialect.extra.decode(text), model, added, dialect)) {
        if (value !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1)
      }
    }
    return counts
  })
}

const keyOf = ({ key }: StoredModel, { settingKeys }: Dialect): string[] =>
  key.map(property => columnName(property, settingKeys))

const mayMove = (
  model: StoredModel, { extra }: TableDesign, actual: ActualTable, added: readonly ColumnDesign[], dialect: Dialect
): boolean =>
  added.length > 0 && model.key.length > 0 && findColumn(actual, extra) !== undefined &&
  keyOf(model, dialect).every(name => findColumn(actual, name) !== undefined)

/** Moves the values of columns that were just added. What does not have the column's type stays where it is. */
export function adoptExtra (
  connection: Connection, dialect: Dialect, model: StoredModel, design: TableDesign, added: readonly ColumnDesign[]
): MaybePromise<void> {
  if (added.length === 0) return
  return chain(dialect.introspect(connection, design), actual => {
    if (actual === undefined || !mayMove(model, design, actual, added, dialect)) return
    const quoted: QuotedNames = {
      table: quotedName({ schema: design.schema, name: actual.name }, dialect.quote),
      extra: dialect.quote(design.extra),
      key: keyOf(model, dialect).map(dialect.quote)
    }
    const sql = `SELECT ${quoted.extra}, ${quoted.key.join(', ')} FROM ${quoted.table} WHERE ${quoted.extra} IS NOT NULL`
    return chain(connection.query(sql, []), rows =>
      eachInSequence(rows, ([text, ...key]) => {
        const extra = dialect.extra.decode(text)
        return adoptRow(connection, dialect, quoted, extra, key, valuesIn(extra, model, added, dialect))
      })
    )
  })
}

interface QuotedNames { readonly table: string, readonly extra: string, readonly key: readonly string[] }

function adoptRow (
  connection: Connection, dialect: Dialect, quoted: QuotedNames, extra: Row, key: readonly unknown[],
  moved: readonly Moved[]
): MaybePromise<void> {
  if (moved.length === 0) return
  for (const { name, value } of moved) if (value !== undefined) delete extra[name]
  // The column of what stays is empty, whatever it was filled with.
  const values = moved.map(({ column, value }) => value === undefined ? null : column.format.encode(value))
  values.push(Object.keys(extra).length === 0 ? null : dialect.extra.encode(extra), ...key)
  let position = 0
  const next = (): string => dialect.placeholder(++position)
  const set = moved.map(({ column: { name, format } }) => `${dialect.quote(name)} = ${format.bound(next())}`)
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
