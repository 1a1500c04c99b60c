/** Transactions as LoopBack offers them: an object to pass on as `options.transaction`. */
import type { TransactionSupport } from '../connector.js'
import type { ModelClass, OperationCallback } from '../model/model-class.js'
import { chain, type MaybePromise } from '../maybe-promise.js'
import { settle } from './settle.js'

/** A transaction under way. `handle` is the store's own. */
export class Transaction {
  constructor (readonly handle: unknown, readonly support: TransactionSupport) {}

  commit (callback?: OperationCallback<void>): Promise<void> | undefined {
    return settle(() => this.support.commit(this.handle), callback)
  }

  rollback (callback?: OperationCallback<void>): Promise<void> | undefined {
    return settle(() => this.support.rollback(this.handle), callback)
  }
}

/** @throws FBK_CORE_DATA_SOURCE_SETTINGS when the store has no transactions */
export function beginTransaction (Model: ModelClass, options: { isolationLevel?: string, timeout?: number } | string = {}): MaybePromise<Transaction> {
  const support = transactionsOf(Model)
  // Within a hook whose operation has a transaction already: a second one would wait for the first.
  const joined = Model.dataSource?.ambient.joined()
  if (joined !== undefined) return new Transaction(joined.handle, joined.support)
  const settings = typeof options === 'string' ? { isolationLevel: options } : options
  return chain(support.begin(settings), handle => new Transaction(handle, support))
}

/** Runs `work` in a transaction: commits what it did, or rolls it back when it throws. */
export async function inTransaction<T> (Model: ModelClass, work: (options: { transaction: Transaction }) => MaybePromise<T>, options?: { isolationLevel?: string }): Promise<T> {
  const transaction = await beginTransaction(Model, options)
  try {
    const result = await work({ transaction })
    await transaction.commit()
    return result
  } catch (error) {
    await transaction.rollback()
    throw error
  }
}

function transactionsOf (Model: ModelClass): TransactionSupport {
  const dataSource = Model.dataSource
  if (dataSource === null) throw new Error(`Model "${Model.modelName}" is not attached to a data source.`)
  return dataSource.transactions()
}
