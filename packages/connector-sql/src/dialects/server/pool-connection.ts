/** Everything outside of transactions: each statement takes a connection of the pool. */
import type { MaybePromise } from '@fastback/core'
import type { ServerSettings } from '../../server-settings.js'
import type { Acting, Connection, Part, TakeRows } from '../driver.js'
import { allRows, firstBatch, isRead, ServerConnection } from './connection.js'
import type { ServerDatabase } from './database.js'
import type { Asking } from './driver.js'
import type { StatementText } from './statement-text.js'
import { inTime, isDatabaseSilent, databaseSilent, WaitingList, type Waiting } from './in-time.js'
import type { Borrower } from './lending.js'

export class PoolConnection<Client extends object, Result> extends ServerConnection<Client, Result> {
  /** How many connections a statement may find closed before it fails. */
  readonly attempts: number
  /** Statements that were sent. The server's own limit should come before that of the list. */
  readonly sent: WaitingList<Sent>

  /** @param acting who its statements are of; undefined: the user of the connection */
  constructor (
    database: ServerDatabase<Client, Result>, readonly settings: ServerSettings, readonly acting?: Acting,
    sent?: WaitingList<Sent>
  ) {
    super(database)
    const { poolSize, statementTimeout, connectionTimeout } = settings
    this.attempts = poolSize + 1
    this.sent = sent ?? new WaitingList(
      statementTimeout === 0 ? 0 : statementTimeout + connectionTimeout, statement => { statement.unanswered() }
    )
  }

  /**
   * Runs a statement; once more when the connection had been closed before it could run, and for reads also when nobody
   * knows whether it ran.
   */
  run<T> (text: StatementText, values: readonly unknown[] | undefined, read: (result: Result) => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.database.lending.lend(new PoolStatement(this, text, values, read, resolve, reject))
    })
  }

  async rows (sql: string, values: readonly unknown[]): Promise<Array<Record<string, unknown>>> {
    if (this.acting !== undefined) return await this.atomically(async connection => await connection.rows(sql, values))
    const { driver, lending } = this.database
    const client = await lending.borrow()
    let lost = false
    try {
      return await inTime(this.sent.milliseconds, driver.runForObjects(client, sql, values))
    } catch (error) {
      lost = driver.isLost(error) || isDatabaseSilent(error)
      throw error
    } finally {
      lending.giveBack(client, lost)
    }
  }

  async atomically<T> (work: (connection: Connection) => MaybePromise<T>): Promise<T> {
    return await this.#inTransaction(undefined, work)
  }

  /** Each statement and transaction by itself, as without it. */
  async actingAs<T> (acting: Acting, work: (connection: Connection) => MaybePromise<T>): Promise<T> {
    return this.database.driver.runsAs === true
      ? await work(new PoolConnection(this.database, this.settings, acting, this.sent))
      : await this.#inTransaction(undefined, work, acting)
  }

  async #inTransaction<T> (
    isolationLevel: string | undefined,
    work: (connection: Connection) => MaybePromise<T>,
    acting = this.acting
  ): Promise<T> {
    const connection = await this.database.reserve()
    try {
      await connection.begin(isolationLevel, false, acting?.enter)
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
    const rows = await this.run(first.text, first.values, driver.rowsOf)
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

/** A statement that was sent, and whose answer did not come in time. */
interface Sent extends Waiting { unanswered (): void }

/**
 * A statement from the call to its response, one object for all that it waits for: each closure and each promise less
 * between a request and its statement is cheaper by more than a tenth of a microsecond.
 */
class PoolStatement<Client extends object, Result, T> implements Borrower<Client>, Asking<Result>, Sent {
  until = 0
  #attempt = 1
  #client: Client | undefined

  /** @param read what is wanted of the response: `resolve` gets that, or `refused` the error of the last attempt */
  constructor (
    readonly connection: PoolConnection<Client, Result>,
    readonly text: StatementText,
    readonly values: readonly unknown[] | undefined,
    readonly read: (result: Result) => T,
    readonly resolve: (value: T) => void,
    readonly refused: (error: unknown) => void
  ) {}

  taken (client: Client): void {
    this.#client = client
    this.connection.sent.add(this)
    try {
      this.connection.database.driver.run(client, this.text, this.values, this, this.connection.acting)
    } catch (error) {
      this.failed(error)
    }
  }

  answered (result: Result): void {
    if (!this.connection.sent.delete(this)) return
    this.#giveBack(false)
    try {
      this.resolve(this.read(result))
    } catch (error) {
      this.refused(error)
    }
  }

  /** A driver may report much later that the connection was closed: that is heard here, and goes nowhere. */
  failed (error: unknown): void {
    if (!this.connection.sent.delete(this)) return
    const { database: { driver, lending }, attempts } = this.connection
    const lost = driver.isLost(error)
    this.#giveBack(lost)
    const mayRunAgain = driver.neverRan(error) || (lost && isRead(this.text.sql))
    // The pool hears of other connections that were closed.
    if (mayRunAgain && this.#attempt++ < attempts) setImmediate(() => { lending.lend(this) })
    else this.refused(error)
  }

  unanswered (): void {
    this.#giveBack(true)
    this.refused(databaseSilent())
  }

  #giveBack (lost: boolean): void {
    this.connection.database.lending.giveBack(this.#client as Client, lost)
  }
}
