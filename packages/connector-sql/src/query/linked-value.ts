/**
 * Values of other tables to order by (`LinkedValue`), as scalar subqueries: the index of the key finds the row, and no
 * join doubles or loses any.
 */
import type { LinkedValue } from '@fastback/core'
import type { Table } from '../tables/table.js'
import { collectCondition, conditionSql } from './condition.js'
import type { Expression } from './expression.js'
import { linkedWithin, outermost, sameKeySql, tableLinkOf, type NamedTable } from './link.js'
import { StatementBuilder, type Placeholders } from './statement-builder.js'

/** @param values gets what the expression binds */
export function linkedValue (linked: LinkedValue, table: Table, values: unknown[]): Expression {
  const builder = new StatementBuilder('')
  collect(linked, table, builder)
  values.push(...builder.values)
  return {
    code: `l(${builder.key})`,
    sql: (_column, _table, placeholders) => valueSql(linked, table, placeholders, outermost(table))
  }
}

/** The key and the values, in the order in which `valueSql` writes them. */
function collect (linked: LinkedValue, table: Table, builder: StatementBuilder): void {
  const { table: other, to, from } = tableLinkOf(linked, table)
  const { value } = linked
  builder.key += `${other.number}.${to.index}.${from.index}:`
  if ('model' in value) collect(value, other, builder)
  else if ('countOf' in value) builder.key += `n${other.byProperty.get(value.countOf)?.index}`
  else builder.key += String(other.byProperty.get(value.property)?.index)
  builder.key += '?'
  collectCondition(linked.condition, other, builder)
}

function valueSql (linked: LinkedValue, table: Table, placeholders: Placeholders, outer: NamedTable): string {
  const link = tableLinkOf(linked, table)
  const inner = linkedWithin(outer)
  const selected = selectedSql(linked, link.table, placeholders, inner)
  const narrowed = linked.condition === undefined
    ? ''
    : `${conditionSql(linked.condition, link.table, placeholders, inner)} AND `
  const rows = `FROM ${link.table.quoted} AS ${inner.name} WHERE ${narrowed}${sameKeySql(link, outer.name) as string}`
  const isCount = 'countOf' in linked.value
  // A key that only one row has needs no order.
  const first = isCount || link.to === link.table.id ? '' : ` ORDER BY ${link.table.lastOrder} LIMIT 1`
  return `(SELECT ${selected} ${rows}${first})`
}

function selectedSql ({ value }: LinkedValue, table: Table, placeholders: Placeholders, named: NamedTable): string {
  if ('model' in value) return valueSql(value, table, placeholders, named)
  const column = table.byProperty.get('countOf' in value ? value.countOf : value.property)
  if (column === undefined) throw new TypeError(`"${table.model.name}" has no such column to order by`)
  const { format, quoted } = column
  // Many rows may lead to the same one through a table in between.
  if ('countOf' in value) return column === table.id ? 'count(*)' : `count(DISTINCT ${table.dialect.groupKey(column)})`
  return format.sorted(quoted)
}
