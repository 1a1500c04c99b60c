/** Operations that change a row or create it: updateOrCreate, replaceOrCreate, upsertWithWhere, findOrCreate, save. */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { Connector, Id } from '../data-source/connector.js'
import { isOneStep, type Upsert as Upserting } from '../data-source/named-upserts.js'
import { badQuery, noInstance, RequestError, ValidationError, type FoundViolation } from '../errors.js'
import { chain, isPromise, type MaybePromise } from '../maybe-promise.js'
import { compiledOf, instantiate, isInstance } from '../instances/instance.js'
import type { ModelInstance } from '../instances/model-instance.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import type { Row } from '../properties/types.js'
import type { Query } from '../query/ast.js'
import { coerceId, rowId } from '../query/id.js'
import { unlessShortCircuited } from './short-circuit.js'
import { savedListeners, withHooks } from './with-hooks.js'
import { accessOne, soughtById, type Sought } from './access.js'
import { writeWhere } from './access-condition.js'
import { knownOf, loadedRow, noOptions, Operation, storeOptions, whereId } from './context.js'
import { createInstance, makeDraft, type Draft } from './create.js'
import { isFromCaller } from './origin.js'
import { withUniquenessLock } from './write-locks.js'
import { afterHooks } from './settled.js'
import { patchInstance, withoutId } from './patch.js'
import { findOneRow, runQuery } from './read.js'
import { mustBeOwnOrder } from './related-order.js'
import { fromPrimary, writeOptions } from './freshness.js'
import { expectedVersion, expecting, mustExpectNone, withoutExpected } from './if-version.js'
import { replaceById } from './replace.js'
import { narrowsRows } from './row-rules.js'
import { demandOf, mustPassCheck, replaceStored, withPreset } from './ruled-writes.js'
import { FoundMeanwhile, upsertRow, type Upsert } from './upsert-row.js'
import { coerceFull, forcesId, mustBeValid, storing, validatedBy, validates } from './validate.js'

function idOf (model: CompiledModel, data: Readonly<Row>): unknown {
  if (model.key.length === 0) return undefined
  const id = rowId(model, data)
  return id === null ? undefined : id
}

/** Arrays are for `create` alone (specification, Versioning 13). */
function mustBeOneRow (data: unknown): void {
  if (Array.isArray(data) || data === null || typeof data !== 'object') {
    throw new RequestError(400, 'Value is not an object.')
  }
}

/**
 * Sets values on the row with the id in `data`, or creates it.
 *
 * ```js
 * const note = await updateOrCreate(Note.compiled, { id: 1, title: 'bye' }, options)
 * ```
 * @throws RequestError 404 when the id is unknown and the model gives ids out itself (`forceId`)
 */
export function updateOrCreate (
  model: CompiledModel,
  data: Readonly<Row>,
  asked: OperationOptions = noOptions
): MaybePromise<ModelInstance> {
  mustBeOneRow(data)
  if (model.nests?.carries(data) === true) return model.nests.upsert(data, asked, false)
  if (asked.ifVersion === null) return createInstance(model, data, withoutExpected(asked))
  const expected = expectedVersion(model, asked)
  const options = withoutExpected(asked)
  const given = idOf(model, data)
  if (given === undefined) return createUnlessExpected(model, data, options, expected)
  const id = coerceId(model, given)
  const missing = (): RequestError =>
    new RequestError(404, `Could not update attributes. Object with id ${String(given)} does not exist!`)
  if (id === undefined) throw missing()
  const operation = new Operation(model, fromPrimary(options))
  const validating = validatedBy(model, 'validateUpsert', options)
  const patch = (row: Row, changes: Readonly<Row>, how = options): MaybePromise<ModelInstance> =>
    patchInstance(model, instantiate(model, row), changes, withExpected(how, expected), operation)
  return chain(soughtById(operation, id), sought => {
    if (forcesId(model)) {
      return chain(runQuery(operation, sought.query), ([row]) => {
        if (row === undefined) throw missing()
        return patch(row, data, validating)
      })
    }
    return isStep(operation, 'updateOrCreate', sought)
      ? upsertOne(operation, sought.query, {
        where: whereId(model, id),
        data,
        replaces: false,
        validating,
        validatesWhole: model.settings.validateUpsert === true,
        expected
      })
      : inTwoSteps(operation, sought, data, patch, expected)
  })
}

