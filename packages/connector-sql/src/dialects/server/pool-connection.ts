/** Everything outside of transactions: each statement takes a connection of the pool. */
import type { MaybePromise } from '@fastback/core'
import type { Connection, Part, TakeRows } from '../driver.js'
import { allRows, firstBatch, isRead, ServerConnection } from './connection.js'
import type { StatementText } from './driver.js'
import { isNoAnswer } from './in-time.js'

/** A statement that somebody waits for. */
interface Sending<Result> {
  readonly text: StatementText
  readonly values: readonly unknown[] | undefined
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

export class PoolConnection<Client extends object, Result> extends ServerConnection<Client, Result> {
  /**
   * Runs a statement; once more when the connection had been closed before it could run, and for reads also when nobody
   * knows whether it ran.
   */
  run (text: StatementText, values: readonly unknown[] | undefined): Promise<Result> {
    return new Promise((resolve, reject) => { this.#attempt({ text, values, resolve, reject }, 1) })
  }

  /** Each promise less between a request and its statement is cheaper by more than a tenth of a microsecond. */
  #attempt (sending: Sending<Result>, attempt: number): void {
    const { text, values, resolve, reject } = sending
    const { driver, attempts } = this.database
    const again = (error: unknown): void => {
      const mayRunAgain = driver.neverRan(error) || (isRead(text.sql) && driver.isLost(error))
      if (attempt === attempts || !mayRunAgain) reject(error)
      // The pool hears of other connections that were closed.
      else setImmediate(() => { this.#attempt(sending, attempt + 1) })
    }
    // Where none can be had, nothing would be gained by waiting for one again.
    this.database.connect().then(client => {
      this.#ask(client, () => driver.run(client, text, values), resolve, again)
    }, reject)
  }

  /** Gives the connection back when the answer is there, or will not come. */
  #ask<T> (
    client: Client, work: () => Promise<T>, resolve: (result: T) => void, reject: (error: unknown) => void
  ): void {
    const { driver, answering } = this.database
    answering.limit(work, result => {
      this.database.giveBack(client, false)
      resolve(result)
    }, error => {
      this.database.giveBack(client, driver.isLost(error) || isNoAnswer(error))
      reject(error)
    })
  }

  async rows (sql: string, values: readonly unknown[]): Promise<Array<Record<string, unknown>>> {
    const client = await this.database.connect()
    return await new Promise((resolve, reject) => {
      this.#ask(client, () => this.database.driver.runForObjects(client, sql, values), resolve, reject)
    })
  }

  async atomically<T> (work: (connection: Connection) => MaybePromise<T>): Promise<T> {
    return await this.#inTransaction(undefined, work)
  }

  async #inTransaction<T> (
    isolationLevel: string | undefined,
    work: (connection: Connection) => MaybePromise<T>
  ): Promise<T> {
    const connection = await this.database.reserve()
    try {
      await connection.begin(isolationLevel)
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
  async scan (
    key: string,
    sql: string,
    values: readonly unknown[],
    take: TakeRows,
    part: Part = allRows
  ): Promise<void> {
    const { driver } = this.database
    const size = Math.min(firstBatch, part.limit ?? firstBatch)
    const first = driver.pageOf(this.database, key, { sql, values }, size, part.skip)
    const rows = driver.rowsOf(await this.run(first.text, first.values))
    if (rows.length < firstBatch) await take(rows)
    else {
      await this.#inTransaction(driver.scanIsolation, async connection => {
        await connection.scan(key, sql, values, take, part)
      })
    }
  }

  async lock (): Promise<void> {}
  async takeTime (): Promise<void> {}
  async script (text: string): Promise<void> { await this.atomically(async within => { await within.script(text) }) }
  async begin (): Promise<void> {}
  async commit (): Promise<void> {}
  async rollback (): Promise<void> {}
  async savepoint (): Promise<void> {}
  async releasePart (): Promise<void> {}
  async undoPart (): Promise<void> {}
  async abort (): Promise<void> {}
}
