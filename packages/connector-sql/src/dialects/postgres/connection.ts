/**
 * Connections of PostgreSQL: the pool, which serves everything outside of transactions, and the ones that transactions
 * hold.
 */
import { setImmediate } from 'node:timers/promises'
import type { PoolClient, QueryArrayConfig, QueryArrayResult } from 'pg'
import type { MaybePromise } from '@fastback/core'
import { nextBatch } from '../../reading/reader.js'
import type { QueryResult, Part, Connection, Statement, TakeRows } from '../dialect.js'
import { IsolationLevelError, StoreError } from '../../errors.js'
import type { PostgresDatabase } from './database.js'
import { isLost, neverRan } from './errors.js'

/** A statement of a cache. Its name is what the server keeps it under. */
export interface StatementText { readonly name: string, readonly sql: string }

/** Rows of the first round trip, and of later ones at most, when a query is read batch by batch. */
const firstBatch = 200
const largestBatch = 1000

const raw = { getTypeParser: () => (value: unknown) => value } as unknown as NonNullable<QueryArrayConfig['types']>

const whole: Part = { limit: undefined, skip: 0 }

type Result = QueryArrayResult<unknown[]>

/** What both kinds of connection do alike. */
abstract class PostgresConnection implements Connection {
  constructor (readonly database: PostgresDatabase) {}

  /** Runs a statement that is not kept (name undefined) or one that is. */
  abstract run (sql: string, values: readonly unknown[], name?: string): Promise<Result>
  abstract atomically<T> (work: (connection: Connection) => MaybePromise<T>): Promise<T>
  abstract lock (name: string): Promise<void>
  abstract scan (key: string, sql: string, values: readonly unknown[], take: TakeRows, part?: Part): Promise<void>
  abstract rows (sql: string, values: readonly unknown[]): Promise<Array<Record<string, unknown>>>
  abstract begin (isolationLevel: string | undefined): Promise<void>
  abstract commit (): Promise<void>
  abstract rollback (): Promise<void>
  abstract close (): Promise<void>

  prepared (key: string): Statement | undefined {
    const text = this.database.statements.get(key)
    return text === undefined ? undefined : new PostgresStatement(this, text)
  }

  prepare (key: string, sql: string): Statement {
    return new PostgresStatement(this, this.database.keep(key, sql))
  }

  async execute (sql: string): Promise<void> {
    await this.run(sql, [])
  }

  async query (sql: string, values: readonly unknown[]): Promise<unknown[][]> {
    return (await this.run(sql, values)).rows
  }
}

class PostgresStatement implements Statement {
  constructor (readonly connection: PostgresConnection, readonly text: StatementText) {}

  async all (values: readonly unknown[]): Promise<unknown[][]> {
    return (await this.connection.run(this.text.sql, values, this.text.name)).rows
  }

  async get (values: readonly unknown[]): Promise<unknown[] | undefined> {
    return (await this.connection.run(this.text.sql, values, this.text.name)).rows[0]
  }

  async run (values: readonly unknown[]): Promise<QueryResult> {
    const { rowCount, rows: [first] } = await this.connection.run(this.text.sql, values, this.text.name)
    return { changes: rowCount ?? 0, insertedId: numberOf(first?.[0]) }
  }
}

/** The number that an INSERT gave; 0 for none. */
function numberOf (id: unknown): number | bigint {
  const number = Number(id ?? 0)
  return Number.isSafeInteger(number) ? number : BigInt(id as string)
}

const reads = (sql: string): boolean => sql.startsWith('SELECT')