/** Whether the store changes the row with the id, or creates it, in one step. */
const isStep = ({ model, options }: Operation, name: Upserting, { isOther }: Sought): boolean =>
  (!isOther || isFromCaller(options)) && isOneStep(model.Model.state.dataSource?.connector, name)

/**
 * A read, which tells nobody, and a write, which does. Where hooks have asked for other rows than the one with the id,
 * that id may be taken without anybody seeing it: it is not set, as in LoopBack. Who asks from outside is told instead
 * that it is taken (security.md, S-76).
 */
function inTwoSteps (
  { model, options }: Operation, { query, isOther }: Sought, data: Readonly<Row>,
  change: (row: Row, data: Readonly<Row>) => MaybePromise<ModelInstance>, expected: number | undefined
): MaybePromise<ModelInstance> {
  const values = isOther && !isFromCaller(options) ? withoutId(model, isInstance(data) ? { ...data } : data) : data
  const store = { ...storeOptions(model, options), mayBeMissing: true }
  return chain(model.connector.find(model, { ...query, limit: 1, include: [] }, store), ([row]) =>
    row === undefined ? createUnlessExpected(model, values, options, expected) : change(row, values))
}

/**
 * Two requests may create the same row at once: the second finds the id taken and looks for the row again, once. Who
 * does not see it then either (a default scope or an `access` hook hides it) is told that the id is taken (S-76).
 * @throws RequestError 409 DUPLICATE_ID
 */
function upsertOne (operation: Operation, query: Query, upsert: Omit<Upsert, 'row'>): MaybePromise<ModelInstance> {
  const { model, options } = operation
  const visible = { ...query, include: [] }
  const find = (): MaybePromise<Row[]> =>
    model.connector.find(model, visible, { ...storeOptions(model, options), mayBeMissing: true })
  const write = (row: Row | undefined): MaybePromise<ModelInstance> => upsertRow(operation, { ...upsert, row })
  const whenTaken = (refusal: unknown): MaybePromise<ModelInstance> => chain(find(), ([row]) => {
    if (row === undefined) throw refusal as Error
    return write(row)
  })
  return chain(find(), ([row]) => row === undefined ? unlessTaken(() => write(undefined), whenTaken) : write(row))
}

/**
 * Replaces the row with the id in `data`, or creates it.
 *
 * ```js
 * const note = await replaceOrCreate(Note.compiled, { id: 1, title: 'only this' }, options)
 * ```
 */
export function replaceOrCreate (
  model: CompiledModel,
  data: Readonly<Row>,
  asked: OperationOptions = noOptions
): MaybePromise<ModelInstance> {
  mustBeOneRow(data)
  if (model.nests?.carries(data) === true) return model.nests.upsert(data, asked, true)
  if (asked.ifVersion === null) return createInstance(model, data, withoutExpected(asked))
  const expected = expectedVersion(model, asked)
  const options = withoutExpected(asked)
  const given = idOf(model, data)
  if (given === undefined) return createUnlessExpected(model, data, options, expected)
  if (forcesId(model)) return replaceById(model, given, data, asked)
  const id = coerceId(model, given)
  if (id === undefined) throw new RequestError(400, `The id ${String(given)} is not valid for ${model.name}`)
  const operation = new Operation(model, options)
  return chain(soughtById(operation, id), sought => isStep(operation, 'replaceOrCreate', sought)
    ? upsertOne(operation, sought.query, {
      where: whereId(model, id), data, replaces: true, validating: options, expected
    })
    : inTwoSteps(operation, sought, data, (row, values) =>
      replaceById(model, rowId(model, row), values, asked, { target: instantiate(model, row) }), expected))
}

/** A row that was seen is not made anew. @throws RequestError 404 */
function createUnlessExpected (
  model: CompiledModel, data: Readonly<Row>, options: OperationOptions, expected: number | undefined
): MaybePromise<ModelInstance> {
  if (expected !== undefined) throw noInstance(rowId(model, data))
  return createInstance(model, data, options)
}

const withExpected = (options: OperationOptions, ifVersion: number | undefined): OperationOptions =>
  ifVersion === undefined ? options : { ...options, ifVersion }

/**
 * Creates, or, when the row or a value that is unique turns out to be taken, does what `whenTaken` says with the
 * refusal.
 */
function unlessTaken<T> (
  create: () => MaybePromise<T>,
  whenTaken: (refusal: unknown) => MaybePromise<T>
): MaybePromise<T> {
  const failed = (error: unknown): MaybePromise<T> => {
    if (isTaken(error)) return whenTaken(error)
    throw error
  }
  try {
    const result = create()
    return isPromise(result) ? result.catch(failed) : result
  } catch (error) {
    return failed(error)
  }
}

