/**
 * Who runs on which connection, and when.
 *
 * On a server every transaction has a connection of the pool, and nobody waits for its end. SQLite has one writer at a
 * time. A transaction gets a connection of its own where there can be one (a file): reads outside of it go on and see
 * what was committed, writes outside of it wait for its end. In memory there is one connection only, so that everything
 * outside waits.
 */
import type { ConnectorLog, MaybePromise, StoreOptions } from '@fastback/core'
import { chain, isPromise } from '@fastback/core/connector'
import type { Connection, Database } from '../dialects/driver.js'
import { UnknownTransactionError } from '../errors.js'
import { SqlTransaction } from './transaction.js'

export class Connections {
  readonly #open = new Set<SqlTransaction>()
  #waiting: Array<() => void> = []

  constructor (readonly database: Database, readonly timeout: number, readonly log: ConnectorLog) {}

  /**
   * The connection for an operation; undefined when it has to wait (`whenIdle`).
   * @throws FBK_SQL_UNKNOWN_TRANSACTION, FBK_SQL_TRANSACTION_ENDED
   */
  for ({ transaction }: StoreOptions, writes: boolean): Connection | undefined {
    if (transaction !== undefined && transaction !== null) return this.#connectionOf(transaction)
    return this.#open.size === 0 || !this.#isBlocked(writes) ? this.database.main : undefined
  }

  #connectionOf (transaction: unknown): Connection {
    if (!(transaction instanceof SqlTransaction)) throw new UnknownTransactionError()
    transaction.mustBeOpen()
    if (!this.#open.has(transaction)) throw new UnknownTransactionError()
    return transaction.connection
  }

  #isBlocked (writes: boolean): boolean {
    if (!this.database.singleWriter) return false
    if (writes) return true
    for (const { connection } of this.#open) if (connection === this.database.main) return true
    return false
  }

  /** Resolves when a transaction has ended; whether the connection is free then is to be asked again (`for`). */
  whenIdle (): Promise<void> {
    return new Promise(resolve => { this.#waiting.push(resolve) })
  }

  /** Begins a transaction, after the one that is open if there can be only one. */
  begin (isolationLevel: string | undefined, timeout: number | undefined): MaybePromise<SqlTransaction> {
    if (this.#open.size > 0 && this.#isBlocked(true)) {
      return this.whenIdle().then(() => this.begin(isolationLevel, timeout))
    }
    return chain(this.database.reserve() ?? this.database.main, connection => {
      const give = (): SqlTransaction => {
        const transaction = new SqlTransaction(connection, timeout ?? this.timeout, this.log, () => {
          this.#free(transaction)
        })
        this.#open.add(transaction)
        return transaction
      }
      const refuse = (error: unknown): never => {
        this.database.release(connection)
        throw error
      }
      let begun: MaybePromise<void>
      try {
        begun = connection.begin(isolationLevel)
      } catch (error) {
        return refuse(error)
      }
      return isPromise(begun) ? begun.then(give, refuse) : give()
    })
  }

  #free (transaction: SqlTransaction): void {
    this.#open.delete(transaction)
    this.database.release(transaction.connection)
    const waiting = this.#waiting
    this.#waiting = []
    for (const resume of waiting) resume()
  }

  /** @throws FBK_SQL_UNKNOWN_TRANSACTION, FBK_SQL_TRANSACTION_ENDED */
  transaction (given: unknown): SqlTransaction {
    this.#connectionOf(given)
    return given as SqlTransaction
  }

  /** Rolls back what is open; one whose commit is under way is left to that. */
  async rollback (): Promise<void> {
    for (const transaction of this.#open) if (transaction.isOpen) await transaction.rollback()
  }

  /** Closes all connections. */
  async close (): Promise<void> {
    await this.rollback()
    await this.database.close()
  }
}
