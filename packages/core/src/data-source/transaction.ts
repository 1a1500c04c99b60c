import { randomUUID } from 'node:crypto'
import { promiseOrCallback, type OperationCallback } from '../callbacks.js'
import { NoSavepointsError, SavepointOpenError, transactionInactive } from '../errors.js'
import { chain, isPromise, type MaybePromise } from '../maybe-promise.js'
import type { Connector, Ending, TransactionSupport } from './connector.js'
import { callWithNext } from '../hooks.js'
import { mayCallBack } from '../may-call-back.js'
import { mayBeCommitted } from './store-errors.js'
import type { RetrySettings } from './retry.js'

export interface TransactionSettings {
  readonly isolationLevel?: string
  /** Milliseconds after which it is rolled back, where nothing ended it. */
  readonly timeout?: number
}

/** Settings of a transaction that is given its work. */
export interface TransactionOptions extends TransactionSettings {
  /**
   * Whether the whole work is done again, in a new transaction, when others got in the way: a serialisation failure, a
   * deadlock, a lock. What it does beside the database is then done again as well. Default: false; true: five times
   * altogether, with a random wait that grows.
   */
  readonly retry?: boolean | RetrySettings
}

/** What a transaction is made of. */
export interface TransactionParts {
  /** The store's own. */
  readonly handle: unknown
  readonly support: TransactionSupport
  /** Of the data source whose transaction it is. */
  readonly connector: Connector
  /** How the transaction ends that this one has joined. */
  readonly outer?: Ending
  /** The transaction that this one can be taken back from. */
  readonly whole?: Transaction
  /** Milliseconds. */
  readonly timeout?: number | undefined
}

/** What observers of a transaction get. */
export interface TransactionContext {
  readonly transaction: Transaction
  readonly operation: 'commit' | 'rollback' | 'timeout'
}
export type TransactionEvent = 'before commit' | 'after commit' | 'before rollback' | 'after rollback' | 'timeout'
/** Calls `next`, or gives a promise. */
export type TransactionObserver = (
  context: TransactionContext, next: (error?: unknown) => void
) => MaybePromise<unknown>

/**
 * A transaction under way.
 *
 * ```js
 * const tx = await Note.beginTransaction({ timeout: 5000 })
 * await Note.create({ title: 'hello' }, { transaction: tx })
 * await tx.commit()
 * ```
 */
export class Transaction {
  static readonly READ_UNCOMMITTED = 'READ UNCOMMITTED'
  static readonly READ_COMMITTED = 'READ COMMITTED'
  static readonly REPEATABLE_READ = 'REPEATABLE READ'
  static readonly SERIALIZABLE = 'SERIALIZABLE'
  /** Says which it is, in logs. */
  readonly id = randomUUID()
  readonly connector: Connector
  readonly #parts: TransactionParts
  readonly #afterwards: Array<() => void> = []
  readonly #takenBack: Array<() => void> = []
  readonly #observers = new Map<TransactionEvent, TransactionObserver[]>()
  #timer: NodeJS.Timeout | undefined
  #state: 'open' | 'ending' | 'over' = 'open'
  #hasPart = false

  /**
   * @param given its parts; or, as connectors made for LoopBack have it, the connector, with
   * @param connection what that one began
   */
  constructor (given: TransactionParts | LegacyConnector, connection?: unknown) {
    const parts = this.#parts = 'support' in given ? given : partsOf(given, connection)
    this.connector = parts.connector
    if (parts.timeout !== undefined) this.#timer = setTimeout(() => { this.#timeOut() }, parts.timeout)
  }

  /** The store's own. @throws RequestError 409 TRANSACTION_INACTIVE once it is over */
  get handle (): unknown {
    if (!this.isActive()) throw transactionInactive(this.id)
    return this.#parts.handle
  }

  /** The same, as LoopBack calls it; null once it is over. */
  get connection (): unknown {
    return this.isActive() ? this.#parts.handle : null
  }

  /** False once it is over, or the whole that it is a part of. */
  isActive (): boolean {
    return this.#state !== 'over' && this.#parts.whole?.isActive() !== false
  }

  /**
   * Calls an observer around the end of the transaction, and when its time is over. An observer of `before commit` that
   * fails keeps it from being committed; it is still open then.
   *
   * ```js
   * tx.observe('after commit', async ({ transaction }) => { log.info(transaction.id) })
   * ```
   */
  observe (event: TransactionEvent, observer: TransactionObserver): void {
    const observers = this.#observers.get(event)
    if (observers === undefined) this.#observers.set(event, [observer])
    else observers.push(observer)
  }

  /** Runs `work` when this has been committed, if it ever is. */
  whenCommitted (work: () => void): void {
    const { outer } = this.#parts
    if (outer === undefined) this.#afterwards.push(work)
    else outer.whenCommitted(work)
  }

  /**
   * Runs `work` when this has been rolled back, if it ever is. Where the response to a commit was lost nobody knows:
   * neither this nor `whenCommitted` is told.
   */
  whenRolledBack (work: () => void): void {
    const { outer } = this.#parts
    if (outer === undefined) this.#takenBack.push(work)
    else outer.whenRolledBack(work)
  }

