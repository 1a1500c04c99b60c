import { promiseOrCallback, type OperationCallback } from '../callbacks.js'
import { chain } from '../maybe-promise.js'
import type { TransactionSupport } from './connector.js'

/** A transaction under way. `handle` is the store's own. */
export class Transaction {
  readonly #afterwards: Array<() => void> = []

  /** @param outer runs work when the transaction that this one is part of has been committed */
  constructor (
    readonly handle: unknown,
    readonly support: TransactionSupport,
    readonly outer?: (work: () => void) => void
  ) {}

  /** Runs `work` when this has been committed, if it ever is. */
  whenCommitted (work: () => void): void {
    if (this.outer === undefined) this.#afterwards.push(work)
    else this.outer(work)
  }

  commit (callback?: OperationCallback<void>): Promise<void> | undefined {
    return promiseOrCallback(
      () =>
        chain(this.support.commit(this.handle), () => {
          for (const work of this.#afterwards.splice(0)) work()
        }),
      callback
    )
  }

  rollback (callback?: OperationCallback<void>): Promise<void> | undefined {
    return promiseOrCallback(() => this.support.rollback(this.handle), callback)
  }
}
