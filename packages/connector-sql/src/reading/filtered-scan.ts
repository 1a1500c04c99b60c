/** Rows that come from the database batch by batch, and that a residual filter (in JavaScript) tests. */
import type { MaybePromise, Query, Row, Work } from '@fastback/core'
import { chain, inSlices, queryTooExpensive, skipTooExpensive, sortInSlices } from '@fastback/core/connector'
import type { TakeRows } from '../dialects/driver.js'
import { collectCondition, whereSql } from '../query/condition.js'
import type { Target, CompiledQuery } from '../query/select.js'
import { Placeholders, StatementBuilder } from '../query/statement-builder.js'
import type { ResidualFilter } from '../query/residual-filter.js'
import type { Table } from '../tables/table.js'
import { inBatches } from './batches.js'
import { sizeOfRaw, type Reader } from './reader.js'

/** Raw rows of a query; those of `target`, with what the residual filter needed behind them. */
export function filteredRows (
  reader: Reader,
  query: Query,
  target: Target,
  residual: ResidualFilter
): MaybePromise<unknown[][]> {
  const { table, order } = residual
  const { work } = reader
  // Statements are kept by the numbers of projections, which each table has of its own.
  const own = {
    ...target,
    projection: table.projection(target.projection.select),
    also: [...(target.also ?? []), ...residual.sources]
  }
  const width = (own.kind === 'rows' ? own.projection.width : own.projection.jsonWidth) + (target.also?.length ?? 0)
  const asked: Query = {
    ...query,
    where: residual.where,
    limit: undefined,
    skip: 0,
    order: order === undefined ? query.order : []
  }
  const page = order === undefined ? new StoredOrderPage(query, work) : new SortedPage(query, order, work)
  return chain(inBatches(reader, table, asked, own, take), () => page.rows())

  function take (rows: unknown[][]): MaybePromise<boolean> {
    let isEnough = false
    const tested = inSlices(
      rows.length,
      i => {
        const raw = rows[i] as unknown[]
        const row = residual.row(raw, width)
        work?.spend(1 + sizeOfRaw(raw) / 64)
        isEnough = residual.passes(row) && !page.add(raw, row)
        return !isEnough
      },
      work
    )
    return chain(tested, () => !isEnough && chain(page.dropSurplus(), () => true))
  }
}

/** The page asked for, of rows that the database puts in order. */
class StoredOrderPage {
  readonly #rows: unknown[][] = []
  #skipped = 0

  constructor (readonly query: Query, readonly work: Work | undefined) {}

  /** Whether more are wanted. */
  add (raw: unknown[]): boolean {
    if (this.#skipped < this.query.skip) this.#skipped++
    else {
      this.work?.read(sizeOfRaw(raw))
      this.#rows.push(raw)
    }
    return this.query.limit === undefined || this.#rows.length < this.query.limit
  }

  /** There is none: only rows of the page are added. */
  dropSurplus (): void {}

  rows (): unknown[][] {
    return this.#rows
  }
}

/** Characters of collected rows from which on those that cannot be on the page are dropped. */
const largeSize = 4_194_304

/** The page asked for, of rows that are sorted here. Of many, only as many stay in memory as the page needs. */
class SortedPage {
  #rows: Array<{ readonly raw: unknown[], readonly row: Row }> = []
  #size = 0

  constructor (readonly query: Query, readonly order: (a: Row, b: Row) => number, readonly work: Work | undefined) {}

  add (raw: unknown[], row: Row): boolean {
    this.#rows.push({ raw, row })
    this.#size += sizeOfRaw(raw)
    return true
  }

  /** Drops rows that cannot be on the page, when many have come. */
  dropSurplus (): MaybePromise<void> {
    const { limit, skip } = this.query
    if (limit === undefined || (this.#rows.length <= 2 * (limit + skip) + 1000 && this.#size <= largeSize)) return
    return this.#sort(limit + skip)
  }

  #sort (most: number): MaybePromise<void> {
    const units = Math.max(10, this.query.order.length)
    return chain(sortInSlices(this.#rows, (a, b) => this.order(a.row, b.row), this.work, units), sorted => {
      sorted.length = Math.min(most, sorted.length)
      this.#rows = sorted
      this.#size = sorted.reduce((sum, { raw }) => sum + sizeOfRaw(raw), 0)
      if (this.work !== undefined && this.#size > this.work.bytes) throw this.#tooLarge(this.work.bytes)
    })
  }

  /** What is too much to be held: what is skipped, or the page. */
  #tooLarge (most: number): Error {
    const { limit, skip } = this.query
    return limit !== undefined && skip > limit ? skipTooExpensive(most) : queryTooExpensive('bytes', most)
  }

  rows (): MaybePromise<unknown[][]> {
    const { limit, skip } = this.query
    const end = limit === undefined ? Infinity : skip + limit
    return chain(this.#sort(end), () => this.#rows.slice(skip).map(({ raw }) => raw))
  }
}

export function filteredCount (reader: Reader, residual: ResidualFilter): MaybePromise<number> {
  let count = 0
  return chain(eachFiltered(reader, residual, [], 'c', '', () => { count++ }), () => count)
}

const nothing = { names: [], extra: 'none' } as const

/**
 * Calls `take` with every row that the residual filter lets through.
 * @param expressions what it gets of them
 * @param lock what locks them
 */
export function eachFiltered (
  reader: Reader,
  residual: ResidualFilter,
  expressions: readonly string[],
  kind: string,
  lock: string,
  take: (raw: readonly unknown[]) => void
): MaybePromise<void> {
  const { connection, work } = reader
  const { table } = residual
  const all = [...expressions, ...residual.sources]
  /** `at`: how many raw values stand before those of `expressions`. */
  const each = (at: number): TakeRows => rows => {
    const tested = inSlices(
      rows.length,
      i => {
        const raw = rows[i] as unknown[]
        work?.spend(1 + sizeOfRaw(raw) / 64)
        if (residual.passes(residual.row(raw, at + expressions.length))) take(at === 0 ? raw : raw.slice(at))
      },
      work
    )
    return chain(tested, () => true)
  }
  if (table.dialect.scans) {
    const { key, values, sql } = compileScan(table, residual, all, kind, lock)
    const taking = each(0)
    return connection.scan(key, sql(), values, rows => {
      work?.renew()
      return taking(rows)
    })
  }
  const projection = table.projection(nothing)
  const query: Query = { where: residual.where, order: [], limit: undefined, skip: 0, select: nothing, include: [] }
  return inBatches(reader, table, query, { kind: 'rows', projection, also: all }, each(projection.width))
}

/** SELECT of some expressions of the rows that a residual filter looks at. */
function compileScan (
  table: Table,
  residual: ResidualFilter,
  expressions: readonly string[],
  kind: string,
  lock = ''
): CompiledQuery {
  const builder = new StatementBuilder(`${table.number}S${kind}${expressions.join()}:`)
  collectCondition(residual.where, table, builder)
  return {
    key: builder.key,
    values: builder.values,
    sql: () =>
      `SELECT ${expressions.join(', ')} FROM ${table.quoted}${whereSql(residual.where, table, new Placeholders(table.dialect))}${lock}`
  }
}
