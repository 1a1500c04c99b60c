/** Partial updates of one row: patchAttributes, and by id. */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { Id } from '../data-source/connector.js'
import { noInstance, RequestError, type FoundViolation } from '../errors.js'
import { propertyOf } from '../violation.js'
import { chain, isPromise, type MaybePromise } from '../maybe-promise.js'
import { assignRow, instantiate } from '../instances/instance.js'
import type { ModelInstance } from '../instances/model-instance.js'
import { LOOKED_AT, type OperationOptions } from '../interfaces/operation-options.js'
import type { Row } from '../properties/types.js'
import { isCompound, partsOf } from '../query/compound-id.js'
import { coerceId, rowId } from '../query/id.js'
import { unlessShortCircuited } from './short-circuit.js'
import { madeByStore } from './made-by-store.js'
import { savedListeners, withHooks } from './with-hooks.js'
import { knownOf, loadedRow, noOptions, Operation, whereId } from './context.js'
import { withUniquenessLock } from './write-locks.js'
import { afterHooks } from './settled.js'
import { findRowById } from './read.js'
import { fromPrimary, writeOptions } from './freshness.js'
import { narrowsRows } from './row-rules.js'
import { expectedVersion, expecting, withoutExpected, withoutVersion } from './if-version.js'
import { writeAsJudged } from './looked-at.js'
import { demandOf, updateRow } from './ruled-writes.js'
import { coerceChanges, forcesId, mustBeValid, storing, validatedBy } from './validate.js'

/**
 * Sets `data` on a stored instance.
 *
 * ```js
 * const note = await Note.findById(1)
 * await patchInstance(Note.compiled, note, { title: 'bye' }, options)
 * ```
 * @throws ValidationError 422; RequestError 400 when the id would change, 404 when the row is gone;
 * VersionConflictError 412 where it has not the version that the options say
 */
export function patchInstance (
  model: CompiledModel,
  instance: ModelInstance,
  data: Readonly<Row>,
  given: OperationOptions = noOptions,
  operationOf?: Operation
): MaybePromise<ModelInstance> {
  if (model.nests?.carries(data) === true) return model.nests.patch(instance, data, given)
  const expected = expectedVersion(model, given)
  const options = withoutExpected(given)
  const operation = operationOf ?? new Operation(model, options)
  const id = rowId(model, instance as Row) as Id
  const violations: FoundViolation[] = []
  let changes = withoutVersion(model, coerceChanges(model, data, violations, options))
  /** What was changed, before `persist` saw it. */
  let asked = changes
  const isWatched = model.hooks.persist !== undefined || model.hooks.loaded !== undefined
  return unlessShortCircuited(model, () => chain(beforeSave(), prepared))

  function prepared (): MaybePromise<ModelInstance> {
    assertSameId(model, id, changes)
    const only = new Set([...Object.keys(changes), ...violations.map(propertyOf)])
    const candidate = assignRow(instantiate(model, { ...(instance as Row) }), changes, model)
    const validating = afterHooks(operation, validatedBy(model, 'validateUpdate', options))
    const checked = (): MaybePromise<ModelInstance> =>
      chain(mustBeValid(model, candidate, violations, validating, only, instance), () => persisted(candidate))
    return withUniquenessLock(model, [candidate], validating, checked, only)
  }

  function persisted (candidate: ModelInstance): MaybePromise<ModelInstance> {
    // A copy: hooks of `persist` change the object they are given.
    asked = model.hooks.persist === undefined ? changes : { ...changes }
    return chain(persist(candidate), () =>
      withHooks(model, options, savedListeners(model), () => stored(candidate as Row)))
  }

  function stored (candidate: Row): MaybePromise<ModelInstance> {
    const final = withoutId(model, changes)
    const update = (): MaybePromise<Row | undefined> => writeAsJudged(model, id, final, options, () =>
      chain(demandOf(operation, 'update', final, false), demand =>
        updateRow(model, id, final, demand, options, expecting(writeOptions(model, options), expected))))
    return chain(storing(model, candidate, update), concluded)
  }

  function concluded (found: Row | undefined): MaybePromise<ModelInstance> {
    if (found === undefined) throw noInstance(id)
    const keepsAsked = isWatched && model.settings.updateOnLoad !== true
    const madeOfThem = keepsAsked ? madeByStore(changes, found, Object.keys(changes)) : undefined
    return chain(loadedRow(operation, found, false), row => {
      assignRow(instance, knownOf(model, row), model)
      // LoopBack's response does not show what `persist` and `loaded` made of the changes, unless the model asks for
      // it.
      if (keepsAsked) assignRow(instance, { ...asked, ...madeOfThem }, model)
      const saved = operation.notify(model.hooks['after save'], { instance, isNewInstance: false })
      return isPromise(saved) ? saved.then(() => instance) : instance
    })
  }

  function beforeSave (): MaybePromise<unknown> {
    const observers = model.hooks['before save']
    if (observers === undefined) return
    return chain(
      operation.notify(observers, { where: whereId(model, id), data: changes, currentInstance: instance }),
      context => {
        violations.length = 0
        changes = withoutVersion(model, coerceChanges(model, context?.data ?? changes, violations, options))
      }
    )
  }

  function persist (currentInstance: ModelInstance): MaybePromise<unknown> {
    const observers = model.hooks.persist
    if (observers === undefined) return
    return chain(
      operation.notify(observers, {
        data: changes,
        where: whereId(model, id),
        currentInstance,
        isNewInstance: false
      }),
      context => {
        changes = context?.data ?? changes
      }
    )
  }
}

