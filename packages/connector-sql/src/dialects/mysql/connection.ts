/** Transactions of MySQL. A statement that fails takes only itself back; a deadlock ends the transaction. */
import { sha256 } from '@fastback/core/connector'
import type { PoolConnection as Client } from 'mysql2'
import { databaseBusy, StoreError } from '../../errors.js'
import { nextBatch } from '../../reading/reader.js'
import type { Part, TakeRows } from '../driver.js'
import { firstBatch } from '../server/connection.js'
import type { ServerDatabase } from '../server/database.js'
import { isolationLevelOf } from '../server/isolation-level.js'
import { pageSql } from '../server/page.js'
import { TransactionConnection } from '../server/transaction-connection.js'
import type { MysqlDriver, Result } from './database.js'
import { undoesAll } from './errors.js'
import { statementsIn } from './script.js'

/** Seconds, a day: who has no limits waits that long for a lock. */
const longestWait = 86_400

/** Rows of a round trip at most, when a query is read batch by batch. */
const largestBatch = 16_000

export class MysqlTransaction extends TransactionConnection<Client, Result> {
  /** Names of locks that the transaction has, with those of its parts. */
  readonly #locks: string[]
  /** Whether statements may take only so long; shared with the parts. */
  readonly #time: { limited: boolean }
  /** The server rolled the transaction back. */
  #undone = false

  constructor (
    database: ServerDatabase<Client, Result>,
    client: Client,
    readonly driver: MysqlDriver,
    outer: MysqlTransaction | undefined
  ) {
    super(database, client, outer === undefined ? 0 : outer.depth + 1)
    this.#locks = outer === undefined ? [] : outer.#locks
    this.#time = outer === undefined ? { limited: true } : outer.#time
  }

  protected override get canRollBack (): boolean {
    return !this.lost && !this.#undone
  }

  /** What comes after a deadlock would not be in a transaction. */
  protected override mustBeUsable (): void {
    if (this.#undone) throw databaseBusy()
  }

  protected override failed (error: unknown): void {
    super.failed(error)
    this.#undone ||= undoesAll(error)
  }

  protected override takeOver (part: this): void {
    super.takeOver(part)
    this.#undone ||= part.#undone
  }

  protected async rollBackTo (savepoint: string): Promise<void> {
    await this.sendText(`ROLLBACK TO SAVEPOINT ${savepoint}`)
  }

  /** Locks of names are the connection's: they are given back when the transaction ends. */
  protected async takeLock (name: string): Promise<void> {
    const key = sha256(`fastback ${this.driver.name} ${name}`, 'hex').slice(0, 60)
    const { lockTimeout } = this.driver
    const seconds = this.#time.limited ? Math.max(1, Math.ceil(lockTimeout / 1000)) : longestWait
    const text = { sql: 'SELECT GET_LOCK(?, ?)', name: undefined }
    const [[got]] = (await this.sendStatement(text, [key, seconds])) as [[unknown]]
    if (Number(got) !== 1) throw databaseBusy()
    this.#locks.push(key)
  }

  async #unlock (): Promise<void> {
    for (const key of this.#locks.splice(0)) {
      await this.sendStatement({ sql: 'DO RELEASE_LOCK(?)', name: undefined }, [key])
    }
  }

  /** Of MySQL, only SELECT has a limit; of MariaDB, every statement. */
  protected async liftLimits (): Promise<void> {
    this.#time.limited = false
    await this.sendText(this.driver.limitSql(0))
  }

  async #limit (): Promise<void> {
    if (this.#time.limited) return
    this.#time.limited = true
    await this.sendText(this.driver.limitSql(this.driver.settings.statementTimeout))
  }

  protected statementsOf (script: string): string[] {
    return statementsIn(script)
  }

  protected async readBatches (
    sql: string,
    values: readonly unknown[],
    take: TakeRows,
    { limit = Infinity, skip }: Part
  ): Promise<void> {
    for (let read = 0, size = firstBatch; read < limit;) {
      const wanted = Math.min(size, limit - read)
      const text = { sql: pageSql(sql, wanted, skip + read), name: undefined }
      const rows = this.driver.rowsOf(await this.sendStatement(text, values))
      read += rows.length
      const isLast = rows.length < wanted
      // Each page looks for its first row anew: of short rows, later pages are larger.
      size = nextBatch(rows, Math.min(4 * size, largestBatch))
      if (!(await take(rows)) || isLast) return
    }
  }

  async begin (isolationLevel: string | undefined): Promise<void> {
    if (isolationLevel !== undefined) {
      await this.sendText(`SET TRANSACTION ISOLATION LEVEL ${isolationLevelOf(isolationLevel)}`)
    }
    await this.sendText('START TRANSACTION')
  }

  commit (): Promise<void> {
    return this.inTurn(async () => {
      if (this.#undone) throw new StoreError('a deadlock had rolled the transaction back')
      await this.sendText('COMMIT')
      await this.#unlock()
      await this.#limit()
    })
  }

  protected async undo (): Promise<void> {
    this.#undone = false
    await this.sendText('ROLLBACK')
    await this.#unlock()
    await this.#limit()
  }
}
