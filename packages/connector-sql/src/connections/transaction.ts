/** Transactions: as `beginTransaction` hands them out, and those that nothing waits in. */
import type { ConnectorLog, MaybePromise, Savepoint } from '@fastback/core'
import { chain, isPromise } from '@fastback/core/connector'
import type { Connection } from '../dialects/driver.js'
import { TransactionEndedError, UnknownTransactionError } from '../errors.js'

export class SqlTransaction {
  #state: 'open' | 'ended' = 'open'
  #savepoints = 0
  readonly #timer: NodeJS.Timeout

  /**
   * @param timeout milliseconds after which it is rolled back when nothing ended it: a forgotten transaction would keep
   * all writers waiting
   * @param ended called once, when the connection is free again
   */
  constructor (
    readonly connection: Connection,
    readonly timeout: number,
    log: ConnectorLog,
    readonly ended: () => void
  ) {
    this.#timer = setTimeout(() => {
      log.warn({ timeout }, 'a transaction was rolled back because nothing ended it in time')
      const undone = this.#end(() => this.connection.abort())
      if (isPromise(undone)) undone.catch(error => log.warn({ err: error }, 'the rollback failed'))
    }, timeout)
  }

  get isOpen (): boolean {
    return this.#state === 'open'
  }

  /** @throws FBK_SQL_TRANSACTION_ENDED */
  mustBeOpen (): void {
    if (this.#state === 'ended') throw new TransactionEndedError(String(this.timeout))
  }

  commit (): MaybePromise<void> {
    return this.#end(() => this.connection.commit())
  }

  rollback (): MaybePromise<void> {
    return this.#end(() => this.connection.rollback())
  }

  /** A part that can be taken back by itself. @throws FBK_SQL_TRANSACTION_ENDED */
  savepoint (): MaybePromise<Savepoint> {
    this.mustBeOpen()
    const name = `fastback_part_${++this.#savepoints}`
    const end = (how: 'releasePart' | 'undoPart') => (): MaybePromise<void> => {
      this.mustBeOpen()
      return this.connection[how](name)
    }
    return chain(this.connection.savepoint(name), () => ({ keep: end('releasePart'), undo: end('undoPart') }))
  }

  #end (how: () => MaybePromise<void>): MaybePromise<void> {
    this.mustBeOpen()
    this.#state = 'ended'
    clearTimeout(this.#timer)
    let result: MaybePromise<void>
    try {
      result = how()
    } catch (error) {
      this.ended()
      throw error
    }
    return isPromise(result) ? result.finally(this.ended) : this.ended()
  }
}

/** Work that is one, on a connection that nobody else uses meanwhile. */
export class SqlUnit {
  #isOver = false

  constructor (readonly connection: Connection) {}

  /** @throws FBK_SQL_UNKNOWN_TRANSACTION for what comes when it is over */
  mustBeOpen (): void {
    if (this.#isOver) throw new UnknownTransactionError()
  }

  /**
   * @throws TypeError for work that goes on
   */
  run<T> (work: (unit: this) => T): T {
    try {
      const result = work(this)
      if (!isPromise(result)) return result
      result.catch(() => {})
      throw new TypeError('What is done as one unit gives no promise.')
    } finally {
      this.#isOver = true
    }
  }
}
