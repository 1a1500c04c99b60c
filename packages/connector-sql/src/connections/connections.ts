/**
 * Who runs on which connection, and when.
 *
 * On a server every transaction has a connection of the pool, and nobody waits for its end. SQLite has one writer at a
 * time. A transaction gets a connection of its own where there can be one (a file): reads outside of it go on and see
 * what was committed, writes outside of it wait for its end. In memory there is one connection only, so that everything
 * outside waits.
 */
import type { Around, ConnectorLog, MaybePromise, StoreOptions, TransactionBeginning } from '@fastback/core'
import { chain, isPromise } from '@fastback/core/connector'
import type { Connection, Database } from '../dialects/driver.js'
import { databaseBusy, UnknownTransactionError } from '../errors.js'
import { ObservedConnection } from './observed-connection.js'
import { SqlTransaction, SqlUnit } from './transaction.js'

export class Connections {
  readonly #open = new Set<SqlTransaction>()
  #waiting: Array<() => void> = []
  /** The main connection, or one that tells observers of its statements. */
  #main: Connection
  #around: Around | undefined
  /** Work in a transaction on the main connection that goes on while observers take their time. */
  #held = 0

  /**
   * @param timeout milliseconds after which a transaction is rolled back when nothing ended it
   * @param patience milliseconds that somebody waits for transactions of others to end
   */
  constructor (
    readonly database: Database, readonly timeout: number, readonly patience: number, readonly log: ConnectorLog
  ) {
    this.#main = database.main
  }

  /** Observers are told of statements on connections that are given out from now on; undefined: there are none. */
  observe (around: Around | undefined): void {
    this.#around = around
    this.#main = this.#given(this.database.main)
  }

  #given (connection: Connection): Connection {
    if (this.#around === undefined) return connection
    return new ObservedConnection(connection, this.#around, work => {
      if (this.database.singleWriter && connection === this.database.main) this.#hold(work)
    })
  }

  /** Without observers a transaction of SQLite that an operation makes is over when it returns; now others wait. */
  #hold (work: Promise<unknown>): void {
    this.#held++
    const free = (): void => {
      this.#held--
      this.#resume()
    }
    work.then(free, free)
  }

  /**
   * The connection for an operation; undefined when it has to wait (`whenIdle`).
   * @throws FBK_SQL_UNKNOWN_TRANSACTION, FBK_SQL_TRANSACTION_ENDED
   */
  for ({ transaction, ofThisTick }: StoreOptions, writes: boolean): Connection | undefined {
    if (transaction !== undefined && transaction !== null) return this.#connectionOf(transaction)
    const isFree = this.#held === 0 && (this.#open.size === 0 || !this.#isBlocked(writes))
    if (!isFree) return undefined
    if (ofThisTick !== true || this.#around !== undefined) return this.#main
    return this.database.ofThisTick?.[writes ? 'writes' : 'reads'] ?? this.#main
  }

  #connectionOf (transaction: unknown): Connection {
    if (transaction instanceof SqlUnit) {
      transaction.mustBeOpen()
      return transaction.connection
    }
    if (!(transaction instanceof SqlTransaction)) throw new UnknownTransactionError()
    transaction.mustBeOpen()
    if (!this.#open.has(transaction)) throw new UnknownTransactionError()
    return this.#given(transaction.connection)
  }

  #isBlocked (writes: boolean): boolean {
    if (!this.database.singleWriter) return false
    if (writes) return true
    for (const { connection } of this.#open) if (connection === this.database.main) return true
    return false
  }

  /**
   * Does `work` as one: now, or with other writes of the tick. Undefined when it has to wait (`whenIdle`).
   * @param work gets the options for operations of it
   */
  unit<T> (options: StoreOptions, work: (within: StoreOptions) => T): { readonly done: MaybePromise<T> } | undefined {
    const connection = this.for(options, true)
    if (connection?.unit === undefined) return undefined
    const { main } = this.database
    return { done: connection.unit(() => new SqlUnit(main).run(transaction => work({ transaction }))) }
  }

  /**
   * Resolves when a transaction has ended; whether the connection is free then is to be asked again (`for`), at once.
   * @param until when this has been waited for long enough; to be handed in when it is waited for again
   * @throws RequestError 503 DATABASE_BUSY then
   */
  whenIdle (until = performance.now() + this.patience): Promise<number> {
    return new Promise((resolve, reject) => {
      const goOn = (): void => {
        clearTimeout(timer)
        resolve(until)
      }
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(goOn), 1)
        reject(databaseBusy())
      }, Math.max(0, until - performance.now()))
      this.#waiting.push(goOn)
    })
  }

  /**
   * Begins a transaction, after the one that is open if there can be only one.
   * @throws RequestError 503 DATABASE_BUSY when it has waited for as long as it may
   */
  begin (
    { isolationLevel, timeout, brittle }: TransactionBeginning, until?: number
  ): MaybePromise<SqlTransaction> {
    if (this.#held > 0 || (this.#open.size > 0 && this.#isBlocked(true))) {
      return this.whenIdle(until).then(until => this.begin({ isolationLevel, timeout, brittle }, until))
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
        begun = connection.begin(isolationLevel, brittle)
      } catch (error) {
        return refuse(error)
      }
      return isPromise(begun) ? begun.then(give, refuse) : give()
    })
  }

  #free (transaction: SqlTransaction): void {
    this.#open.delete(transaction)
    this.database.release(transaction.connection)
    this.#resume()
  }

  #resume (): void {
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
