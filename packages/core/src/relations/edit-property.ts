import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { Id } from '../data-source/connector.js'
import type { MaybePromise } from '../maybe-promise.js'
import { instantiate, isInstance } from '../instances/instance.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import { patchInstance } from '../operations/patch.js'
import { withRowLock } from '../operations/write-locks.js'
import { saveInstance } from '../operations/upsert.js'
import type { Row } from '../properties/types.js'
import { rowId } from '../query/id.js'

/** Stores a value in the place of the one that is edited. */
export type Put = (value: unknown) => MaybePromise<unknown>

/**
 * Edits a property of a row that relations keep their data in: embedded rows, lists of keys. Others that edit the row
 * wait meanwhile, so that of two requests neither loses what the other added.
 * @param owner the row, or its instance, which is then brought up to date
 * @param edit gets the value as it is stored, and `put` to store another
 * @throws RequestError 404 when the row is gone; ValidationError 422 when the new value is not valid
 */
export function editProperty<T> (
  model: CompiledModel,
  owner: Row,
  property: string,
  options: OperationOptions,
  edit: (value: unknown, put: Put) => MaybePromise<T>
): MaybePromise<T> {
  const instance = isInstance(owner) ? owner : instantiate(model, owner)
  if ((instance as unknown as { isNewRecord(): boolean }).isNewRecord()) {
    return edit(instance[property], value => {
      instance[property] = value
      return saveInstance(instance, true, options)
    })
  }
  return withRowLock(model, rowId(model, instance as Row) as Id, options, row =>
    edit(row[property], value => patchInstance(model, instance, { [property]: value }, options))
  )
}

/** The same for a property that is a list. */
export function editList<T> (
  model: CompiledModel,
  owner: Row,
  property: string,
  options: OperationOptions,
  edit: (list: readonly unknown[], put: Put) => MaybePromise<T>
): MaybePromise<T> {
  return editProperty(model, owner, property, options, (value, put) => edit(Array.isArray(value) ? value : [], put))
}
