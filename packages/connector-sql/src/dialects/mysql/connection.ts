/**
 * Connections of MySQL: the pool, which serves everything outside of transactions, and the ones that transactions hold.
 */
import { createHash } from 'node:crypto'
import type { PoolConnection as ServerConnection, ResultSetHeader } from 'mysql2/promise'
import type { MaybePromise } from '@fastback/core'
import { databaseBusy, IsolationLevelError, StoreError } from '../../errors.js'
import { nextBatch } from '../../reading/reader.js'
import type { QueryResult, Part, Connection, Statement, TakeRows } from '../dialect.js'
import type { MysqlDatabase } from './database.js'
import { isLost, neverRan, undoesAll } from './errors.js'

type Result = readonly unknown[][] | ResultSetHeader

/** Rows of the first round trip, and of later ones at most, when a query is read batch by batch. */
const firstBatch = 200
const largestBatch = 16_000

const whole: Part = { limit: undefined, skip: 0 }

abstract class MysqlConnection implements Connection {
  constructor (readonly database: MysqlDatabase) {}

  /** Runs a statement with values bound; prepared, unless it runs only once. */
  abstract run (sql: string, values: readonly unknown[], once?: boolean): Promise<Result>
  abstract atomically<T> (work: (connection: Connection) => MaybePromise<T>): Promise<T>
  abstract lock (name: string): Promise<void>
  abstract scan (key: string, sql: string, values: readonly unknown[], take: TakeRows, part?: Part): Promise<void>
  abstract rows (sql: string, values: readonly unknown[]): Promise<Array<Record<string, unknown>>>
  abstract begin (isolationLevel: string | undefined): Promise<void>
  abstract commit (): Promise<void>
  abstract rollback (): Promise<void>

  /** The driver keeps prepared statements by their text, as many as the setting says. */
  prepared (key: string): Statement | undefined {
    const sql = this.database.statements.get(key)
    return sql === undefined ? undefined : new MysqlStatement(this, sql)
  }

  prepare (key: string, sql: string): Statement {
    this.database.statements.set(key, sql)
    return new MysqlStatement(this, sql)
  }

  async execute (sql: string): Promise<void> {
    await this.run(sql, [], true)
  }

  async query (sql: string, values: readonly unknown[]): Promise<unknown[][]> {
    return await this.run(sql, values) as unknown[][]
  }

  async close (): Promise<void> {}
}

class MysqlStatement implements Statement {
  constructor (readonly connection: MysqlConnection, readonly sql: string) {}

  async all (values: readonly unknown[]): Promise<unknown[][]> {
    return await this.connection.run(this.sql, values) as unknown[][]
  }

  async get (values: readonly unknown[]): Promise<unknown[] | undefined> {
    return (await this.connection.run(this.sql, values) as unknown[][])[0]
  }

  async run (values: readonly unknown[]): Promise<QueryResult> {
    const { affectedRows, insertId } = await this.connection.run(this.sql, values) as ResultSetHeader
    return {
      changes: affectedRows,
      insertedId: Number.isSafeInteger(Number(insertId)) ? Number(insertId) : BigInt(insertId)
    }
  }
}

const reads = (sql: string): boolean => sql.startsWith('SELECT')

/** Everything outside of transactions: each statement takes a connection of the pool. */
export class PoolConnection extends MysqlConnection {
  /**
   * Once more when the connection had been closed before the statement could run, and for reads also when nobody knows.
   */
  async run (sql: string, values: readonly unknown[], once = false): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#with(async connection => await runOn(connection, sql, values, once))
      } catch (error) {
        if (attempt === this.database.attempts || !(neverRan(error) || (reads(sql) && isLost(error)))) throw error
      }
    }
  }

  async #with<T> (work: (connection: ServerConnection) => Promise<T>): Promise<T> {
    const connection = await this.database.connect()
    try {
      const result = await work(connection)
      connection.release()
      return result
    } catch (error) {
      if (isLost(error)) connection.destroy()
      else connection.release()
      throw error
    }
  }

  async rows (sql: string, values: readonly unknown[]): Promise<Array<Record<string, unknown>>> {
    return await this.#with(async connection => await rowsOn(connection, sql, values))
  }

  async atomically<T> (work: (connection: Connection) => MaybePromise<T>): Promise<T> {
    return await this.#transacted(undefined, work)
  }

  async #transacted<T> (level: string | undefined, work: (connection: Connection) => MaybePromise<T>): Promise<T> {
    const connection = await this.database.reserve()
    try {
      await connection.begin(level)
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
    const rows = (await this.run(
      pageOf(sql, Math.min(firstBatch, part.limit ?? firstBatch), part.skip),
      values
    )) as unknown[][]
    if (rows.length < firstBatch) await take(rows)
    else {
      await this.#transacted('REPEATABLE READ', async connection => {
        await connection.scan(key, sql, values, take, part)
      })
    }
  }

  async lock (): Promise<void> {}
  async begin (): Promise<void> {}
  async commit (): Promise<void> {}
  async rollback (): Promise<void> {}
}

const levels: readonly string[] = ['READ UNCOMMITTED', 'READ COMMITTED', 'REPEATABLE READ', 'SERIALIZABLE']

/**
 * A transaction on a connection of its own. A statement that fails takes only itself back; a deadlock ends the
 * transaction.
 */
export class TransactionConnection extends MysqlConnection {
  #tail: Promise<unknown> = Promise.resolve()
  #locks: string[] = []
  /** The connection is no longer usable. */
  lost = false
  #undone = false