function isTaken (error: unknown): boolean {
  if (error instanceof FoundMeanwhile) return true
  if (error instanceof ValidationError) return error.violations.every(({ code }) => code === 'uniqueness')
  return error instanceof RequestError && error.code === 'DUPLICATE_ID'
}

/**
 * Sets values on the one row that matches, or creates one.
 *
 * ```js
 * const note = await upsertWithWhere(Note.compiled, { title: 'hello' }, { title: 'hello', stars: 5 }, options)
 * ```
 * @throws RequestError 400 when several match
 */
export function upsertWithWhere (
  model: CompiledModel,
  where: unknown,
  data: Readonly<Row>,
  options: OperationOptions = noOptions
): MaybePromise<ModelInstance> {
  mustBeOneRow(data)
  if (Object.keys(data).length === 0) throw new RequestError(400, 'data object cannot be empty!')
  mustExpectNone(options, 'upsertWithWhere')
  const operation = new Operation(model, options)
  return chain(writeWhere(operation, where, 'update'), ({ condition, json }) => {
    const { connector } = model.Model.state.dataSource ?? {}
    const query = { where: condition, order: [], limit: 2, skip: 0, select: model.selectAll, include: [] }
    const upsert = { where: json, data, replaces: false, validating: options, validatesWhole: true, unless: query }
    const find = (): MaybePromise<Row | undefined> =>
      chain(model.connector.find(model, query, storeOptions(model, operation.options)), onlyOne)
    if (!isOneStep(connector, 'upsertWithWhere')) {
      return chain(find(), row => row === undefined
        ? createInstance(model, data, options)
        : patchInstance(model, instantiate(model, row), data, options))
    }
    // Of several at once one creates the row. The others find it then, and change it.
    const whenTaken = (refusal: unknown): MaybePromise<ModelInstance> => chain(find(), row => {
      if (row === undefined) throw refusal as Error
      return upsertRow(operation, { ...upsert, row })
    })
    return chain(find(), row => row === undefined
      ? unlessTaken(() => upsertRow(operation, { ...upsert, row }), whenTaken)
      : upsertRow(operation, { ...upsert, row }))
  })
}

/** @throws RequestError 400 for several */
function onlyOne (rows: readonly Row[]): Row | undefined {
  if (rows.length > 1) {
    throw new RequestError(400, 'There are multiple instances found.Upsert Operation will not be performed!')
  }
  return rows[0]
}

/**
 * The first match, or the row created from `data`; the flag tells which.
 *
 * ```js
 * const [note, isNew] = await findOrCreate(Note.compiled, { where: { title: 'hello' } }, { title: 'hello' }, options)
 * ```
 */
export function findOrCreate (
  model: CompiledModel,
  filter: unknown,
  data: Readonly<Row>,
  options: OperationOptions = noOptions
): MaybePromise<[ModelInstance, boolean]> {
  if (!isOneStep(model.Model.state.dataSource?.connector, 'findOrCreate')) {
    return chain(findOneRow(model, filter, options), (row): MaybePromise<[ModelInstance, boolean]> => row === undefined
      ? chain(createInstance(model, data, options), (made): [ModelInstance, boolean] => [made, true])
      : [instantiate(model, row), false])
  }
  return chain(withPreset(model, data, options), given =>
    foundOrStored(new Operation(model, options), filter, makeDraft(model, given)))
}

