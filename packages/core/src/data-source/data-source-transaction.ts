/** `dataSource.transaction()`, `beginTransaction()`: transactions of a data source, begun, done and done again. */
import { promiseOrCallback, type OperationCallback } from '../callbacks.js'
import { NestedTransactionError, NoTransactionsError, transactionTimeout } from '../errors.js'
import { callWithNext } from '../hooks.js'
import type { DataSource, TransactionWork } from '../interfaces/data-source.js'
import { chain, type MaybePromise } from '../maybe-promise.js'
import { deferred, within, type BoundDataSource, type Nested } from './bound-data-source.js'
import { withRetries } from './retry.js'
import { Transaction, type TransactionOptions, type TransactionSettings } from './transaction.js'

/** @throws FBK_CORE_DATA_SOURCE_SETTINGS when the store has no transactions */
export function beginIn (
  dataSource: DataSource, options: TransactionSettings | string = {}
): MaybePromise<Transaction> {
  const support = dataSource.transactions()
  const { connector } = dataSource
  // Within a hook whose operation has a transaction already: a second one would wait for the first.
  const joined = dataSource.ambient.joined()
  if (joined !== undefined) return new Transaction({ ...joined, connector })
  const settings = typeof options === 'string' ? { isolationLevel: options } : options
  const { isolationLevel, timeout } = settings
  return chain(
    support.begin({ isolationLevel, timeout }),
    handle => new Transaction({ handle, support, connector, timeout })
  )
}

export function dataSourceTransaction (
  dataSource: DataSource,
  execute: TransactionWork | undefined,
  options: TransactionOptions | OperationCallback | undefined,
  callback: OperationCallback | undefined
): unknown {
  const [settings, done] = typeof options === 'function' ? [{}, options] : [options ?? {}, callback]
  const { promises } = dataSource.registry
  const caller = { promises }
  const { transactions, name } = dataSource.connector
  if (transactions === undefined) {
    if (execute === undefined && done === undefined) return deferred(dataSource)
    return promiseOrCallback(() => {
      if (execute === undefined) return deferred(dataSource)
      throw new NoTransactionsError(dataSource.name, name)
    }, done, false, caller)
  }
  return promiseOrCallback(async () => {
    if (execute !== undefined) {
      return await inTransaction(dataSource, settings, transaction => run(dataSource, transaction, execute))
    }
    return within(dataSource, await beginIn(dataSource, settings), nest)
  }, done, false, caller)
}

/**
 * Runs `work` in a transaction: commits what it did, or rolls it back when it throws or its time is over. With `retry`,
 * again where others got in the way; not within another transaction, which is what would have to be done again.
 * @throws FBK_CORE_DATA_SOURCE_SETTINGS when the store has no transactions, FBK_CORE_INVALID_SETTING for settings that
 * cannot be; RequestError 503 TRANSACTION_TIMEOUT
 */
export async function inTransaction<T> (
  dataSource: DataSource, options: TransactionOptions, work: (transaction: Transaction) => MaybePromise<T>
): Promise<T> {
  const whole = (dataSource as Partial<BoundDataSource>).currentTransaction
  if (whole !== undefined) return await whole.savepoint(work)
  const retry = dataSource.ambient.handle === undefined ? options.retry : false
  return await withRetries(retry, async () => {
    const transaction = await beginIn(dataSource, options)
    const late = new Promise<never>((_resolve, reject) => {
      transaction.observe('timeout', async () => {
        await transaction.takeBack()
        reject(transactionTimeout())
      })
    })
    try {
      const result = await Promise.race([late, work(transaction)])
      await transaction.commit()
      return result
    } catch (error) {
      await transaction.takeBack()
      throw error
    }
  })
}

/** Does the work with models of the transaction, whoever ends it. */
async function run (dataSource: DataSource, transaction: Transaction, execute: TransactionWork): Promise<unknown> {
  const bound = within(dataSource, transaction, nest)
  try {
    return await callWithNext(done => execute(bound.models, done), true)
  } finally {
    bound.leave()
  }
}

/** A transaction of a transaction that has its work is a part of it; LoopBack has no other, and refuses. */
const nest = (bound: BoundDataSource): Nested => (execute, options, callback) => {
  if (execute === undefined || bound.currentTransaction === undefined) throw new NestedTransactionError()
  const done = typeof options === 'function' ? options : callback
  const { origin, currentTransaction } = bound
  return promiseOrCallback(
    () => currentTransaction.savepoint(part => run(origin, part, execute)),
    done, false, { promises: origin.registry.promises }
  )
}