/** Everything outside of transactions: each statement takes a connection of the pool. */
export class PoolConnection extends PostgresConnection {
  /**
   * Once more when the connection had been closed before the statement could run, and for reads also when nobody knows.
   */
  async run (sql: string, values: readonly unknown[], name?: string): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#with(async client => await runOn(this.database, client, sql, values, name))
      } catch (error) {
        if (attempt === this.database.attempts || !(neverRan(error) || (reads(sql) && isLost(error)))) throw error
        await setImmediate()
      }
    }
  }

  async #with<T> (work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.database.connect()
    try {
      const result = await work(client)
      client.release()
      return result
    } catch (error) {
      client.release(isLost(error))
      throw error
    }
  }

  async rows (sql: string, values: readonly unknown[]): Promise<Array<Record<string, unknown>>> {
    return await this.#with(
      async client => (await client.query(sql, [...values])).rows as Array<Record<string, unknown>>
    )
  }

  async atomically<T> (work: (connection: Connection) => MaybePromise<T>): Promise<T> {
    const connection = await this.database.reserve()
    try {
      await connection.begin(undefined)
      const result = await work(connection)
      await connection.commit()
      return result
    } catch (error) {
      await connection.rollback()
      throw error
    } finally {
      this.database.release(connection)
    }
  }

  /** Few rows come at once; more are read in a transaction, all as they were at its beginning. */
  async scan (key: string, sql: string, values: readonly unknown[], take: TakeRows, part: Part = whole): Promise<void> {
    const size = Math.min(firstBatch, part.limit ?? firstBatch)
    const page = `${sql} LIMIT $${values.length + 1} OFFSET $${values.length + 2}`
    const { rows } = await this.run(page, [...values, size, part.skip], this.database.keep(`${key}|first`, page).name)
    if (rows.length < firstBatch) await take(rows)
    else await this.atomically(async connection => { await connection.scan(key, sql, values, take, part) })
  }

  async lock (): Promise<void> {}
  async begin (): Promise<void> {}
  async commit (): Promise<void> {}
  async rollback (): Promise<void> {}
  async close (): Promise<void> {}
}

const levels: readonly string[] = ['READ UNCOMMITTED', 'READ COMMITTED', 'REPEATABLE READ', 'SERIALIZABLE']

/** @throws FBK_SQL_ISOLATION_LEVEL */
function levelOf (given: string): string {
  const level = given.toUpperCase().replaceAll('_', ' ')
  if (!levels.includes(level)) throw new IsolationLevelError(given, levels.join(', '))
  return level
}

/**
 * A transaction on a connection of its own. An error of a statement leaves the transaction usable, as with the other
 * stores: writes stand behind a savepoint, unless the transaction has done nothing yet and can begin anew.
 */
export class TransactionConnection extends PostgresConnection {
  #tail: Promise<unknown> = Promise.resolve()
  #begin = 'BEGIN'
  #fresh = true
  #cursors = 0
  /** The connection is no longer usable. */
  lost = false

  constructor (
    database: PostgresDatabase,
    readonly client: PoolClient,
    readonly depth = 0
  ) {
    super(database)
  }

