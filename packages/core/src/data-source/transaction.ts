import { v4 as uuid } from 'uuid'
import { promiseOrCallback, type OperationCallback } from '../callbacks.js'
import { transactionInactive } from '../errors.js'
import { chain, type MaybePromise } from '../maybe-promise.js'
import type { Ending, TransactionSupport } from './connector.js'
import { callWithNext } from '../hooks.js'

export interface TransactionSettings {
  readonly isolationLevel?: string
  /** Milliseconds after which it is rolled back, where nothing ended it. */
  readonly timeout?: number
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
  readonly id = uuid()
  readonly #afterwards: Array<() => void> = []
  readonly #takenBack: Array<() => void> = []
  readonly #observers = new Map<TransactionEvent, TransactionObserver[]>()
  readonly #handle: unknown
  #timer: NodeJS.Timeout | undefined
  #isActive = true

  /** @param outer how the transaction ends that this one is part of */
  constructor (
    handle: unknown,
    readonly support: TransactionSupport,
    readonly outer?: Ending,
    { timeout }: TransactionSettings = {}
  ) {
    this.#handle = handle
    if (timeout !== undefined) this.#timer = setTimeout(() => { this.#timeOut() }, timeout)
  }

  /** The store's own. @throws RequestError 409 TRANSACTION_INACTIVE once it is over */
  get handle (): unknown {
    if (!this.#isActive) throw transactionInactive(this.id)
    return this.#handle
  }

  /** The same, as LoopBack calls it; null once it is over. */
  get connection (): unknown {
    return this.#isActive ? this.#handle : null
  }

  isActive (): boolean {
    return this.#isActive
  }

  /**
   * Calls an observer around the end of the transaction, and when its time is over.
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
    if (this.outer === undefined) this.#afterwards.push(work)
    else this.outer.whenCommitted(work)
  }

  /** Runs `work` when this has been rolled back, if it ever is. */
  whenRolledBack (work: () => void): void {
    if (this.outer === undefined) this.#takenBack.push(work)
    else this.outer.whenRolledBack(work)
  }

  commit (callback?: OperationCallback<void>): Promise<void> | undefined {
    return promiseOrCallback(() => chain(this.#end('commit'), () => {
      for (const work of this.#afterwards.splice(0)) work()
    }), callback)
  }

  rollback (callback?: OperationCallback<void>): Promise<void> | undefined {
    return promiseOrCallback(() => chain(this.#end('rollback'), () => {
      for (const work of this.#takenBack.splice(0)) work()
    }), callback)
  }

  #end (operation: 'commit' | 'rollback'): MaybePromise<void> {
    if (!this.#isActive) throw transactionInactive(this.id)
    clearTimeout(this.#timer)
    if (this.#observers.size > 0) return this.#endTelling(operation)
    this.#isActive = false
    return this.support[operation](this.#handle)
  }

  async #endTelling (operation: 'commit' | 'rollback'): Promise<void> {
    await this.#tell(`before ${operation}`, operation)
    this.#isActive = false
    await this.support[operation](this.#handle)
    await this.#tell(`after ${operation}`, operation)
  }

  async #tell (event: TransactionEvent, operation: TransactionContext['operation']): Promise<void> {
    for (const observer of this.#observers.get(event) ?? []) await called(observer, { transaction: this, operation })
  }

  /** An observer that fails says that it does the rollback itself. */
  #timeOut (): void {
    this.#tell('timeout', 'timeout')
      .then(() => this.rollback())
      .catch(() => {})
  }

  toJSON (): string {
    return this.id
  }

  toString (): string {
    return this.id
  }
}

const called = async (observer: TransactionObserver, context: TransactionContext): Promise<unknown> =>
  await callWithNext(next => observer(context, next), observer.length > 1)
