/** Create: one row or many. */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import { maxViolations, ValidationError, type FoundViolation } from '../errors.js'
import { rootOf, within } from '../violation.js'
import { chain, eachInSequence, isPromise, type MaybePromise } from '../maybe-promise.js'
import { assignRow, instantiate, isInstance, markPersisted } from '../instances/instance.js'
import { keepUnknown } from '../instances/marks.js'
import type { ModelInstance } from '../instances/model-instance.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import { unknownIn } from '../properties/coerce.js'
import type { Row } from '../properties/types.js'
import { madeByStore } from './made-by-store.js'
import { unlessShortCircuited } from './short-circuit.js'
import { savedListeners, withHooks } from './with-hooks.js'
import { loadedRow, noOptions, Operation, storeOptions } from './context.js'
import { writeOptions } from './freshness.js'
import { narrowsRows, ruleOf } from './row-rules.js'
import { mustPassCheck, preset, withPreset } from './ruled-writes.js'
import { withUniquenessLock } from './write-locks.js'
import { afterHooks } from './settled.js'
import { coerceInto, forbiddenId, mustBeValid, storing } from './validate.js'

/** A row on its way into the store. */
export interface Draft {
  instance: ModelInstance
  row: Row
  violations: FoundViolation[]
  /** Names of what was to be stored before `persist` hooks saw it: what they add is stored, and not answered. */
  asked?: readonly string[]
}

/**
 * Stores one new row and gives its instance.
 *
 * ```js
 * const note = await createInstance(Note.compiled, { title: 'hello' }, options)
 * ```
 * @throws ValidationError 422; RequestError 409 when the id is taken
 */
export function createInstance (
  model: CompiledModel,
  data: Readonly<Row> | undefined,
  options: OperationOptions = noOptions
): MaybePromise<ModelInstance> {
  if (model.nests?.carries(data) === true) return model.nests.create(data ?? {}, options)
  const operation = new Operation(model, options)
  return chain(withPreset(model, data ?? {}, options), given => {
    const draft = makeDraft(model, given)
    return unlessShortCircuited(model, () => chain(beforeSave(operation, draft), () =>
      withUniquenessLock(model, [draft.instance], options, () => storeDraft(operation, draft))))
  })
}

/**
 * Validates and stores a draft whose `before save` hooks have run.
 *
 * ```js
 * const note = await storeDraft(operation, makeDraft(Note.compiled, { title: 'hello' }))
 * ```
 * @throws ValidationError 422; RequestError 409 when the id is taken
 */
export function storeDraft (operation: Operation, draft: Draft): MaybePromise<ModelInstance> {
  const { model, options } = operation
  return chain(mustBeValid(model, draft.instance, draft.violations, afterHooks(operation, options)), () =>
    chain(persist(operation, draft), () => withHooks(model, options, savedListeners(model), stored)))

  function stored (): MaybePromise<ModelInstance> {
    const store = (): MaybePromise<Row> => model.connector.create(model, draft.row, writeOptions(model, options))
    return chain(mustPassCheck(model, 'create', [draft.row], options), () =>
      chain(storing(model, draft.row, store), row => finish(operation, draft, row)))
  }
}

/**
 * Stores all rows or none. Each hook runs for the whole batch before the next does, as LoopBack has it; those after the
 * write, `loaded` and `after save`, run row by row.
 *
 * ```js
 * const [first, second] = await createInstances(Note.compiled, [{ title: 'a' }, { title: 'b' }], options)
 * ```
 * @throws ValidationError 422 with the paths `[1].name` …
 */
export function createInstances (
  model: CompiledModel,
  list: ReadonlyArray<Readonly<Row>>,
  options: OperationOptions = noOptions
): MaybePromise<ModelInstance[]> {
  if (list.length === 0) return []
  if (model.nests !== undefined && list.some(model.nests.carries)) return model.nests.createAll(list, options)
  return chain(ruleOf(model, 'create', options), rule => rule?.preset === undefined
    ? createAll(model, list, options)
    : createAll(model, list.map(data => preset(data, rule)), options))
}

