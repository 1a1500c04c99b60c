/** Who may see rows that are put away. */
import { RequestError } from '../errors.js'
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import { chain, type MaybePromise } from '../maybe-promise.js'
import { isRemote } from './origin.js'

/** The name under which rules of a model say who may see rows that are put away. */
export const readDeleted = 'readDeleted'

/**
 * Code of the application may see all rows; a caller only where a rule of the model says so by name. What is decided
 * where no rule does is: no.
 * @throws RequestError 403 READ_DELETED_DENIED
 */
export function mustReadDeleted (model: CompiledModel, options: OperationOptions): MaybePromise<void> {
  if (!isRemote(options)) return
  return chain(options.methodRights?.allows(model.Model, readDeleted) ?? false, mayRead => {
    if (mayRead) return
    throw new RequestError(
      403, `Deleted rows of ${model.name} are for callers whom a rule for "${readDeleted}" allows them.`,
      { code: 'READ_DELETED_DENIED' }
    )
  })
}