function foundOrStored (
  operation: Operation, filter: unknown, draft: Draft
): MaybePromise<[ModelInstance, boolean]> {
  const { model, options } = operation
  return chain(chain(accessOne(operation, { ...filter as object, limit: 1 }), ofRows), query =>
    chain(operation.notify(model.hooks['before save'], { instance: draft.instance, isNewInstance: true }), () => {
      const { row, violations } = model.hooks['before save'] === undefined ? draft : makeDraft(model, draft.instance)
      return withUniquenessLock(model, [draft.instance], options, () => checked(query, row, violations))
    })
  )

  function ofRows (query: Query): Query {
    mustBeOwnOrder(query)
    if (query.distinct !== undefined) throw badQuery('A row is found or created, and no value: leave "distinct" out')
    return query
  }

  function checked (query: Query, row: Row, violations: FoundViolation[]): MaybePromise<[ModelInstance, boolean]> {
    return chain(mustBeValid(model, draft.instance, violations, afterHooks(operation, options)), () =>
      chain(
        operation.notify(model.hooks.persist, {
          data: row,
          currentInstance: draft.instance,
          where: (filter as { where?: Row } | undefined)?.where ?? {},
          isNewInstance: true
        }),
        context => withHooks(model, options, savedListeners(model), () => stored(query, row, context?.data ?? row))
      )
    )
  }

  function stored (query: Query, row: Row, persisted: Row): MaybePromise<[ModelInstance, boolean]> {
    const first = { ...query, include: [], select: model.selectAll }
    const reading = storeOptions(model, operation.options)
    const store = (): ReturnType<Connector['findOrCreate']> =>
      model.connector.findOrCreate(model, first, persisted, reading)
    const make = (): MaybePromise<[ModelInstance, boolean]> => chain(storing(model, row, store), concluded)
    if (!narrowsRows(model, options)) return make()
    // What may not be made may be there all the same.
    return chain(model.connector.find(model, { ...first, limit: 1 }, reading), ([found]) => found === undefined
      ? chain(mustPassCheck(model, 'create', [persisted], options), make)
      : concluded({ row: found, created: false }))
  }

  function concluded (
    { row, created }: { readonly row: Row, readonly created: boolean }
  ): MaybePromise<[ModelInstance, boolean]> {
    return chain(loadedRow(operation, row, created, true), loaded => {
      const instance = instantiate(model, knownOf(model, loaded))
      const saved = created
        ? operation.notify(model.hooks['after save'], { instance, isNewInstance: true })
        : undefined
      return isPromise(saved)
        ? saved.then((): [ModelInstance, boolean] => [instance, created])
        : [instance, created]
    })
  }
}

/** Stores an instance: a new one is created, an existing one replaced. */
export function saveInstance (
  instance: ModelInstance,
  isNew: boolean,
  given: OperationOptions = noOptions
): MaybePromise<ModelInstance> {
  const model = compiledOf(instance)
  const id = idOf(model, instance)
  const expected = expectedVersion(model, given)
  const plain = withoutExpected(given)
  if (isNew || id === undefined) return createUnlessExpected(model, instance as Row, plain, expected)
  const options = { throws: false, validate: validates(model, plain), ...plain }
  const operation = new Operation(model, options)
  const violations: FoundViolation[] = []
  let row = coerceFull(model, instance, violations)
  return unlessShortCircuited(model, () => chain(operation.notify(model.hooks['before save'], { instance }), context => {
    if (context !== undefined) {
      violations.length = 0
      row = coerceFull(model, instance, violations)
    }
    return withUniquenessLock(model, [instance], options, checked)
  }))

  function checked (): MaybePromise<ModelInstance> {
    return chain(mustBeValid(model, instance, violations, afterHooks(operation, options)), () =>
      chain(
        operation.notify(model.hooks.persist, { data: row, where: whereId(model, id), currentInstance: instance }),
        persisted => withHooks(model, options, savedListeners(model), () => stored(persisted?.data ?? row))
      )
    )
  }

  function stored (persisted: Row): MaybePromise<ModelInstance> {
    const replaced = chain(demandOf(operation, 'update', persisted, true), demand => storing(model, row, () =>
      replaceStored(model, id as Id, persisted, demand, options, expecting(writeOptions(model, options), expected))))
    // The row of a saved instance may have been deleted meanwhile: saving brings it back.
    return chain(replaced, found => {
      if (found === undefined && expected !== undefined) throw noInstance(id)
      return found === undefined ? createdAgain(persisted) : concluded(found, false)
    })
  }

  function createdAgain (persisted: Row): MaybePromise<ModelInstance> {
    const create = (): MaybePromise<Row> => model.connector.create(model, persisted, writeOptions(model, options))
    const created = chain(mustPassCheck(model, 'create', [persisted], options), () => storing(model, row, create))
    return chain(created, found => concluded(found, true))
  }

  function concluded (found: Row, isNewInstance: boolean): MaybePromise<ModelInstance> {
    return chain(loadedRow(operation, found, isNewInstance, true), row => {
      const loaded = knownOf(model, row)
      for (const name of Object.keys(loaded)) instance[name] = loaded[name]
      const saved = operation.notify(model.hooks['after save'], { instance, isNewInstance })
      return isPromise(saved) ? saved.then(() => instance) : instance
    })
  }
}