function createAll (
  model: CompiledModel, list: ReadonlyArray<Readonly<Row>>, options: OperationOptions
): MaybePromise<ModelInstance[]> {
  const operations = list.map(() => new Operation(model, options))
  const drafts = list.map(data => makeDraft(model, data))
  const inTurn = (
    step: (operation: Operation, draft: Draft, index: number) => MaybePromise<unknown>
  ): MaybePromise<void> => eachInSequence(drafts, (draft, i) => step(operations[i] as Operation, draft, i))
  return chain(inTurn(beforeSave), () =>
    withUniquenessLock(model, drafts.map(({ instance }) => instance), options, checked))

  function checked (): MaybePromise<ModelInstance[]> {
    return chain(validateAll(operations, drafts, options), () =>
      chain(inTurn(persist), () => withHooks(model, options, savedListeners(model), stored)))
  }

  function stored (): MaybePromise<ModelInstance[]> {
    const rows = drafts.map(draft => draft.row)
    const store = (): MaybePromise<Row[]> => model.connector.createMany(model, rows, storeOptions(model, options))
    return chain(mustPassCheck(model, 'create', rows, options), () => chain(storing(model, {}, store), concluded))
  }

  function concluded (rows: readonly Row[]): MaybePromise<ModelInstance[]> {
    return chain(
      inTurn((operation, draft, i) => finish(operation, draft, rows[i] as Row)),
      () => drafts.map(draft => draft.instance)
    )
  }
}

/**
 * Whether a create needs no instance: no hook listens, no rule narrows it, and every validation knows its response from
 * the property's value alone.
 *
 * ```js
 * createsPlainly(Note.compiled, options) // false, once somebody observes "before save"
 * ```
 */
export function createsPlainly (model: CompiledModel, options: OperationOptions): boolean {
  const { hooks } = model
  return (
    model.nests === undefined && !narrowsRows(model, options) &&
    hooks['before save'] === undefined &&
    hooks.persist === undefined &&
    hooks.loaded === undefined &&
    hooks['after save'] === undefined &&
    (options.skipValidation === true || model.validations.every(validation => validation.local))
  )
}

/** Stores one new row without making an instance of it; for models of which `createsPlainly` is true. */
export function createRow (model: CompiledModel, data: Readonly<Row>, options: OperationOptions): MaybePromise<Row> {
  const violations: FoundViolation[] = []
  const row = newRow(model, data, violations)
  return chain(mustBeValid(model, row, violations, options), () =>
    storing(model, row, () => model.connector.create(model, row, writeOptions(model, options))))
}

/**
 * Stores one new row, for callers that need nothing back: an instance is made only where a hook or a validation wants
 * one.
 *
 * ```js
 * await insertRow(AccessToken.compiled, { ttl: 1_209_600, userId: 1 }, options)
 * ```
 */
export function insertRow (
  model: CompiledModel,
  data: Readonly<Row>,
  options: OperationOptions = noOptions
): MaybePromise<unknown> {
  return createsPlainly(model, options) ? createRow(model, data, options) : createInstance(model, data, options)
}

/** Creates what is not stored yet: the data may be an instance of the model already (`new Note(…)`, then `save`). */
export function makeDraft (model: CompiledModel, data: Readonly<Row>): Draft {
  const violations: FoundViolation[] = []
  const given = isInstance(data) ? data : undefined
  let row = newRow(model, data, violations)
  const instance = given ?? withUnknown(instantiate(model, withInvalid(row, data, violations)), violations)
  if (given === undefined && model.initialised !== undefined) {
    model.initialised.call(instance)
    violations.length = 0
    row = newRow(model, instance, violations)
  }
  if (given !== undefined) {
    if (model.accessors === undefined) Object.assign(given, row)
    else assignRow(given, row, model)
  }
  markPersisted(instance, false)
  return { instance, row, violations }
}

/**
 * The values of a row to be: converted, with defaults. An id of null is none, and gets its default like any that is
 * absent.
 *
 * ```js
 * newRow(Note.compiled, { title: 'a' }, violations) // { title: 'a', done: false }
 * ```
 */
