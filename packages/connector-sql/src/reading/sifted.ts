/** Reading through a sieve: rows come batch by batch, JavaScript keeps what the reference lets through. */
import { chain, inTurns, sortInTurns, type MaybePromise, type Query, type Row, type Work } from '@fastback/core'
import type { TakeRows } from '../dialects/dialect.js'
import { collectCondition, whereSql } from '../query/condition.js'
import type { Target, Written } from '../query/select.js'
import { Placeholders, Shape } from '../query/shape.js'
import type { Sieve } from '../query/sieve.js'
import type { Table } from '../tables/table.js'
import { inBatches } from './batches.js'
import { sizeOfRaw, type Reader } from './reader.js'

/** Raw rows of a query; those of `target`, with what the sieve needed behind them. */
export function siftedRows (reader: Reader, query: Query, target: Target, sieve: Sieve): MaybePromise<unknown[][]> {
  const { table, order } = sieve
  const { work } = reader
  // Statements are kept by the numbers of readings, which each table has of its own.
  const own = {
    ...target,
    reading: table.reading(target.reading.select),
    also: [...(target.also ?? []), ...sieve.sources]
  }
  const width = (own.kind === 'rows' ? own.reading.width : own.reading.jsonWidth) + (target.also?.length ?? 0)
  const asked: Query = {
    ...query,
    where: sieve.where,
    limit: undefined,
    skip: 0,
    order: order === undefined ? query.order : []
  }
  const kept = order === undefined ? new Page(query, work) : new Sorted(query, order, work)
  const take: TakeRows = rows => {
    let isEnough = false
    return chain(inTurns(rows.length, i => {
      const raw = rows[i] as unknown[]
      const row = sieve.row(raw, width)
      work?.spend(1 + sizeOfRaw(raw) / 64)
      isEnough = sieve.passes(row) && !kept.add(raw, row)
      return !isEnough
    }, work), () => !isEnough && chain(kept.settle(), () => true))
  }
  return chain(inBatches(reader, table, asked, own, take), () => kept.rows())
}

/** Rows in the order in which they come. */
class Page {
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

  /** Nothing is kept that is not wanted. */
  settle (): void {}

  rows (): unknown[][] {
    return this.#rows
  }
}

/** Characters of kept rows from which on it is looked whether all are wanted. */
const muchKept = 4_194_304

/** Rows that are sorted here. Of many, only as many are kept as the page needs. */
class Sorted {
  #kept: Array<{ readonly raw: unknown[], readonly row: Row }> = []
  #size = 0

  constructor (readonly query: Query, readonly order: (a: Row, b: Row) => number, readonly work: Work | undefined) {}

  add (raw: unknown[], row: Row): boolean {
    this.#kept.push({ raw, row })
    this.#size += sizeOfRaw(raw)
    return true
  }

  settle (): MaybePromise<void> {
    const { limit, skip } = this.query
    if (limit === undefined || (this.#kept.length <= 2 * (limit + skip) + 1000 && this.#size <= muchKept)) return
    return this.#sort(limit + skip)
  }

  #sort (most: number): MaybePromise<void> {
    const units = Math.max(10, this.query.order.length)
    return chain(sortInTurns(this.#kept, (a, b) => this.order(a.row, b.row), this.work, units), sorted => {
      sorted.length = Math.min(most, sorted.length)
      this.#kept = sorted
      this.#size = sorted.reduce((sum, { raw }) => sum + sizeOfRaw(raw), 0)
      this.work?.mustHold(0, this.#size)
    })
  }

  rows (): MaybePromise<unknown[][]> {
    const { limit, skip } = this.query
    const end = limit === undefined ? Infinity : skip + limit
    return chain(this.#sort(end), () => this.#kept.slice(skip).map(({ raw }) => raw))
  }
}

export function siftedCount (reader: Reader, sieve: Sieve): MaybePromise<number> {
  let count = 0
  return chain(eachSifted(reader, sieve, [], 'c', '', () => { count++ }), () => count)
}

const nothing = { names: [], extra: 'none' } as const

/**
 * Calls `take` with every row that the sieve lets through.
 * @param expressions what it gets of them
 * @param lock what locks them
 */
export function eachSifted (
  reader: Reader,
  sieve: Sieve,
  expressions: readonly string[],
  kind: string,
  lock: string,
  take: (raw: readonly unknown[]) => void
): MaybePromise<void> {
  const { session, work } = reader
  const { table } = sieve
  const all = [...expressions, ...sieve.sources]
  const each =
    (at: number): TakeRows =>
      rows =>
        chain(
          inTurns(
            rows.length,
            i => {
              const raw = rows[i] as unknown[]
              work?.spend(1 + sizeOfRaw(raw) / 64)
              if (sieve.passes(sieve.row(raw, at + expressions.length))) take(at === 0 ? raw : raw.slice(at))
            },
            work
          ),
          () => true
        )
  if (table.dialect.scans) {
    const { key, values, sql } = writeSifting(table, sieve, all, kind, lock)
    const taking = each(0)
    return session.scan(key, sql(), values, rows => {
      work?.renew()
      return taking(rows)
    })
  }
  const reading = table.reading(nothing)
  const query: Query = { where: sieve.where, order: [], limit: undefined, skip: 0, select: nothing, include: [] }
  return inBatches(reader, table, query, { kind: 'rows', reading, also: all }, each(reading.width))
}

/** SELECT of some expressions of the rows that a sieve looks at. */
function writeSifting (table: Table, sieve: Sieve, expressions: readonly string[], kind: string, lock = ''): Written {
  const shape = new Shape(`${table.number}S${kind}${expressions.join()}:`)
  collectCondition(sieve.where, table, shape)
  return {
    key: shape.key,
    values: shape.values,
    sql: () =>
      `SELECT ${expressions.join(', ')} FROM ${table.quoted}${whereSql(sieve.where, table, new Placeholders(table.dialect))}${lock}`
  }
}
