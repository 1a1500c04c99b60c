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
import { ValidationError } from '../errors.js'
import { chain } from '../maybe-promise.js'
import { isRemote } from '../operations/origin.js'
import { ruleOf } from '../operations/row-rules.js'
import { unsettable } from '../operations/settable-values.js'
import { writableValues } from '../operations/writable-values.js'
import { isSetBy } from '../properties/set-by-clients.js'

/** Stores a value in the place of the one that is edited. */
export type Put = (value: unknown) => MaybePromise<unknown>

/**
 * Edits a property of a row that relations keep their data in: embedded rows, lists of keys. Others that edit the row
 * wait meanwhile, so that of two requests neither loses what the other added.
 * @param owner the row, or its instance, which is then brought up to date
 * @param edit gets the value as it is stored, and `put` to store another
 * @throws RequestError 404 when the row is gone, 403 FIELD_NOT_WRITABLE where rules do not let the caller set the
 * property; ValidationError 422 when the new value is not valid, or no client may set it
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
    edit(row[property], value => chain(mustMaySet(model, property, value, row, options), () =>
      patchInstance(model, instance, { [property]: value }, options)))
  )
}

/** A route of a relation that writes a property of the row asks what a write of the property asks (S-141). */
function mustMaySet (
  model: CompiledModel, name: string, value: unknown, stored: Row, options: OperationOptions
): MaybePromise<void> {
  mustBeSettable(model, name, stored, options)
  return isRemote(options)
    ? chain(ruleOf(model, 'update', options), rule => {
      const writes = rule?.writes
      // What stands within the value was judged as it came: the rest is as it was stored.
      if (writes === undefined) return
      const write = { kind: 'update' as const, stored, writes: (each: string) => writes(each), reads: rule?.reads }
      writableValues(model, { [name]: value }, write)
    })
    : undefined
}

/**
 * Refuses to set for a client what clients only read, or say once. What `readOnlyProperties` leaves out of other writes
 * would be all of this one.
 * @throws ValidationError 422 with the codes `readOnly` and `writeOnce`
 */
export function mustBeSettable (model: CompiledModel, name: string, stored: Row, options: OperationOptions): void {
  const property = model.propertyByName.get(name)
  if (!isRemote(options) || property === undefined) return
  const had = stored[name]
  const isSaid = had !== undefined && had !== null && !(Array.isArray(had) && had.length === 0)
  for (const code of ['readOnly', 'writeOnce'] as const) {
    if (!isSetBy(property, code) || (code === 'writeOnce' && !isSaid)) continue
    throw new ValidationError(model.name, [unsettable('', name, code)])
  }
}

/**
 * What is done to a part of a property gives all of that part: who may not read it does not find it (S-10, S-110).
 * @param missing the error for a part that is not there
 */
export function mustMayRead (
  model: CompiledModel, name: string, options: OperationOptions, missing: () => Error
): MaybePromise<void> {
  if (!isRemote(options)) return
  if (model.propertyByName.get(name)?.hidden === true) throw missing()
  return chain(ruleOf(model, 'read', options), rule => {
    if (rule?.reads?.(name) === false) throw missing()
  })
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