  /**
   * Runs a part of the transaction behind a savepoint: where `work` fails, what it did is taken back and the error
   * thrown, and the transaction goes on. A part may have parts of its own.
   *
   * ```js
   * const work = async part => { await Note.create({ title: 'perhaps' }, { transaction: part }) }
   * await tx.savepoint(work).catch(() => {})
   * ```
   * @throws FBK_CORE_NO_SAVEPOINTS where the store has none; FBK_CORE_SAVEPOINT_OPEN while another part of the same
   * transaction is open; RequestError 409 TRANSACTION_INACTIVE once it is over
   */
  async savepoint<T> (work: (part: Transaction) => MaybePromise<T>): Promise<T> {
    const { support, connector } = this.#parts
    const { handle } = this
    if (support.savepoint === undefined) throw new NoSavepointsError(connector.name)
    if (this.#hasPart) throw new SavepointOpenError()
    this.#hasPart = true
    try {
      const savepoint = await support.savepoint(handle)
      const ends = { ...support, commit: () => savepoint.keep(), rollback: () => savepoint.undo() }
      const part = new Transaction({ handle, support: ends, connector, whole: this })
      try {
        const result = await work(part)
        await part.commit()
        return result
      } catch (error) {
        await part.takeBack()
        throw error
      }
    } finally {
      this.#hasPart = false
    }
  }

  commit (callback?: OperationCallback<void>): Promise<void> | undefined {
    return promiseOrCallback(() => chain(this.#end('commit'), () => { this.#wasCommitted() }), callback)
  }

  rollback (callback?: OperationCallback<void>): Promise<void> | undefined {
    return promiseOrCallback(() => chain(this.#end('rollback'), () => { this.#wasRolledBack() }), callback)
  }

  /** Rolls back what is still open, for who has an error to tell already. */
  async takeBack (): Promise<void> {
    if (this.#state !== 'open' || !this.isActive()) return
    try {
      await this.rollback()
    } catch {
      // The store has rolled it back by itself: its time was over, or its connection is gone.
      this.#wasRolledBack()
    }
  }

  /** What was to be done at the end of a part is done at the end of the whole. */
  #wasCommitted (): void {
    const { whole } = this.#parts
    const [kept, lost] = [this.#afterwards.splice(0), this.#takenBack.splice(0)]
    for (const work of kept) if (whole === undefined) work(); else whole.whenCommitted(work)
    if (whole !== undefined) for (const work of lost) whole.whenRolledBack(work)
  }

  #wasRolledBack (): void {
    for (const work of this.#takenBack.splice(0)) work()
  }

  #end (operation: 'commit' | 'rollback'): MaybePromise<void> {
    if (this.#state !== 'open' || !this.isActive()) throw transactionInactive(this.id)
    if (operation === 'commit' && this.#hasPart) throw new SavepointOpenError()
    return this.#observers.size > 0 ? this.#endTelling(operation) : this.#finish(operation)
  }

  #finish (operation: 'commit' | 'rollback'): MaybePromise<void> {
    clearTimeout(this.#timer)
    this.#state = 'over'
    const { support, handle, whole } = this.#parts
    const failed = (error: unknown): never => {
      if (operation === 'commit' && whole === undefined && !mayBeCommitted(error)) this.#wasRolledBack()
      throw error
    }
    try {
      const ended = support[operation](handle)
      return isPromise(ended) ? ended.catch(failed) : ended
    } catch (error) {
      return failed(error)
    }
  }

  async #endTelling (operation: 'commit' | 'rollback'): Promise<void> {
    this.#state = 'ending'
    try {
      await this.#tell(`before ${operation}`, operation)
    } catch (error) {
      this.#state = 'open'
      throw error
    }
    await this.#finish(operation)
    await this.#tell(`after ${operation}`, operation)
  }

  async #tell (event: TransactionEvent, operation: TransactionContext['operation']): Promise<void> {
    for (const observer of this.#observers.get(event) ?? []) await called(observer, { transaction: this, operation })
  }

  /** An observer that fails says that it does the rollback itself. */
  #timeOut (): void {
    this.#tell('timeout', 'timeout')
      .then(() => this.takeBack())
      .catch(() => {})
  }

  toJSON (): string {
    return this.id
  }

  toString (): string {
    return this.id
  }
}

/** A connector made for LoopBack, as far as it ends transactions. */
interface LegacyConnector {
  commit (connection: unknown, callback: (error?: unknown) => void): unknown
  rollback (connection: unknown, callback: (error?: unknown) => void): unknown
}

function partsOf (connector: LegacyConnector, handle: unknown): TransactionParts {
  const end = async (how: 'commit' | 'rollback'): Promise<void> => {
    await callWithNext(next => connector[how](handle, next), true)
  }
  const support = { begin: () => handle, commit: () => end('commit'), rollback: () => end('rollback') }
  return { handle, support, connector: connector as unknown as Connector }
}

const called = async (observer: TransactionObserver, context: TransactionContext): Promise<unknown> =>
  await callWithNext(next => observer(context, next), mayCallBack(observer, 1))
