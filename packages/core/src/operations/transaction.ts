/** Transactions as LoopBack offers them: an object to pass on as `options.transaction`. */
import type { BoundDataSource } from '../data-source/bound-data-source.js'
import { beginIn, inTransaction } from '../data-source/data-source-transaction.js'
import { Transaction, type TransactionOptions, type TransactionSettings } from '../data-source/transaction.js'
import { ForeignTransactionError, NestedTransactionError, NotAttachedError } from '../errors.js'
import type { HookContext } from '../hooks.js'
import type { ModelClass } from '../interfaces/model-class.js'
import type { MaybePromise } from '../maybe-promise.js'

/** A context as hooks and remote methods get it: what it is about, and options of the operation. */
export interface Committing {
  /** Of an operation hook. Other contexts are in the transaction that their options name, or in none. */
  readonly Model?: unknown
  readonly options?: object | undefined
  /** Of a remote method: it may run in a transaction of its request (`Idempotency-Key`, batches). */
  readonly method?: unknown
}

/**
 * Runs `work` when what a hook was told of holds for everybody: now, or when the transaction that the operation is part
 * of has been committed. Where that is rolled back, `work` is not run.
 *
 * ```js
 * Note.observe('after save', async ctx => { whenCommitted(ctx, () => { queue.publish(ctx.instance.id) }) })
 * // In a remote method, with what it gets beside its arguments
 * run (args, ctx) { whenCommitted(ctx, () => { queue.publish('greeted') }) }
 * ```
 */
export function whenCommitted ({ Model, options = {}, method }: Committing, work: () => void): void {
  const { transaction } = options as { readonly transaction?: unknown }
  if (transaction instanceof Transaction) {
    transaction.whenCommitted(work)
    return
  }
  const around = Model ?? (method as { readonly model?: unknown } | undefined)?.model
  const ambient = (around as ModelClass | undefined)?.dataSource?.ambient
  if (ambient === undefined) work()
  else ambient.whenCommitted(work)
}

/** Runs `work` when the transaction that a hook's operation is part of has been rolled back, if it is in one. */
function whenRolledBack ({ Model, options = {} }: HookContext, work: () => void): void {
  const { transaction } = options as { readonly transaction?: unknown }
  if (transaction instanceof Transaction) transaction.whenRolledBack(work)
  else (Model as ModelClass | undefined)?.dataSource?.ambient.whenRolledBack(work)
}

const kForgetting = Symbol('fastback.forgetting')

/**
 * Runs `forget` after each change of a model's rows, for what was looked up of them and kept: at once, and again when
 * the change has been committed. In between, others still see, and keep, what was. Other processes forget as well (the
 * setting `bus`).
 *
 * ```js
 * forgetOnChange(Role, ['after save', 'after delete'], () => { cache.clear() })
 * ```
 * @param concerns whether a change is one of what was kept. Default: every one is
 */
export function forgetOnChange (
  Model: ModelClass,
  hooks: ReadonlyArray<'after save' | 'after delete'>,
  forget: () => void,
  concerns: (context: HookContext) => boolean = () => true
): void {
  const { bus } = Model.registry
  const topic = `changed ${Model.modelName}`
  // Of several that keep something of the model one tells the others, once for what happens in one tick.
  const telling = Model.registry.slot(kForgetting, () => new Set<string>())
  const tell = (): void => {
    if (bus.driver === undefined || telling.has(topic)) return
    telling.add(topic)
    queueMicrotask(() => {
      telling.delete(topic)
      bus.publish(topic, null)
    })
  }
  bus.subscribe(topic, { message: forget, reset: forget })
  for (const hook of hooks) {
    Model.observe(hook, context => {
      if (!concerns(context)) return
      forget()
      // What was looked up in between, in the same transaction, is not so when that is rolled back.
      whenRolledBack(context, forget)
      whenCommitted(context, () => {
        forget()
        tell()
      })
    })
  }
}

/**
 * @throws FBK_CORE_DATA_SOURCE_SETTINGS when the store has no transactions, FBK_CORE_NESTED_TRANSACTION for a model of
 * `dataSource.transaction()`
 */
export function beginTransaction (
  Model: ModelClass,
  options: TransactionSettings | string = {}
): MaybePromise<Transaction> {
  const { dataSource } = Model
  if (dataSource === null) throw new NotAttachedError(Model.modelName, 'beginTransaction')
  if ('currentTransaction' in dataSource) throw new NestedTransactionError()
  return beginIn(dataSource, options)
}

/**
 * Runs `work` in a transaction of the model's data source: commits what it did, or rolls it back when it throws. In a
 * transaction that is open (`options.transaction`, or the one that the model works in), behind a savepoint of it.
 * @throws as `dataSource.transaction`; FBK_CORE_FOREIGN_TRANSACTION
 */
export async function transact<T> (
  Model: ModelClass,
  work: (options: { transaction: Transaction }) => MaybePromise<T>,
  { transaction: whole, ...options }: TransactionOptions & { readonly transaction?: unknown } = {}
): Promise<T> {
  const { dataSource } = Model
  if (dataSource === null) throw new NotAttachedError(Model.modelName, 'transaction')
  const within = (transaction: Transaction): MaybePromise<T> => work({ transaction })
  if (!(whole instanceof Transaction)) return await inTransaction(dataSource, options, within)
  mustBeOf(whole, Model)
  return await whole.savepoint(within)
}

/** @throws FBK_CORE_FOREIGN_TRANSACTION for a transaction of another data source than the model's */
export function mustBeOf (transaction: Transaction, { dataSource, modelName }: ModelClass): void {
  const { connector } = (dataSource as Partial<BoundDataSource> | null)?.origin ?? dataSource ?? {}
  if (connector !== undefined && connector !== transaction.connector) throw new ForeignTransactionError(modelName)
}
