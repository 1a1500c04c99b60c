/**
 * Rows with those of other tables that belong to them, as text that the database writes: one statement, and one round
 * trip. What belongs to a row is a query within its column list, which keeps the order of the page, and takes the
 * database less planning than a join does (docs/decisions.md).
 */
import type { Belonging, MaybePromise, Query, RowsIncluding, RowTexts, Share } from '@fastback/core'
import { chain, fewRows } from '@fastback/core/connector'
import type { TextWriter } from '../dialects/column-types.js'
import { conditionSql } from '../query/condition.js'
import { hasLinks } from '../query/link.js'
import { orderSql } from '../query/order.js'
import { residualFilterOf } from '../query/residual-filter.js'
import { collectPage, limitSql, pageSql } from '../query/select.js'
import { Placeholders, StatementBuilder } from '../query/statement-builder.js'
import type { Table } from '../tables/table.js'
import type { Reader } from './reader.js'

/** What belongs to rows, with the table that it is in. */
export type BelongingRows = Belonging & { readonly table: Table }

/** @returns undefined where the tables are better read one by one */
export function readIncluding (
  reader: Reader, query: Query, belonging: readonly BelongingRows[], share: Share
): MaybePromise<RowsIncluding | undefined> {
  const { connection, table, work } = reader
  const { texts, json } = table.dialect
  if (texts === undefined || query.limit === undefined || query.limit > fewRows) return undefined
  if (residualFilterOf(table, query.where, work, query) !== undefined) return undefined
  const { rowText, number } = table.projection(query.select)
  const parts = partsOf(belonging, share, reader, texts)
  if (rowText === undefined || parts === undefined) return undefined
  // Of a statement in which all that decides stands the database keeps the plan; otherwise it is better made each time.
  const fixed = query.where === undefined
  const builder = new StatementBuilder(`${table.number}i${number}:${share.rows}:${share.characters}:`)
  for (const { key, query, table, fixed } of parts) {
    builder.key += `;${key}:`
    collectPage(query, table, builder, fixed)
  }
  builder.key += ';'
  collectPage(query, table, builder, fixed)
  const { key, values } = builder
  if (table.refrained.has(key)) return undefined
  const statement = connection.prepared(key) ?? connection.prepare(key, sqlOf())
  return chain(statement.all(values), raw => {
    work?.mustHold(raw.length)
    const found = rowsOf(raw, parts, texts, json?.finish)
    if (found === undefined) table.refrained.add(key)
    return found
  })

  function sqlOf (): string {
    const placeholders = new Placeholders(table.dialect)
    const columns = parts?.map(part => partSql(part, share, texts as TextWriter, placeholders)) ?? []
    const page = pageSql(query, table, placeholders, fixed)
    return `SELECT ${[rowText, ...columns].join(', ')} FROM (SELECT * ${page}) AS page`
  }
}

interface Part {
  /** Stands for it in statement keys, but for its query. */
  readonly key: string
  readonly table: Table
  /** With a limit: one row more than there may be, where no other is asked for. */
  readonly query: Query
  /** Whether that limit is always the same. */
  readonly fixed: boolean
  readonly multiple: boolean
  readonly rowText: string
  /** Whether a row belongs to that of the page. */
  readonly isIts: string
}

function partsOf (
  belonging: readonly BelongingRows[], share: Share, { table: parents, work }: Reader, texts: TextWriter
): readonly Part[] | undefined {
  const parts: Part[] = []
  for (const { table, parentKey, childKey, query: asked, multiple } of belonging) {
    const own = parents.byProperty.get(parentKey)
    const other = table.byProperty.get(childKey)
    const { rowText, number } = table.projection(asked.select)
    if (own === undefined || other === undefined || rowText === undefined) return undefined
    // The table has another name in this statement.
    if (hasLinks(asked.where) || asked.order.some(term => !('path' in term))) return undefined
    // Without an index the database would look at all rows for each of the page.
    if (!table.isIndexed(other) || residualFilterOf(table, asked.where, work, asked) !== undefined) return undefined
    const isIts = parents.dialect.sameKey(other, own, `page.${own.quoted}`)
    if (isIts === undefined) return undefined
    const most = multiple ? share.rows + 1 : 1
    const query = { ...asked, limit: Math.min(asked.limit ?? most, most) }
    const fixed = !multiple || asked.limit === undefined
    const key = `${table.number}.${number}.${other.index}.${own.index}${multiple ? '*' : ''}`
    parts.push({ key, table, query, fixed, multiple, rowText, isIts })
  }
  return parts
}

/**
 * The text of all rows with their number before it, NULL where they are too many or too long, or JavaScript has to look
 * at one; or that of the first, empty where it is too long, or JavaScript has to look at it.
 */
function partSql (part: Part, share: Share, texts: TextWriter, placeholders: Placeholders): string {
  const { table, query: { where }, multiple, rowText } = part
  const condition = where === undefined ? '' : ` AND ${conditionSql(where, table, placeholders)}`
  const order = orderSql(part.query, table, placeholders)
  const page = limitSql(part.query, table, placeholders, part.fixed)
  const name = table.unused('row_text')
  const rows = `SELECT ${rowText} AS ${name} FROM ${table.quoted} AS belonging ` +
    `WHERE ${part.isIts}${condition}${order}${page}`
  const list = `FROM (${rows}) AS own_rows`
  const isShort = (text: string): string => `${texts.length(text)} <= ${share.characters}`
  if (!multiple) return `(SELECT CASE WHEN ${isShort(name)} THEN ${name} ELSE '' END ${list})`
  const text = `coalesce(${texts.joined(name, ',')}, '')`
  const fits = `count(*) <= ${share.rows} AND count(${name}) = count(*) AND ${isShort(text)}`
  return `(SELECT CASE WHEN ${fits} THEN count(*) || ' ' || ${text} END ${list})`
}

function rowsOf (
  raw: readonly unknown[][], parts: readonly Part[], { isFinal }: TextWriter,
  finish: (text: string) => string = text => text
): RowsIncluding | undefined {
  const texts: string[] = []
  const belonging: Array<Array<RowTexts | undefined>> = []
  for (const row of raw) {
    const all: Array<RowTexts | undefined> = []
    for (let i = 0; i < parts.length; i++) {
      const written = row[i + 1] as string | null
      const { multiple } = parts[i] as Part
      if (written === null ? multiple : written === '' || !isFinal(written)) return undefined
      all.push(written === null ? undefined : multiple ? severalOf(written) : { text: written, rows: 1 })
    }
    if (row[0] === null) return undefined
    texts.push(finish(row[0] as string))
    belonging.push(all)
  }
  return { texts, belonging }
}

function severalOf (written: string): RowTexts | undefined {
  const space = written.indexOf(' ')
  const rows = Number(written.slice(0, space))
  return rows === 0 ? undefined : { text: written.slice(space + 1), rows }
}
