/** Deletes that put rows away: what goes along with a row belongs to the same one, and comes back with it. */
import type { StoreOptions } from '../data-source/connector.js'
import type { CompiledModel } from '../interfaces/compiled-model.js'
import { DELETION, type OperationOptions } from '../interfaces/operation-options.js'
import { newDeletion } from './soft-delete-layer.js'

/**
 * The options for what is deleted along with rows of a model: as a part of one delete, where that puts rows away.
 *
 * ```js
 * await followRules(model, condition, partOf(model, options))
 * ```
 */
export const partOf = ({ softDelete }: CompiledModel, options: OperationOptions): OperationOptions =>
  softDelete === undefined || options[DELETION] !== undefined ? options : { ...options, [DELETION]: newDeletion() }

/**
 * What the store is handed with a delete.
 *
 * ```js
 * await model.connector.deleteAll(model, where, ofDeletion(model, storeOptions(model, options), options))
 * ```
 */
export const ofDeletion = (
  { softDelete }: CompiledModel, store: StoreOptions, { [DELETION]: deletion }: OperationOptions
): StoreOptions => softDelete === undefined || deletion === undefined ? store : { ...store, deletion }
