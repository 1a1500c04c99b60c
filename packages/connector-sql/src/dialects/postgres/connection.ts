/**
 * Transactions of PostgreSQL. An error of a statement leaves the transaction usable, as with the other stores: writes
 * stand behind a savepoint, unless the transaction has done nothing yet and can begin anew, or is brittle.
 */
import type { PoolClient } from 'pg'
import { StoreError } from '../../errors.js'
import { nextBatch } from '../../reading/reader.js'
import type { Part, TakeRows } from '../driver.js'
import { firstBatch } from '../server/connection.js'
import { isolationLevelOf } from '../server/isolation-level.js'
import { pageSql } from '../server/page.js'
import { TransactionConnection } from '../server/transaction-connection.js'
import type { SentStatement } from './sent-statement.js'

/** Rows of a round trip at most, when a query is read batch by batch. */
const largestBatch = 1000

export class PostgresTransaction extends TransactionConnection<PoolClient, SentStatement> {
  #begin = 'BEGIN'
  #cursors = 0
  /** Whoever began the transaction ends it after the first error; so it is with its parts. */
  isBrittle = false

  protected override async guarded<T> (writes: boolean, work: () => Promise<T>): Promise<T> {
    if (this.isBrittle) return await work()
    const beginsAnew = this.fresh && this.depth === 0
    this.fresh = false
    if (!beginsAnew && !writes) return await work()
    const savepoint = `fastback_${this.depth}`
    if (!beginsAnew) await this.sendText(`SAVEPOINT ${savepoint}`)
    try {
      const result = await work()
      if (!beginsAnew) await this.sendText(`RELEASE ${savepoint}`)
      return result
    } catch (error) {
      if (this.lost) throw error
      if (beginsAnew) await this.sendText(`ROLLBACK; ${this.#begin}`)
      else await this.rollBackTo(savepoint)
      this.fresh = beginsAnew
      throw error
    }
  }

  protected async rollBackTo (savepoint: string): Promise<void> {
    await this.sendText(`ROLLBACK TO ${savepoint}; RELEASE ${savepoint}`)
  }

  /** Until the transaction ends. */
  protected async takeLock (name: string): Promise<void> {
    const text = { sql: 'SELECT pg_advisory_xact_lock(hashtextextended($1::text, 0))', name: undefined }
    await this.sendStatement(text, [`fastback ${name}`])
  }

  protected async liftLimits (): Promise<void> {
    await this.sendText('SET LOCAL statement_timeout TO 0')
  }

  /** The server takes them apart. */
  protected statementsOf (script: string): string[] {
    return [script]
  }

  protected async readBatches (
    sql: string,
    values: readonly unknown[],
    take: TakeRows,
    { limit, skip }: Part
  ): Promise<void> {
    const cursor = `fastback_${this.depth}_${this.#cursors++}`
    const declare = `DECLARE ${cursor} NO SCROLL CURSOR FOR ${pageSql(sql, limit ?? 'NULL', skip)}`
    await this.sendStatement({ sql: declare, name: undefined }, values)
    for (let size = firstBatch; ;) {
      const { rows } = await this.sendText(`FETCH ${size} FROM ${cursor}`)
      const isLast = rows.length < size
      size = nextBatch(rows, largestBatch)
      if (!(await take(rows)) || isLast) break
    }
    await this.sendText(`CLOSE ${cursor}`)
  }

  async begin (isolationLevel: string | undefined, brittle = false, enter?: string): Promise<void> {
    this.isBrittle = brittle
    if (isolationLevel !== undefined) this.#begin = `BEGIN ISOLATION LEVEL ${isolationLevelOf(isolationLevel)}`
    // Also of what begins anew.
    if (enter !== undefined) this.#begin = `${this.#begin}; ${enter}`
    await this.sendText(this.#begin)
  }

  commit (): Promise<void> {
    return this.inTurn(async () => {
      // After a read that failed (a time-out) the server rolls back, and says so without an error.
      const { tag } = await this.sendText('COMMIT')
      if (tag === 'ROLLBACK') throw new StoreError('a statement of the transaction had failed; it was rolled back')
    })
  }

  protected async undo (): Promise<void> {
    await this.sendText('ROLLBACK')
  }
}
