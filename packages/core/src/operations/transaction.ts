/** Transactions as LoopBack offers them: an object to pass on as `options.transaction`. */
import { beginIn } from '../data-source/data-source-transaction.js'
import { Transaction, type TransactionSettings } from '../data-source/transaction.js'
import { NotAttachedError } from '../errors.js'
import type { HookContext } from '../hooks.js'
import type { ModelClass } from '../interfaces/model-class.js'
import type { MaybePromise } from '../maybe-promise.js'

/**
 * Runs `work` when what a hook was told of holds for everybody: now, or when the transaction that the operation is part
 * of has been committed. Where that is rolled back, `work` is not run.
 *
 * ```js
 * Note.observe('after save', async ctx => { whenCommitted(ctx, () => { queue.publish(ctx.instance.id) }) })
 * ```
 */
export function whenCommitted ({ Model, options }: HookContext, work: () => void): void {
  const { transaction } = options
  if (transaction instanceof Transaction) {
    transaction.whenCommitted(work)
    return
  }
  const ambient = (Model as ModelClass).dataSource?.ambient
  if (ambient === undefined) work()
  else ambient.whenCommitted(work)
}

/**
 * Runs `forget` after each change of a model's rows, for what was looked up of them and kept: at once, and again when
 * the change has been committed. In between, others still see, and keep, what was.
 *
 * ```js
 * forgetOnChange(Role, ['after save', 'after delete'], () => { cache.clear() })
 * ```
 */
export function forgetOnChange (
  Model: ModelClass,
  hooks: ReadonlyArray<'after save' | 'after delete'>,
  forget: (context: HookContext) => void
): void {
  for (const hook of hooks) {
    Model.observe(hook, context => {
      forget(context)
      whenCommitted(context, () => {
        forget(context)
      })
    })
  }
}

/** @throws FBK_CORE_DATA_SOURCE_SETTINGS when the store has no transactions */
export function beginTransaction (
  Model: ModelClass,
  options: TransactionSettings | string = {}
): MaybePromise<Transaction> {
  const { dataSource } = Model
  if (dataSource === null) throw new NotAttachedError(Model.modelName, 'beginTransaction')
  return beginIn(dataSource, options)
}

/** Runs `work` in a transaction: commits what it did, or rolls it back when it throws. */
export async function inTransaction<T> (
  Model: ModelClass,
  work: (options: { transaction: Transaction }) => MaybePromise<T>,
  options?: { isolationLevel?: string }
): Promise<T> {
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
