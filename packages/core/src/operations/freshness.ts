/**
 * How new the response of a store must be: whether a replica may give it, or what was read in this tick already; and
 * how soon a write must be made.
 */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { StoreOptions } from '../data-source/connector.js'
import { BY_SOCKET, READING, type OperationOptions } from '../interfaces/operation-options.js'
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
  if (store.transaction !== undefined || !mayBeOld(options)) return store
  const { connector } = model
  if (connector.replicated === true) return { ...store, mayBeOld: true }
  return byTurn(model, store, options)
}

/**
 * The part of the options that the store sees of a write that a request came for. One that came over a socket is
 * answered when the write is made, and nobody can tell whether that was at the beginning of a turn or at its end.
 *
 * ```js
 * const row = await model.connector.create(model, values, writeOptions(model, options))
 * ```
 */
export function writeOptions (model: CompiledModel, options: OperationOptions): StoreOptions {
  const store = storeOptions(model, options)
  return store.transaction === undefined ? byTurn(model, store, options) : store
}

/** Such a store has no copies, whose options would say more. A copy of an object that gains a member is dear. */
function byTurn ({ connector }: CompiledModel, store: StoreOptions, options: OperationOptions): StoreOptions {
  if (connector.worksByTurn !== true || options[BY_SOCKET] !== true) return store
  const { work, by } = store
  if (by !== undefined) return work === undefined ? { by, ofThisTick: true } : { work, by, ofThisTick: true }
  return work === undefined ? ofThisTick : { work, ofThisTick: true }
}

const ofThisTick: StoreOptions = Object.freeze({ ofThisTick: true })

/** The options for what a write looks at first. */
export const fromPrimary = (options: OperationOptions): OperationOptions =>
  mayBeOld(options) ? { ...options, primary: true } : options

const mayBeOld = ({ primary, [READING]: reading }: OperationOptions): boolean =>
  primary === false || (primary === undefined && reading === true)
