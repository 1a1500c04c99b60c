/**
 * Who runs on which connection, and when.
 *
 * On a server every transaction has a connection of the pool, and nobody waits for its end. SQLite has one writer at a
 * time. A transaction gets a connection of its own where there can be one (a file): reads outside of it go on and see
 * what was committed, writes outside of it wait for its end. In memory there is one connection only, so that everything
 * outside waits.
 */
import { chain, isPromise, type ConnectorLog, type MaybePromise, type StoreOptions } from '@fastback/core'
import type { Database, Session } from '../dialects/dialect.js'
import { UnknownTransactionError } from '../errors.js'
import { SqlTransaction } from './transaction.js'

export class Sessions {
  readonly #open = new Set<SqlTransaction>()
  #waiting: Array<() => void> = []

  constructor (readonly database: Database, readonly timeout: number, readonly log: ConnectorLog) {}

  /**
   * The connection for an operation; undefined when it has to wait (`turn`).
   * @throws FBK_SQL_UNKNOWN_TRANSACTION, FBK_SQL_TRANSACTION_ENDED
   */
  for ({ transaction }: StoreOptions, writes: boolean): Session | undefined {
    if (transaction !== undefined && transaction !== null) return this.#sessionOf(transaction)
    return this.#open.size === 0 || !this.#isBlocked(writes) ? this.database.main : undefined
  }

  #sessionOf (transaction: unknown): Session {
    if (!(transaction instanceof SqlTransaction)) throw new UnknownTransactionError()
    transaction.mustBeOpen()
    if (!this.#open.has(transaction)) throw new UnknownTransactionError()
    return transaction.session
  }

  #isBlocked (writes: boolean): boolean {
    if (!this.database.singleWriter) return false
    if (writes) return true
    for (const { session } of this.#open) if (session === this.database.main) return true
    return false
  }

  /** Resolves when a transaction has ended; whether it is one's turn then is to be asked again. */
  turn (): Promise<void> {
    return new Promise(resolve => { this.#waiting.push(resolve) })
  }

  /** Begins a transaction, after the one that is open if there can be only one. */
  begin (isolationLevel: string | undefined, timeout: number | undefined): MaybePromise<SqlTransaction> {
    if (this.#open.size > 0 && this.#isBlocked(true)) return this.turn().then(() => this.begin(isolationLevel, timeout))
    return chain(this.database.reserve() ?? this.database.main, session => {
      const give = (): SqlTransaction => {
        const transaction = new SqlTransaction(session, timeout ?? this.timeout, this.log, () => {
          this.#free(transaction)
        })
        this.#open.add(transaction)
        return transaction
      }
      const refuse = (error: unknown): never => {
        this.database.release(session)
        throw error
      }
      let begun: MaybePromise<void>
      try {
        begun = session.begin(isolationLevel)
      } catch (error) {
        return refuse(error)
      }
      return isPromise(begun) ? begun.then(give, refuse) : give()
    })
  }

  #free (transaction: SqlTransaction): void {
    this.#open.delete(transaction)
    this.database.release(transaction.session)
    const waiting = this.#waiting
    this.#waiting = []
    for (const resume of waiting) resume()
  }

  /** @throws FBK_SQL_UNKNOWN_TRANSACTION, FBK_SQL_TRANSACTION_ENDED */
  transaction (given: unknown): SqlTransaction {
    this.#sessionOf(given)
    return given as SqlTransaction
  }

  /** Rolls back what is open. */
  async rollback (): Promise<void> {
    for (const transaction of this.#open) await transaction.rollback()
  }

  /** Closes all connections. */
  async close (): Promise<void> {
    await this.rollback()
    await this.database.close()
  }
}
