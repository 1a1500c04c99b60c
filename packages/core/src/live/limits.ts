/** How large live queries may be, and how many there may be. */
import type { CompiledModel } from '../interfaces/compiled-model.js'

/** Where no setting says (`maxLiveRows`, `maxLiveQueries`). */
const defaults = { maxLiveRows: 1_000, maxLiveQueries: 10_000 }

const limitOf = ({ Model, settings }: CompiledModel, name: keyof typeof defaults): number =>
  (settings[name] ?? Model.registry.settings[name] ?? defaults[name]) as number

/**
 * The most rows that a live query of a model may have, those among them that `skip` leaves out.
 *
 * ```js
 * liveRowLimit(Order.compiled) // 1000
 * ```
 */
export const liveRowLimit = (model: CompiledModel): number => limitOf(model, 'maxLiveRows')

/**
 * The most live queries of a model that clients may have at one process.
 *
 * ```js
 * liveQueryLimit(Order.compiled) // 10000
 * ```
 */
export const liveQueryLimit = (model: CompiledModel): number => limitOf(model, 'maxLiveQueries')
