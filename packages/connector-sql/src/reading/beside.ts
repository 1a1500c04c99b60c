/** Rows with what stands beside them, as one text that the database writes. */
import type { Beside, ConditionValue, MaybePromise, Query, RowsBeside } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import { collectPage, pageSql } from '../query/select.js'
import { residualFilterOf } from '../query/residual-filter.js'
import { Placeholders, StatementBuilder } from '../query/statement-builder.js'
import type { Column, Table } from '../tables/table.js'
import { boundId } from './read.js'
import type { Reader } from './reader.js'

/** What no JSON text has in it: it tells rows apart. */
const separator = '\u0001'

/** @returns undefined where JavaScript has to look at the rows */
export function readBeside (
  { connection, table, work }: Reader, query: Query, other: Table, beside: Beside
): MaybePromise<RowsBeside | undefined> {
  const { texts } = table.dialect
  // Whose rows are counted gets them in turns.
  if (texts === undefined || work !== undefined) return undefined
  if (residualFilterOf(table, query.where, work, query) !== undefined) return undefined
  const before = boundId(other, beside.before)
  const text = textOf(table, query, other, beside)
  const { id } = table
  if (text === undefined || before === undefined || id === undefined) return undefined
  const names = JSON.stringify([beside.property, beside.present, beside.around])
  const builder = new StatementBuilder(
    `${table.number}b${table.projection(query.select).number}:${other.number}:${names}:`)
  builder.values.push(before)
  collectPage(query, table, builder)
  const statement = connection.prepared(builder.key) ?? connection.prepare(builder.key, sqlOf(id, text, texts.joined))
  return chain(statement.get(builder.values), raw => {
    const [written, count, last] = raw as readonly unknown[]
    const found = written === null ? [] : (written as string).split(separator)
    if (found.length !== Number(count) || (written !== null && !texts.isFinal(written as string))) return undefined
    return { texts: found, last: last === null ? undefined : id.format.decode(last) as ConditionValue }
  })

  function sqlOf (
    id: Column, text: (placeholders: Placeholders) => string, joined: (text: string, separator: string) => string
  ): string {
    const placeholders = new Placeholders(table.dialect)
    const rows = `SELECT ${text(placeholders)} AS row_text, ${id.format.sorted(id.quoted)} AS row_id`
    return `SELECT ${joined('row_text', separator)}, count(*), max(row_id) ` +
      `FROM (${rows} ${pageSql(query, table, placeholders)}) AS page`
  }
}

/** An expression for a row with what stands beside it. */
function textOf (
  table: Table, query: Query, other: Table, { property, present, around }: Beside
): ((placeholders: Placeholders) => string) | undefined {
  const { id, dialect: { texts, quote } } = table
  const columnOf = (name: string): Column | undefined => table.byProperty.get(name)
  const isColumn = (column: Column | undefined): column is Column => column !== undefined
  const row = table.projection(query.select).rowText
  const needed = present.map(columnOf).filter(isColumn)
  const key = id && texts?.value(id)
  const wanted = other.byProperty.get(property)
  const value = wanted && texts?.value(wanted)
  const otherId = other.id
  if (row === undefined || key === undefined || value === undefined || otherId === undefined) return undefined
  if (needed.length < present.length) return undefined
  const isThere = needed.map(({ quoted }) => `${quoted} IS NOT NULL`).join(' AND ')
  return placeholders => {
    const itsId = `${otherId.format.bound(placeholders.next())} || ${table.quoted}.${(id as Column).quoted}`
    const found = `SELECT ${value} FROM ${other.quoted} AS ${quote('beside')} WHERE ${otherId.quoted} = ${itsId}`
    const [start, middle, beforeRow, end] = around.map(text => texts?.literal(text) as string)
    const its = `${start} || ${key} || ${middle} || coalesce((${found}), 'null') || ${beforeRow}`
    const text = `${its} || (${row}) || ${end}`
    return isThere === '' ? text : `CASE WHEN ${isThere} THEN ${text} END`
  }
}
