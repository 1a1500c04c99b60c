/** SELECT statements, one per shape of query. */
import type { Condition, Query } from '@fastback/core'
import { fewRows } from '@fastback/core/connector'
import type { JsonWriter } from '../dialects/column-types.js'
import type { Connection, Statement } from '../dialects/driver.js'
import type { Projection } from '../reading/projection.js'
import type { Table } from '../tables/table.js'
import { collectCondition, conditionSql, whereSql } from './condition.js'
import { equalsSql } from './equality.js'
import { hasLinks } from './link.js'
import { collectOrder, orderSql } from './order.js'
import { Placeholders, StatementBuilder } from './statement-builder.js'

/** A statement and what to bind to it. */
export interface Prepared {
  readonly statement: Statement
  readonly values: readonly unknown[]
}

/**
 * What a find reads: values for rows, or for JSON text, or the JSON text of the whole list (where
 * `Projection.listable`).
 */
export interface Target {
  readonly kind: 'rows' | 'json' | 'list'
  readonly projection: Projection
  /** Expressions behind these: the keys of an include, what a residual filter needs. */
  readonly also?: readonly string[]
}

/** A query as text and values, with the key that its statement is prepared under. */
export interface CompiledQuery {
  readonly key: string
  readonly values: readonly unknown[]
  sql (): string
}

/** The SELECT of a query. */
export function prepareFind (connection: Connection, table: Table, query: Query, target: Target): Prepared {
  const { key, values, sql } = compileFind(table, query, target)
  return { statement: connection.prepared(key) ?? connection.prepare(key, sql()), values }
}

export function compileFind (table: Table, query: Query, target: Target): CompiledQuery {
  const builder = new StatementBuilder(`${table.number}${target.kind[0]}${target.projection.number}:`)
  if (target.also !== undefined) builder.key += `${target.also.join()}:`
  collectPage(query, table, builder, hasFixedLimit(query, table))
  return { key: builder.key, values: builder.values, sql: () => findSql(table, query, target) }
}

/**
 * Whether the limit of a query stands in the statement: where no other value tells the database how many rows there are
 * (none is bound, or it is one of related rows), it then keeps its plan.
 */
const hasFixedLimit = ({ where, limit }: Query, { dialect }: Table): boolean =>
  dialect.plansByLimit && limit !== undefined && limit <= fewRows && (where === undefined || hasLinks(where))

/**
 * Adds what stands behind the columns of a SELECT.
 * @param fixed whether the limit stands in the statement, and is not bound
 */
export function collectPage (query: Query, table: Table, builder: StatementBuilder, fixed = false): void {
  collectCondition(query.where, table, builder)
  collectOrder(query, table, builder)
  const { limit, skip } = query
  if (limit !== undefined) {
    builder.key += fixed ? `L${limit}` : 'L'
    if (!fixed) builder.values.push(limit)
  }
  if (skip > 0) { builder.key += 'S'; builder.values.push(skip) }
}

/** FROM and what follows, of a query that `collectPage` has seen. */
export function pageSql (query: Query, table: Table, placeholders: Placeholders, fixed = false): string {
  const where = whereSql(query.where, table, placeholders)
  const order = orderSql(query, table, placeholders)
  return `FROM ${table.quoted}${where}${order}${limitSql(query, table, placeholders, fixed)}`
}

/** LIMIT and OFFSET. */
export function limitSql (
  { limit, skip }: Query, { dialect }: Table, placeholders: Placeholders, fixed: boolean
): string {
  return dialect.page(
    limit === undefined ? undefined : fixed ? String(limit) : placeholders.next(),
    skip > 0 ? placeholders.next() : undefined
  )
}

function findSql (table: Table, query: Query, target: Target): string {
  const { dialect } = table
  const rows = pageSql(query, table, new Placeholders(dialect), hasFixedLimit(query, table))
  // A database that writes the text of rows would write that of those which are skipped, too: up to the page's end.
  const sql = target.kind !== 'rows' && dialect.json !== undefined && query.skip > 0
    ? `SELECT ${selected(target)} FROM (SELECT * ${rows}) AS page`
    : `SELECT ${selected(target)} ${rows}`
  return target.kind === 'list' ? (dialect.json as JsonWriter).list(sql) : sql
}

function selected ({ kind, projection, also = [] }: Target): string {
  return [kind === 'rows' ? projection.list : projection.jsonList, ...also].join(', ')
}

/**
 * The SELECT of one row by its id.
 * @param byKey whether the value of the table's key is bound as well
 * @param ending what stands behind it
 */
export function prepareById (
  connection: Connection,
  table: Table,
  projection: Projection,
  kind: 'rows' | 'json',
  byKey = false,
  ending = ''
): Statement {
  const key = `${table.number}${kind === 'rows' ? 'R' : 'J'}${byKey ? 'k' : ''}${projection.number}${ending}`
  const known = connection.prepared(key)
  if (known !== undefined) return known
  const list = kind === 'rows' ? projection.list : projection.jsonList
  return connection.prepare(
    key,
    `SELECT ${list} FROM ${table.quoted} WHERE ${idIs(table, new Placeholders(table.dialect), byKey)}${ending}`
  )
}

/** The same of the row with an id that a condition leaves. @param id the values of the id (`boundId`) */
export function prepareByIdWhere (
  connection: Connection, table: Table, projection: Projection, id: readonly unknown[], where: Condition
): Prepared {
  const builder = new StatementBuilder(`${table.number}W${projection.number}:`)
  for (const value of id) builder.values.push(value)
  collectCondition(where, table, builder)
  const { key, values } = builder
  return { statement: connection.prepared(key) ?? connection.prepare(key, sqlOf()), values }

  function sqlOf (): string {
    const placeholders = new Placeholders(table.dialect)
    const isOne = idIs(table, placeholders)
    return `SELECT ${projection.jsonList} FROM ${table.quoted} WHERE ${isOne} AND ${conditionSql(where, table, placeholders)}`
  }
}

/** That the id is the one whose values are bound (`boundId`), and what the table is keyed by. */
export function idIs ({ id, keyedBy }: Table, placeholders: Placeholders, byKey = false): string {
  if (id === undefined) return '1 = 0'
  const columns = byKey && keyedBy !== undefined ? [id, keyedBy] : [id]
  return columns.map(column => equalsSql(column, () => placeholders.next())).join(' AND ')
}

/** SELECT count(*). */
export function prepareCount (connection: Connection, table: Table, where: Condition | undefined): Prepared {
  const builder = new StatementBuilder(`${table.number}C`)
  collectCondition(where, table, builder)
  const known = connection.prepared(builder.key)
  if (known !== undefined) return { statement: known, values: builder.values }
  const sql = `SELECT count(*) FROM ${table.quoted}${whereSql(where, table, new Placeholders(table.dialect))}`
  return { statement: connection.prepare(builder.key, sql), values: builder.values }
}
