/** Replacing one row: what is not given is gone, defaults come back. */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { Id } from '../data-source/connector.js'
import { RequestError, type FoundViolation } from '../errors.js'
import { chain, isPromise, type MaybePromise } from '../maybe-promise.js'
import { assignRow, instantiate } from '../instances/instance.js'
import type { ModelInstance } from '../instances/model-instance.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import type { Row } from '../properties/types.js'
import { coerceId, setRowId } from '../query/id.js'
import { unlessShortCircuited } from './short-circuit.js'
import { savedListeners, withHooks } from './with-hooks.js'
import { isInSight } from './access-condition.js'
import { expectedVersion, expecting, withoutExpected } from './if-version.js'
import { loadedRow, noOptions, Operation, whereId } from './context.js'
import { writeOptions } from './freshness.js'
import { writeAsJudged } from './looked-at.js'
import { demandOf, replaceStored } from './ruled-writes.js'
import { withUniquenessLock } from './write-locks.js'
import { afterHooks } from './settled.js'
import { assertSameId } from './patch.js'
import { coerceInto, mustBeValid, storing } from './validate.js'

/** 404 of a replace whose row is not there. */
const notThere = (id: unknown): RequestError =>
  new RequestError(404, `Could not replace. Object with id ${String(id)} does not exist!`)

/**
 * Replaces the row with this id and gives its instance. A row that the default scope hides is not there (S-76).
 *
 * ```js
 * const note = await replaceById(Note.compiled, 1, { title: 'only this' }, options)
 * ```
 * @param target the instance to bring up to date (`replaceAttributes`)
 * @throws ValidationError 422; RequestError 400 for another id in `data`, 404 when there is no such row;
 * VersionConflictError 412 where it has not the version that the options say
 */
export function replaceById (
  model: CompiledModel, id: unknown, data: Readonly<Row>, given: OperationOptions = noOptions,
  { target }: { target?: ModelInstance } = {}
): MaybePromise<ModelInstance> {
  if (model.nests?.carries(data) === true) return model.nests.replace(id, data, given, target)
  const expected = expectedVersion(model, given)
  const options = withoutExpected(given)
  const value = coerceId(model, id)
  if (value === undefined) throw notThere(id)
  const operation = new Operation(model, options)
  return chain(target !== undefined || isInSight(operation, value), isThere => {
    if (!isThere) throw notThere(id)
    return replaceRow(operation, value, data, target, expected)
  })
}

function replaceRow (
  operation: Operation,
  id: Id,
  data: Readonly<Row>,
  target: ModelInstance | undefined,
  expected: number | undefined
): MaybePromise<ModelInstance> {
  const { model, options } = operation
  const violations: FoundViolation[] = []
  let row = complete(data)
  const instance = instantiate(model, row)
  if (model.initialised !== undefined) {
    model.initialised.call(instance)
    row = complete(instance)
  }
  return unlessShortCircuited(model, () => chain(beforeSave(), () =>
    withUniquenessLock(model, [instance], options, checked)))

  function checked (): MaybePromise<ModelInstance> {
    return chain(mustBeValid(model, instance, violations, afterHooks(operation, options)), () =>
      chain(persist(), () => withHooks(model, options, savedListeners(model), stored)))
  }

  function stored (): MaybePromise<ModelInstance> {
    const write = (): MaybePromise<Row | undefined> => writeAsJudged(model, id, row, options, () =>
      chain(demandOf(operation, 'update', row, true), demand =>
        replaceStored(model, id, row, demand, options, expecting(writeOptions(model, options), expected))))
    return chain(storing(model, row, write), concluded)
  }

  function concluded (found: Row | undefined): MaybePromise<ModelInstance> {
    if (found === undefined) throw notThere(id)
    return chain(loadedRow(operation, found, false), loaded => {
      const result = target ?? instance
      const isData = (name: string): boolean => model.open || model.propertyByName.has(name)
      for (const name of Object.keys(result)) if (!(name in loaded) && isData(name)) delete result[name]
      assignRow(result, loaded, model)
      // What `loaded` says of the id moves no row, as in LoopBack.
      setRowId(model, result as Row, id)
      const saved = operation.notify(model.hooks['after save'], { instance: result, isNewInstance: false })
      return isPromise(saved) ? saved.then(() => result) : result
    })
  }

  function complete (given: Readonly<Row>): Row {
    violations.length = 0
    const result = coerceInto(model, given, violations)
    assertSameId(model, id, result, false)
    // Before the defaults: an id with a default of its own keeps its value.
    setRowId(model, result, id)
    model.applyDefaults(result)
    return result
  }

  function beforeSave (): MaybePromise<unknown> {
    const observers = model.hooks['before save']
    if (observers === undefined) return
    return chain(operation.notify(observers, { instance, isNewInstance: false }), () => {
      // A hook cannot move the row: its id stays, as in LoopBack.
      setRowId(model, instance as Row, id)
      row = complete(instance)
    })
  }

  function persist (): MaybePromise<unknown> {
    const observers = model.hooks.persist
    if (observers === undefined) return
    const parts = { data: row, where: whereId(model, id), currentInstance: instance, isNewInstance: false }
    return chain(
      operation.notify(observers, parts),
      context => {
        row = context?.data ?? row
      }
    )
  }
}