  constructor (
    database: MysqlDatabase,
    readonly raw: ServerConnection,
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

  async #send<T>(work: (connection: ServerConnection) => Promise<T>): Promise<T> {
    // What comes after a deadlock would not be in a transaction.
    if (this.#undone) throw databaseBusy()
    try {
      return await work(this.raw)
    } catch (error) {
      this.lost ||= isLost(error)
      this.#undone ||= undoesAll(error)
      throw error
    }
  }

  async #say (sql: string): Promise<void> {
    await this.#send(async connection => await connection.query(sql))
  }

  run (sql: string, values: readonly unknown[], once = false): Promise<Result> {
    return this.#inTurn(async () => await this.#send(async connection => await runOn(connection, sql, values, once)))
  }

  rows (sql: string, values: readonly unknown[]): Promise<Array<Record<string, unknown>>> {
    return this.#inTurn(async () => await this.#send(async connection => await rowsOn(connection, sql, values)))
  }

  atomically<T>(work: (connection: Connection) => MaybePromise<T>): Promise<T> {
    return this.#inTurn(async () => {
      const savepoint = `fastback_${this.depth}`
      await this.#say(`SAVEPOINT ${savepoint}`)
      const within = new TransactionConnection(this.database, this.raw, this.depth + 1)
      try {
        const result = await work(within)
        await this.#say(`RELEASE SAVEPOINT ${savepoint}`)
        return result
      } catch (error) {
        this.lost ||= within.lost
        this.#undone ||= within.#undone
        if (!this.lost && !this.#undone) await this.#say(`ROLLBACK TO SAVEPOINT ${savepoint}`)
        throw error
      } finally {
        this.#locks.push(...within.#locks)
      }
    })
  }

  /** Locks of names are the connection's: they are given back when the transaction ends. */
  lock (name: string): Promise<void> {
    return this.#inTurn(async () => {
      const key = createHash('sha256').update(`fastback ${this.database.name} ${name}`).digest('hex').slice(0, 60)
      const seconds = Math.max(1, Math.ceil(this.database.lockTimeout / 1000))
      const [[got]] = (await this.#send(
        async connection => await runOn(connection, 'SELECT GET_LOCK(?, ?)', [key, seconds])
      )) as [[unknown]]
      if (Number(got) !== 1) throw databaseBusy()
      this.#locks.push(key)
    })
  }

  scan (
    _key: string,
    sql: string,
    values: readonly unknown[],
    take: TakeRows,
    { limit = Infinity, skip }: Part = whole
  ): Promise<void> {
    return this.#inTurn(async () => {
      for (let read = 0, size = firstBatch; read < limit;) {
        const wanted = Math.min(size, limit - read)
        const rows = (await this.#send(
          async connection => await runOn(connection, pageOf(sql, wanted, skip + read), values)
        )) as unknown[][]
        read += rows.length
        const isLast = rows.length < wanted
        // Each page looks for its place anew: of short rows, later ones are larger.
        size = nextBatch(rows, Math.min(4 * size, largestBatch))
        if (!(await take(rows)) || isLast) return
      }
    })
  }

  async begin (isolationLevel: string | undefined): Promise<void> {
    if (isolationLevel !== undefined) await this.#say(`SET TRANSACTION ISOLATION LEVEL ${levelOf(isolationLevel)}`)
    await this.#say('START TRANSACTION')
  }

  commit (): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#undone) throw new StoreError('a deadlock had rolled the transaction back')
      await this.#say('COMMIT')
      await this.#unlock()
    })
  }

  /** What was lost is rolled back by the server. */
  rollback (): Promise<void> {
    return this.#inTurn(async () => {
      this.#undone = false
      try {
        if (this.lost) return
        await this.#say('ROLLBACK')
        await this.#unlock()
      } catch (error) {
        if (!this.lost) throw error
      }
    })
  }

  async #unlock (): Promise<void> {
    for (const key of this.#locks.splice(0)) {
      await this.#send(async connection => await connection.query('DO RELEASE_LOCK(?)', [key]))
    }
  }
}

/** A page of a query: numbers that the parser has checked. A lock stands behind them. */
function pageOf (sql: string, limit: number, skip: number): string {
  const [, query, lock = ''] = /^(.*?)( FOR UPDATE)?$/s.exec(sql) as unknown as [string, string, string | undefined]
  return `${query} LIMIT ${limit} OFFSET ${skip}${lock}`
}

/** @throws FBK_SQL_ISOLATION_LEVEL */
function levelOf (given: string): string {
  const level = given.toUpperCase().replaceAll('_', ' ')
  if (!levels.includes(level)) throw new IsolationLevelError(given, levels.join(', '))
  return level
}

/** Statements without values (DDL, savepoints) are sent as they are: not all can be prepared. */
async function runOn (
  connection: ServerConnection,
  sql: string,
  values: readonly unknown[],
  once = false
): Promise<Result> {
  const [result] = once
    ? await connection.query({ sql, rowsAsArray: true })
    : await connection.execute({ sql, rowsAsArray: true }, values as never)
  return result as unknown as Result
}

async function rowsOn (
  connection: ServerConnection,
  sql: string,
  values: readonly unknown[]
): Promise<Array<Record<string, unknown>>> {
  const [result] = values.length === 0 ? await connection.query(sql) : await connection.execute(sql, values as never)
  return Array.isArray(result) ? (result as Array<Record<string, unknown>>) : []
}
