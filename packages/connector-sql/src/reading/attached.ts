/** Rows with what stands beside them, as one text that the database writes. */
import type { AttachedRow, ConditionValue, MaybePromise, Query, RowsWithAttached } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import type { TextWriter } from '../dialects/column-types.js'
import { collectPage, pageSql } from '../query/select.js'
import { residualFilterOf } from '../query/residual-filter.js'
import { Placeholders, StatementBuilder } from '../query/statement-builder.js'
import type { Column } from '../tables/column.js'
import type { Table } from '../tables/table.js'
import { behindId, idDirection } from './batches.js'
import { repeat, type Reader } from './reader.js'

/** What no JSON text has in it: it tells rows apart. */
const separator = '\u0001'

/** Rows of the first statement, where there are several (`TextWriter.mostJoined`). */
const first = 100

/** What a statement is made of that gives the texts of rows, with what stands beside them, as one. */
interface Written {
  readonly reader: Reader
  readonly texts: TextWriter
  readonly id: Column
  /** What the key of the statement begins with. */
  readonly key: string
  /** The text of a row; made when the statement is. */
  readonly text: () => string
}

/** Rows in the order of their ids, and the raw id of the last one. */
interface Portion { readonly texts: readonly string[], readonly last: unknown }

/** @returns undefined where JavaScript has to look at the rows */
export function readAttached (
  reader: Reader, query: Query, other: Table, beside: AttachedRow
): MaybePromise<RowsWithAttached | undefined> {
  const { table, work } = reader
  const { dialect: { texts }, id } = table
  // Whose rows are counted gets them in slices.
  if (texts === undefined || work !== undefined) return undefined
  if (residualFilterOf(table, query.where, work, query) !== undefined) return undefined
  const text = textOf(table, query, other, beside)
  if (text === undefined || id === undefined) return undefined
  const names = JSON.stringify([beside.by, beside.property, beside.present, beside.around])
  const key = `${table.number}b${table.projection(query.select).number}:${other.number}:${names}:`
  const written: Written = { reader, texts, id, key, text }
  const isById = query.skip === 0 && idDirection(query, table) === 1
  const found = texts.mostJoined !== undefined && isById && table.isKeyed
    ? readPortions(written, query, texts.mostJoined)
    : readPortion(written, query)
  return chain(found, rows => rows && {
    texts: rows.texts,
    last: rows.last === null ? undefined : id.format.decode(rows.last) as ConditionValue
  })
}

/** As many rows at once as make a text of `most` characters. */
function readPortions (written: Written, query: Query, most: number): MaybePromise<Portion | undefined> {
  const all: string[] = []
  let { where, limit = Infinity } = query
  let size = first
  let last: unknown = null
  let isText = true
  return chain(repeat(readNext), () => isText ? { texts: all, last } : undefined)

  function readNext (): MaybePromise<boolean> {
    const wanted = Math.min(size, limit)
    return chain(readPortion(written, { ...query, where, limit: wanted }), found => {
      isText = found !== undefined
      if (found === undefined || found.texts.length === 0) return false
      const { texts } = found
      all.push(...texts)
      last = found.last
      limit -= texts.length
      where = behindId(query.where, written.id, last, 1)
      const characters = texts.reduce((sum, { length }) => sum + length, 0)
      size = Math.max(1, Math.floor(most * texts.length / characters))
      return texts.length === wanted && limit > 0
    })
  }
}

function readPortion (
  { reader: { connection, table }, texts, id, key, text }: Written, query: Query
): MaybePromise<Portion | undefined> {
  const builder = new StatementBuilder(key)
  collectPage(query, table, builder)
  const statement = connection.prepared(builder.key) ?? connection.prepare(builder.key, sqlOf())
  return chain(statement.get(builder.values), raw => {
    const [written, count, last] = raw as readonly unknown[]
    const found = written === null ? [] : (written as string).split(separator)
    if (found.length !== Number(count) || (written !== null && !texts.isFinal(written as string))) return undefined
    return { texts: found, last }
  })

  function sqlOf (): string {
    const placeholders = new Placeholders(table.dialect)
    const [rowText, rowId] = [table.unused('row_text'), table.unused('row_id')]
    const rows = `SELECT ${text()} AS ${rowText}, ${id.format.sorted(id.quoted)} AS ${rowId}`
    return `SELECT ${texts.joined(rowText, separator)}, count(*), max(${rowId}) ` +
      `FROM (${rows} ${pageSql(query, table, placeholders)}) AS page`
  }
}

/** An expression for a row with what stands beside it. */
function textOf (
  table: Table, query: Query, other: Table, { by, property, present, around }: AttachedRow
): (() => string) | undefined {
  const { id, dialect: { texts, quote } } = table
  const columnOf = (name: string): Column | undefined => table.byProperty.get(name)
  const isColumn = (column: Column | undefined): column is Column => column !== undefined
  const projection = table.projection(query.select)
  const needed = present.map(columnOf).filter(isColumn)
  const key = id && texts?.value(id)
  const wanted = other.byProperty.get(property)
  const value = wanted && texts?.value(wanted)
  const rowId = other.byProperty.get(by)
  if (projection.rowText === undefined || id === undefined || key === undefined) return undefined
  if (value === undefined || rowId === undefined || needed.length < present.length) return undefined
  // An id that the database does not write as JavaScript does is seen in the row.
  if (!query.select.names.includes(id.property.name)) return undefined
  const isThere = needed.map(({ quoted }) => `${quoted} IS NOT NULL`).join(' AND ')
  return () => {
    const isBeside = `${rowId.quoted} = ${texts?.asText(id.format, `${table.quoted}.${id.quoted}`) as string}`
    const found = `coalesce((SELECT ${value} FROM ${other.quoted} AS ${quote('beside')} WHERE ${isBeside}), 'null')`
    const [before, middle, start, end] = around
    const text = projection.textWithin({ before: [[before, key], [middle, found]], start, end }) as string
    return isThere === '' ? text : `CASE WHEN ${isThere} THEN ${text} END`
  }
}
