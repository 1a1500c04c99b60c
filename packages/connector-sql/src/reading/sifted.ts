/** Reading through a sieve: rows come batch by batch, JavaScript keeps what the reference lets through. */
import { chain, type MaybePromise, type Query, type Row } from '@fastback/core'
import type { Session } from '../dialects/dialect.js'
import { collectCondition, whereSql } from '../query/condition.js'
import { writeFind, type Target, type Written } from '../query/select.js'
import { Placeholders, Shape } from '../query/shape.js'
import type { Sieve } from '../query/sieve.js'
import type { Table } from '../tables/table.js'

/** Raw rows of a query; those of `target`, with what the sieve needed behind them. */
export function siftedRows (session: Session, table: Table, query: Query, target: Target, sieve: Sieve): MaybePromise<unknown[][]> {
  const width = (target.kind === 'rows' ? target.reading.width : target.reading.jsonWidth) + (target.also?.length ?? 0)
  const asked: Query = { ...query, where: sieve.where, limit: undefined, skip: 0, order: sieve.order === undefined ? query.order : [] }
  const { key, values, sql } = writeFind(table, asked, { ...target, also: [...target.also ?? [], ...sieve.sources] })
  const kept = sieve.order === undefined ? new Page(query) : new Sorted(query, sieve.order)
  return chain(session.scan(key, sql(), values, rows => {
    for (const raw of rows) {
      const row = sieve.row(raw, width)
      if (sieve.passes(row) && !kept.add(raw, row)) return false
    }
    return true
  }), () => kept.rows)
}

/** Rows in the order in which they come. */
class Page {
  readonly rows: unknown[][] = []
  #skipped = 0

  constructor (readonly query: Query) {}

  /** Whether more are wanted. */
  add (raw: unknown[]): boolean {
    if (this.#skipped < this.query.skip) this.#skipped++
    else this.rows.push(raw)
    return this.query.limit === undefined || this.rows.length < this.query.limit
  }
}

/** Rows that are sorted here. Of many, only as many are kept as the page needs. */
class Sorted {
  #kept: Array<{ readonly raw: unknown[], readonly row: Row }> = []

  constructor (readonly query: Query, readonly order: (a: Row, b: Row) => number) {}

  add (raw: unknown[], row: Row): boolean {
    this.#kept.push({ raw, row })
    const { limit, skip } = this.query
    if (limit !== undefined && this.#kept.length > 2 * (limit + skip) + 1000) this.#sort(limit + skip)
    return true
  }

  #sort (most?: number): void {
    this.#kept.sort((a, b) => this.order(a.row, b.row))
    if (most !== undefined) this.#kept.length = Math.min(most, this.#kept.length)
  }

  get rows (): unknown[][] {
    this.#sort()
    const { limit, skip } = this.query
    return this.#kept.slice(skip, limit === undefined ? undefined : skip + limit).map(({ raw }) => raw)
  }
}

export function siftedCount (session: Session, table: Table, sieve: Sieve): MaybePromise<number> {
  let count = 0
  const { key, values, sql } = writeSifting(table, sieve, sieve.sources, 'c')
  return chain(session.scan(key, sql(), values, rows => {
    for (const raw of rows) if (sieve.passes(sieve.row(raw, 0))) count++
    return true
  }), () => count)
}

/** SELECT of some expressions of the rows that a sieve looks at. */
export function writeSifting (table: Table, sieve: Sieve, expressions: readonly string[], kind: string, lock = ''): Written {
  const shape = new Shape(`${table.number}S${kind}${expressions.join()}:`)
  collectCondition(sieve.where, table, shape)
  return {
    key: shape.key,
    values: shape.values,
    sql: () => `SELECT ${expressions.join(', ')} FROM ${table.quoted}${whereSql(sieve.where, table, new Placeholders(table.dialect))}${lock}`
  }
}
