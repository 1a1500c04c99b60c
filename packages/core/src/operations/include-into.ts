import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { ModelInstance } from '../instances/model-instance.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import { chain, type MaybePromise } from '../maybe-promise.js'
import type { Row } from '../properties/types.js'
import { parseFilter } from '../query/parse.js'
import { noOptions, parseOptions } from './context.js'
import { includeRelations } from './include.js'

/**
 * Loads relations of instances that are there already, and keeps what it finds with them.
 *
 * ```js
 * await includeInto(Book.compiled, books, ['author', { chapters: 'notes' }])
 * ```
 * @param given one instance or several
 * @param include as in a filter
 * @throws RequestError 400 INVALID_INCLUDE for a relation that the model does not have
 */
export function includeInto<T extends ModelInstance | ModelInstance[]> (
  model: CompiledModel, given: T, include: unknown, options: OperationOptions = noOptions
): MaybePromise<T> {
  const query = parseFilter(model, { include }, parseOptions(model, options))
  return chain(includeRelations(model, [given].flat() as Row[], query.include, options), () => given)
}
