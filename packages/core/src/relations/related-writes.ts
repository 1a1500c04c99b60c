/**
 * Writes of related rows, by the function that the application has for them, as LoopBack's relations write by the
 * related model: its `create`, `updateAll`, `destroyAll` and `deleteById`, and the row's `updateAttributes` and
 * `destroy`. One that keeps rows as gone (soft delete) keeps these as well.
 */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import type { ModelInstance } from '../instances/model-instance.js'
import type { MaybePromise } from '../maybe-promise.js'
import { createInstance } from '../operations/create.js'
import { createList } from '../operations/create-list.js'
import { deleteById, deleteRows } from '../operations/delete.js'
import { asInternal } from '../operations/origin.js'
import { patchInstance } from '../operations/patch.js'
import { updateRows } from '../operations/update-all.js'
import { callOwn, ownFunction } from '../own-functions.js'
import type { Row } from '../properties/types.js'
import { rowId } from '../query/id.js'
import { toInstance } from './instances.js'

type Created = MaybePromise<ModelInstance | ModelInstance[]>

/**
 * Creates a row, or those of a list.
 *
 * ```js
 * await createRelated(Book.compiled, { title: 'New', authorId: 1 }, options)
 * ```
 * @param many how a list is created where the application has no function for it
 */
export function createRelated (
  model: CompiledModel, data: Row | Row[], options: OperationOptions, many: typeof createList = createList
): Created {
  const own = ownFunction(model.Model, 'create')
  if (own !== undefined) return callOwn(own, model.Model, [data, options])
  return Array.isArray(data) ? many(model, data, options) : createInstance(model, data, options)
}

/**
 * Changes all rows of a condition, which has been judged.
 *
 * ```js
 * await updateRelated(Book.compiled, { authorId: 1 }, { lent: false }, options)
 * ```
 */
export function updateRelated (
  model: CompiledModel, where: object, data: Row, options: OperationOptions
): MaybePromise<unknown> {
  const own = ownFunction(model.Model, 'updateAll')
  if (own === undefined) return updateRows(model, where, data, asInternal(options))
  return callOwn(own, model.Model, [where, data, asInternal(options)])
}

/**
 * Deletes all rows of a condition, which has been judged.
 *
 * ```js
 * await deleteRelated(Book.compiled, { authorId: 1 }, options)
 * ```
 */
export function deleteRelated (model: CompiledModel, where: object, options: OperationOptions): MaybePromise<unknown> {
  const own = ownFunction(model.Model, 'destroyAll')
  if (own === undefined) return deleteRows(model, where, asInternal(options))
  return callOwn(own, model.Model, [where, asInternal(options)])
}

/**
 * Sets values of one row.
 *
 * ```js
 * await changeRelated(Book.compiled, row, { title: 'Better' }, options)
 * ```
 */
export function changeRelated (
  model: CompiledModel, row: Row, data: unknown, options: OperationOptions
): MaybePromise<ModelInstance> {
  const related = toInstance(model, row)
  const changes = (data ?? {}) as Row
  const own = ownFunction(related, 'updateAttributes')
  if (own === undefined) return patchInstance(model, related, changes, options)
  return callOwn(own, related, [changes, options])
}

/**
 * Deletes one row.
 *
 * ```js
 * await removeRelated(Book.compiled, row, options)
 * ```
 */
export function removeRelated (model: CompiledModel, row: Row, options: OperationOptions): MaybePromise<unknown> {
  const related = toInstance(model, row)
  const own = ownFunction(related, 'destroy')
  if (own !== undefined) return callOwn(own, related, [options])
  return deleteById(model, rowId(model, row), asInternal(options), related)
}