  /** One statement after the other: what stands behind a savepoint must not be mixed with anything else. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(work)
    this.#tail = result.catch(() => {})
    return result
  }

  async #send (sql: string, values: readonly unknown[] = [], name?: string): Promise<Result> {
    try {
      return await runOn(this.database, this.client, sql, values, name)
    } catch (error) {
      this.lost ||= isLost(error)
      throw error
    }
  }

  run (sql: string, values: readonly unknown[], name?: string): Promise<Result> {
    return this.#inTurn(async () => await this.#guarded(!reads(sql), async () => await this.#send(sql, values, name)))
  }

  rows (sql: string, values: readonly unknown[]): Promise<Array<Record<string, unknown>>> {
    return this.#inTurn(
      async () =>
        await this.#guarded(
          true,
          async () => (await this.client.query(sql, [...values])).rows as Array<Record<string, unknown>>
        )
    )
  }

  async #guarded<T>(writes: boolean, work: () => Promise<T>): Promise<T> {
    const fresh = this.#fresh && this.depth === 0
    this.#fresh = false
    if (!fresh && !writes) return await work()
    const savepoint = `fastback_${this.depth}`
    if (!fresh) await this.#send(`SAVEPOINT ${savepoint}`)
    try {
      const result = await work()
      if (!fresh) await this.#send(`RELEASE ${savepoint}`)
      return result
    } catch (error) {
      if (this.lost) throw error
      await this.#send(fresh ? `ROLLBACK; ${this.#begin}` : `ROLLBACK TO ${savepoint}; RELEASE ${savepoint}`)
      this.#fresh = fresh
      throw error
    }
  }

  atomically<T>(work: (connection: Connection) => MaybePromise<T>): Promise<T> {
    return this.#inTurn(async () => {
      const savepoint = `fastback_nested_${this.depth}`
      this.#fresh = false
      await this.#send(`SAVEPOINT ${savepoint}`)
      const within = new TransactionConnection(this.database, this.client, this.depth + 1)
      try {
        const result = await work(within)
        await this.#send(`RELEASE ${savepoint}`)
        return result
      } catch (error) {
        this.lost ||= within.lost
        if (!this.lost) await this.#send(`ROLLBACK TO ${savepoint}; RELEASE ${savepoint}`)
        throw error
      }
    })
  }

  lock (name: string): Promise<void> {
    return this.#inTurn(async () => {
      this.#fresh = false
      await this.#send('SELECT pg_advisory_xact_lock(hashtextextended($1::text, 0))', [`fastback ${name}`])
    })
  }

  scan (
    _key: string,
    sql: string,
    values: readonly unknown[],
    take: TakeRows,
    { limit, skip }: Part = whole
  ): Promise<void> {
    return this.#inTurn(async () => {
      this.#fresh = false
      const cursor = `fastback_${this.depth}_${this.#cursors++}`
      // Numbers that the parser has checked; NULL is no limit. A lock stands behind them.
      const [, query, lock = ''] = /^(.*?)( FOR UPDATE)?$/s.exec(sql) as unknown as [string, string, string | undefined]
      await this.#send(
        `DECLARE ${cursor} NO SCROLL CURSOR FOR ${query} LIMIT ${limit ?? 'NULL'} OFFSET ${skip}${lock}`,
        values
      )
      for (let size = firstBatch; ;) {
        const { rows } = await this.#send(`FETCH ${size} FROM ${cursor}`)
        const isLast = rows.length < size
        size = nextBatch(rows, largestBatch)
        if (!(await take(rows)) || isLast) break
      }
      await this.#send(`CLOSE ${cursor}`)
    })
  }

  async begin (isolationLevel: string | undefined): Promise<void> {
    if (isolationLevel !== undefined) this.#begin = `BEGIN ISOLATION LEVEL ${levelOf(isolationLevel)}`
    await this.#send(this.#begin)
  }

  commit (): Promise<void> {
    return this.#inTurn(async () => {
      // After a read that failed (a time-out) the server rolls back, and says so without an error.
      const { command } = await this.#send('COMMIT')
      if (command === 'ROLLBACK') throw new StoreError('a statement of the transaction had failed; it was rolled back')
    })
  }

  /** What was lost is rolled back by the server. */
  rollback (): Promise<void> {
    return this.#inTurn(async () => {
      try {
        if (!this.lost) await this.#send('ROLLBACK')
      } catch (error) {
        if (!this.lost) throw error
      }
    })
  }

  async close (): Promise<void> {}
}

/** Runs a statement on a connection. The server keeps as many prepared statements as the setting says. */
async function runOn (
  database: PostgresDatabase,
  client: PoolClient,
  sql: string,
  values: readonly unknown[],
  name: string | undefined
): Promise<Result> {
  const config: QueryArrayConfig = { text: sql, values: values as unknown[], rowMode: 'array', types: raw }
  if (name !== undefined && database.statementLimit > 0) {
    if (database.mayPrepare(client, name)) await client.query('DEALLOCATE ALL')
    config.name = name
  }
  return await client.query<unknown[]>(config)
}