export function newRow (model: CompiledModel, data: Readonly<Row>, violations: FoundViolation[]): Row {
  const row = coerceInto(model, data, violations)
  if (model.id !== undefined && row[model.id.name] === null) delete row[model.id.name]
  model.applyDefaults(row)
  const idViolation = forbiddenId(model, row)
  if (idViolation !== undefined) violations.push(idViolation)
  return row
}

/** What a strict model does not have is no data of the instance, and is refused with it. */
function withUnknown (instance: ModelInstance, violations: readonly FoundViolation[]): ModelInstance {
  if (violations.length > 0) keepUnknown(instance, violations.map(unknownIn).filter(name => name !== undefined))
  return instance
}

/** Values that could not be converted stay visible to hooks and validations. */
function withInvalid (row: Row, data: Readonly<Row>, violations: readonly FoundViolation[]): Row {
  if (violations.length === 0) return row
  const whole = { ...row }
  for (const violation of violations) {
    const name = unknownIn(violation) === undefined ? rootOf(violation) : undefined
    if (name !== undefined && whole[name] === undefined && Object.hasOwn(data, name)) whole[name] = data[name]
  }
  return whole
}

/**
 * Runs the `before save` hooks of a new row, and looks at it again after them.
 *
 * ```js
 * await beforeSave(operation, draft)
 * ```
 */
export function beforeSave (operation: Operation, draft: Draft): MaybePromise<unknown> {
  const observers = operation.model.hooks['before save']
  if (observers === undefined) return
  return chain(operation.notify(observers, { instance: draft.instance, isNewInstance: true }), () => {
    // Hooks may have set anything on the instance: look at it again.
    const fresh = makeDraft(operation.model, draft.instance)
    draft.row = fresh.row
    draft.violations = fresh.violations
  })
}

function persist (operation: Operation, draft: Draft): MaybePromise<unknown> {
  const observers = operation.model.hooks.persist
  if (observers === undefined) return
  draft.asked = Object.keys(draft.row)
  return chain(
    operation.notify(observers, { data: draft.row, currentInstance: draft.instance, isNewInstance: true }),
    context => {
      draft.row = context?.data ?? draft.row
    }
  )
}

function finish (operation: Operation, draft: Draft, stored: Row): MaybePromise<ModelInstance> {
  const { model } = operation
  const { instance } = draft
  if (model.id !== undefined) instance[model.id.name] = stored[model.id.name]
  markPersisted(instance)
  const made = madeByStore(draft.row, stored)
  if (made !== undefined) assignRow(instance, made, model)
  return chain(loadedRow(operation, stored, true), loaded => {
    // LoopBack's response to create does not show what `loaded` made of the row, unless the model asks for it.
    if (model.settings.updateOnLoad === true) assignRow(instance, loaded, model)
    for (const name of draft.asked ?? Object.keys(draft.row)) {
      if (instance[name] === undefined) instance[name] = stored[name]
    }
    // What was a file on its way is a reference now.
    for (const name of model.files) instance[name] = stored[name]
    const saved = operation.notify(model.hooks['after save'], { instance, isNewInstance: true })
    return isPromise(saved) ? saved.then(() => instance) : instance
  })
}

function validateAll (
  operations: readonly Operation[], drafts: readonly Draft[], options: OperationOptions
): MaybePromise<void> {
  const { model } = operations[0] as Operation
  const all: FoundViolation[] = []
  const collect = (index: number) => (error: unknown): void => {
    if (!(error instanceof ValidationError)) throw error
    all.push(...error.found.map(violation => within(`[${index}]`, violation)))
  }
  const checked = eachInSequence(drafts, (draft, index) => {
    // Enough is known to refuse the list.
    if (all.length >= maxViolations) return
    try {
      const after = afterHooks(operations[index] as Operation, options)
      const result = mustBeValid(model, draft.instance, draft.violations, after)
      return isPromise(result) ? result.catch(collect(index)) : result
    } catch (error) { collect(index)(error) }
  })
  return chain(checked, () => { if (all.length > 0) throw new ValidationError(model.name, all) })
}
