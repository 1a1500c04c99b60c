/** What a store with replicas is told of an operation: whose it is, and whether a replica may answer it. */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { StoreOptions } from '../data-source/connector.js'
import { READING, type OperationOptions } from '../interfaces/operation-options.js'
import { storeOptions } from './context.js'

/**
 * The part of the options that the store sees of a read that is made for its own sake. What a write looks at first is
 * read with `storeOptions`: the store itself answers that.
 *
 * ```js
 * const rows = await model.connector.find(model, query, readOptions(model, options))
 * ```
 */
export function readOptions (model: CompiledModel, options: OperationOptions): StoreOptions {
  const store = storeOptions(model, options)
  if (model.connector.replicated !== true || store.transaction !== undefined || !mayBeOld(options)) return store
  return { ...store, mayBeOld: true }
}

/** The options for what a write looks at first. */
export const fromPrimary = (options: OperationOptions): OperationOptions =>
  mayBeOld(options) ? { ...options, primary: true } : options

const mayBeOld = ({ primary, [READING]: reading }: OperationOptions): boolean =>
  primary === false || (primary === undefined && reading === true)