/**
 * Loads the row, then `patchInstance`. Undefined when there is no such row.
 *
 * ```js
 * const note = await patchById(Note.compiled, 1, { title: 'bye' }, options) // undefined: there is no such row
 * ```
 */
export function patchById (
  model: CompiledModel,
  id: unknown,
  data: Readonly<Row>,
  options: OperationOptions = noOptions
): MaybePromise<ModelInstance | undefined> {
  return chain(findRowById(model, id, undefined, fromPrimary(withoutExpected(options))), row =>
    row === undefined ? undefined : patchInstance(model, instantiate(model, row), data, options)
  )
}

/**
 * Whether a partial update can go to the store without a look at the row: no hook listens, and every validation knows
 * its response from the new values alone.
 *
 * ```js
 * patchesBlindly(Note.compiled, options) // false, once somebody observes "before save"
 * ```
 */
export function patchesBlindly (model: CompiledModel, options: OperationOptions): boolean {
  const { hooks } = model
  return (
    model.nests === undefined && model.definition.scope === undefined && !narrowsRows(model, options) &&
    hooks.access === undefined &&
    options[LOOKED_AT] === undefined &&
    hooks['before save'] === undefined &&
    hooks.persist === undefined &&
    hooks.loaded === undefined &&
    hooks['after save'] === undefined &&
    (options.skipValidation === true || model.validations.every(validation => validation.local))
  )
}

/** Checked changes for an update without a look at the row. */
export function blindChanges (
  model: CompiledModel,
  id: Id,
  data: Readonly<Row>,
  options: OperationOptions
): MaybePromise<Row> {
  const violations: FoundViolation[] = []
  const changes = withoutVersion(model, coerceChanges(model, data, violations))
  assertSameId(model, id, changes)
  const only = new Set([...Object.keys(changes), ...violations.map(propertyOf)])
  return chain(mustBeValid(model, changes, violations, validatedBy(model, 'validateUpdate', options), only), () =>
    withoutId(model, changes)
  )
}

/**
 * @param isForced whether the response says so: that of a partial update, as in LoopBack
 * @throws RequestError 400 when `changes` name another id
 */
export function assertSameId (
  model: CompiledModel, id: Id, changes: Readonly<Row>, isForced = forcesId(model)
): void {
  if (model.id === undefined) return isCompound(model) ? mustKeepKey(model, id, changes) : undefined
  const given = changes[model.id.name]
  if (given === undefined || given === null || coerceId(model, given) === id) return
  throw new RequestError(400, isForced
    ? `${model.id.name} cannot be updated from ${String(id)} to ${String(given)} when forceId is set to true`
    : `id property (${model.id.name}) cannot be updated from ${String(id)} to ${String(given)}`)
}

function mustKeepKey (model: CompiledModel, id: Id, changes: Readonly<Row>): void {
  const given = Object.fromEntries(model.key
    .map(({ name }) => [name, changes[name]])
    .filter(([, value]) => value !== undefined && value !== null))
  if (coerceId(model, { ...partsOf(model, id), ...given }) === id) return
  const names = model.key.map(({ name }) => name).join(', ')
  throw new RequestError(400, `the id (${names}) cannot be updated from ${String(id)}`)
}

export function withoutId (model: CompiledModel, row: Readonly<Row>): Row {
  if (isCompound(model)) {
    return Object.fromEntries(Object.entries(row).filter(([name]) => !model.key.some(part => part.name === name)))
  }
  if (model.id === undefined || !(model.id.name in row)) return row as Row
  const { [model.id.name]: _, ...rest } = row
  return rest
}
