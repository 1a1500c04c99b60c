/** What stands between a model's operations and all else that is before its store. */

/**
 * Kinds of write layers, that which is nearest to the store first: each sees the calls of those after it. What encrypts
 * properties at rest is below all of them (`operations/sealed-layer.ts`).
 * - `softDelete`: deletes that put rows away, and reads that leave these out
 * - `recording`: what happened to rows, for histories and events (`history/recorder.ts`)
 * - `tracking`: changes for replication (`@fastback/sync`)
 */
export const writeLayerKinds = ['softDelete', 'recording', 'tracking'] as const

export type WriteLayerKind = typeof writeLayerKinds[number]
