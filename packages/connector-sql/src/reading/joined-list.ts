/**
 * A list as one text that the database puts together, for drivers that take long to hand over a value: a list of a
 * hundred rows then takes two thirds of the time.
 */
import type { MaybePromise, Query } from '@fastback/core'
import { chain, fewRows } from '@fastback/core/connector'
import { residualFilterOf } from '../query/residual-filter.js'
import { collectPage, pageSql } from '../query/select.js'
import { Placeholders, StatementBuilder } from '../query/statement-builder.js'
import type { Reader } from './reader.js'

/** Shorter lists gain nothing. */
const fewest = 20

/**
 * The JSON array of the rows.
 * @returns undefined, now or later, where JavaScript has to look at the rows, or is as fast
 */
export function readJoined (reader: Reader, query: Query): MaybePromise<string | undefined> {
  const { connection, table, work } = reader
  const { dialect: { texts } } = table
  if (connection.isDear !== true || texts === undefined) return undefined
  const { limit } = query
  if (limit === undefined || limit < fewest || limit > fewRows) return undefined
  const { rowText, number } = table.projection(query.select)
  if (rowText === undefined || residualFilterOf(table, query.where, work, query) !== undefined) return undefined
  const builder = new StatementBuilder(`${table.number}t${number}:`)
  collectPage(query, table, builder)
  const { key, values } = builder
  if (table.refrained.has(key)) return undefined
  const statement = connection.prepared(key) ?? connection.prepare(key, sqlOf())
  return chain(statement.get(values), raw => {
    const [written, rows, texts] = raw as unknown as readonly [string | null, unknown, unknown]
    if (rows !== texts) {
      table.refrained.add(key)
      return undefined
    }
    work?.mustHold(Number(rows))
    return `[${written ?? ''}]`
  })

  function sqlOf (): string {
    const page = pageSql(query, table, new Placeholders(table.dialect))
    const text = table.unused('row_text')
    const rows = `(SELECT ${rowText} AS ${text} ${page}) AS page`
    return `SELECT ${texts?.joined(text, ',')}, count(*), count(${text}) FROM ${rows}`
  }
}
