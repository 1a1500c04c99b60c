import type { CompiledModel } from '../interfaces/compiled-model.js'
import { RequestError } from '../errors.js'
import { chain, isPromise, type MaybePromise } from '../maybe-promise.js'
import type { ModelInstance } from '../instances/model-instance.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import { coerceId } from '../query/id.js'
import { ofDeletion, partOf } from './deletions.js'
import { followRules } from './follow-rules.js'
import { deleteRules } from './references.js'
import { unlessShortCircuited } from './short-circuit.js'
import { asOne, withHooks } from './with-hooks.js'
import { whereAfter, writeWhere, type AccessWhere } from './access-condition.js'
import { noOptions, Operation, whereId } from './context.js'
import { writeOptions } from './freshness.js'
import { conflictIn, expectedVersion, mustExpectNone, withoutExpected, withVersionIn } from './if-version.js'

/**
 * Removes every match and tells how many there were.
 *
 * ```js
 * const { count } = await deleteRows(Note.compiled, { stars: 0 }, options)
 * ```
 * @param instance the instance being destroyed, for hooks
 * @param expected the version that the row must have, of a write of one row
 */
export function deleteRows (
  model: CompiledModel,
  where: unknown,
  options: OperationOptions = noOptions,
  instance?: ModelInstance,
  expected?: number
): MaybePromise<{ count: number }> {
  mustExpectNone(options, 'deleteAll')
  const operation = new Operation(model, options)
  const extra = instance === undefined ? {} : { instance }
  return chain(chain(writeWhere(operation, where, 'delete'), announced), removed)

  function announced (found: AccessWhere): MaybePromise<AccessWhere> {
    return chain(operation.notify(model.hooks['before delete'], { where: found.json, ...extra }), told =>
      whereAfter(operation, found, told, 'delete'))
  }

  /** Rows that lead to these are dealt with first, where a relation says how. */
  function removed (found: AccessWhere): MaybePromise<{ count: number }> {
    if (deleteRules(model.Model.registry, model.name) === undefined) {
      return withHooks(model, options, [model.hooks['after delete']], () => deleted(found))
    }
    return asOne(model, options, async () => {
      operation.options = partOf(model, operation.options)
      await followRules(model, withVersionIn(model, found.condition, expected), operation.options)
      return await deleted(found)
    })
  }

  function deleted ({ condition, json }: AccessWhere): MaybePromise<{ count: number }> {
    const store = ofDeletion(model, writeOptions(model, operation.options), operation.options)
    const deleted = model.connector.deleteAll(model, withVersionIn(model, condition, expected), store)
    const explained = expected === undefined
      ? deleted
      : chain(deleted, count => count > 0 ? count : chain(conflictIn(model, condition, store), () => count))
    return chain(explained, count => {
      const told = operation.notify(model.hooks['after delete'], { where: json, info: { count }, ...extra })
      return isPromise(told) ? told.then(() => ({ count })) : { count }
    })
  }
}

/**
 * Removes the row with this id. A row that is not there is no error, unless the model says `strictDelete`.
 *
 * ```js
 * const { count } = await deleteById(Note.compiled, 1, options) // 0 or 1
 * ```
 * @throws RequestError 404 under `strictDelete`; VersionConflictError 412 where it has not the version that the options
 * say
 */
export function deleteById (
  model: CompiledModel,
  id: unknown,
  given: OperationOptions = noOptions,
  instance?: ModelInstance
): MaybePromise<{ count: number }> {
  const expected = expectedVersion(model, given)
  const options = withoutExpected(given)
  const value = coerceId(model, id)
  const none = (): { count: number } => {
    if (model.settings.strictDelete === true) {
      throw new RequestError(404, `No instance with id ${String(id)} found for ${model.name}`, { code: 'NOT_FOUND' })
    }
    return { count: 0 }
  }
  if (value === undefined) return none()
  return unlessShortCircuited(model, () =>
    chain(deleteRows(model, whereId(model, value), options, instance, expected), result =>
      result.count === 0 ? none() : result
    ))
}
