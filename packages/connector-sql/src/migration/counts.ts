/** How many rows of a table a plan is about. */
import { mostCounted } from '@fastback/core/connector'
import type { MaybePromise } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import type { Dialect } from '../dialects/dialect.js'
import type { Connection } from '../dialects/driver.js'
import type { IndexDesign } from './design.js'

/** Counts up to `mostCounted`. Asks for each number once. */
export class Counts {
  readonly #known = new Map<string, MaybePromise<number>>()

  /** @param table the name as statements have it */
  constructor (readonly connection: Connection, readonly dialect: Dialect, readonly table: string) {}

  /** All rows. */
  rows (): MaybePromise<number> {
    return this.#count('')
  }

  /** Rows without a value in a column. */
  without (column: string): MaybePromise<number> {
    return this.#count(` WHERE ${this.dialect.quote(column)} IS NULL`)
  }

  /** Values, or combinations of them, that several rows have where an index lets one have them. */
  repeated ({ columns, exceptBlank, live }: IndexDesign): MaybePromise<number> {
    const names = columns.map(({ name }) => this.dialect.quote(name))
    const conditions = [
      ...names.map(name => `${name} IS NOT NULL`),
      ...(exceptBlank === true ? [`${names[0] as string} <> ''`] : []),
      ...(live === undefined ? [] : [`${this.dialect.quote(live)} IS NULL`])
    ]
    return this.#count(` WHERE ${conditions.join(' AND ')} GROUP BY ${names.join(', ')} HAVING count(*) > 1`)
  }

  #count (rest: string): MaybePromise<number> {
    let count = this.#known.get(rest)
    if (count === undefined) {
      const sql = `SELECT count(*) FROM (SELECT 1 AS one FROM ${this.table}${rest} LIMIT ${mostCounted}) counted`
      count = chain(this.connection.query(sql, []), ([row]) => Number(row?.[0]))
      this.#known.set(rest, count)
    }
    return count
  }
}
