/** Rows that are parted from others are those that rules leave to the caller (security.md, S-110). */
import { unknownId } from '../errors.js'
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import { chain, type MaybePromise } from '../maybe-promise.js'
import { asInternal, isRemote } from '../operations/origin.js'
import { rowExists } from '../operations/read.js'
import { narrowsRows } from '../operations/row-rules.js'

/**
 * Whether rules may leave some rows of a model out of the caller's sight.
 *
 * ```js
 * if (!partsInSight(this.related, options)) return part(keys)
 * ```
 */
export const partsInSight = (model: CompiledModel, options: OperationOptions): boolean =>
  isRemote(options) && narrowsRows(model, options)

/**
 * Refuses to part a row that its caller does not see, as it is refused to join it.
 *
 * ```js
 * await mustBeInSight(Tag.compiled, 7, options)
 * ```
 * @throws RequestError 404, as where there is none
 */
export function mustBeInSight (model: CompiledModel, id: unknown, options: OperationOptions): MaybePromise<void> {
  if (!partsInSight(model, options)) return
  if (id === undefined) throw unknownId(model.name, id)
  return chain(rowExists(model, id as string, asInternal(options)), exists => {
    if (!exists) throw unknownId(model.name, id)
  })
}
