/** Writes and their hooks as one: an error of a hook takes back what was written before it. */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import type { Observer } from '../hooks.js'
import type { StoreOptions, TransactionBeginning } from '../data-source/connector.js'
import type { MaybePromise } from '../maybe-promise.js'
import { storeOptions } from './context.js'

/** Marks observers that never fail and change nothing: they are no reason for a transaction. */
export const PASSIVE = Symbol('fastback.passive')

const mayFail = (observer: Observer): boolean => !(PASSIVE in observer)

/**
 * Writes, and tells hooks what was written, as one: where the store has transactions, an error of a hook takes the
 * write back. No transaction is opened when nobody listens, when the caller passes one, or with the model's setting
 * `hooksInTransaction: false`.
 * @param listeners observers that run after the write
 */
export function withHooks<T> (
  model: CompiledModel,
  options: OperationOptions,
  listeners: ReadonlyArray<readonly Observer[] | undefined>,
  work: () => MaybePromise<T>
): MaybePromise<T> {
  const isNeeded = listeners.some(observers => observers?.some(mayFail) === true) && options.notify !== false
  return isNeeded && model.settings.hooksInTransaction !== false ? asOne(model, options, work) : work()
}

/** Does what is several writes as one, where the store has transactions and the caller passes none. */
export function asOne<T> (
  model: CompiledModel, { transaction }: OperationOptions, work: () => MaybePromise<T>, beginning?: TransactionBeginning
): MaybePromise<T> {
  const support = model.connector.transactions
  const ambient = model.Model.state.dataSource?.ambient
  if (transaction !== undefined || support === undefined || ambient === undefined || ambient.handle !== undefined) {
    return work()
  }
  return ambient.run(support, work, beginning)
}

/**
 * The same for what stands between a model's operations and its store (`setWriteLayer`): several writes as one, in the
 * transaction that the operation is in, or in one of their own.
 *
 * ```js
 * storedAsOne(Note.compiled, options, within => store.create(model, row, within))
 * ```
 * @param beginning of their own transaction: `brittle` for work that goes on after no error
 */
export function storedAsOne<T> (
  model: CompiledModel, options: StoreOptions, work: (options: StoreOptions) => MaybePromise<T>,
  beginning?: TransactionBeginning
): MaybePromise<T> {
  if (options.transaction !== undefined) return work(options)
  return asOne(model, {}, () => work({ ...options, ...storeOptions(model, {}) }), beginning)
}

/** Observers that hear of a saved row. */
export const savedListeners = ({ hooks }: CompiledModel): ReadonlyArray<readonly Observer[] | undefined> => [
  hooks.loaded,
  hooks['after save']
]
