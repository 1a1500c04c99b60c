/** What stands between a model's operations and all else that is before its store. */
import type { Connector } from '../data-source/connector.js'
import type { ModelClass } from './model-class.js'

/**
 * Kinds of write layers, that which is nearest to the store first: each sees the calls of those after it. What encrypts
 * properties at rest is below all of them (`operations/sealed-layer.ts`).
 * - `softDelete`: deletes that put rows away, and reads that leave these out
 * - `history`: what happened to rows
 * - `tracking`: changes for replication (`@fastback/sync`)
 */
export const writeLayerKinds = ['softDelete', 'history', 'tracking'] as const

export type WriteLayerKind = typeof writeLayerKinds[number]

/**
 * A connector in front of another one.
 * @param connector what the layer is in front of
 * @param Model the model that is meant, which may extend the one that has the layer
 */
export type WriteLayer = (connector: Connector, Model: ModelClass) => Connector
