/**
 * The built-in operations as functions from arguments to finished JSON, for as long as nothing of the application
 * stands in between. Synchronous where the store is.
 */
import {
  errors,
  type BuiltinOperation,
  type CompiledModel,
  type MaybePromise,
  type ModelClass,
  type ModelInstance,
  type OperationOptions,
  type Row
} from '@fastback/core'
import { chain, isPromise } from '@fastback/core/connector'
import {
  aggregateRows,
  comesToOwn,
  countRows,
  createInstances,
  createText,
  deleteById,
  findByIdText,
  findOneText,
  findText,
  hasOwnCreate,
  historyOf,
  patchText,
  persistedMethods,
  ownSharedCtor,
  persistedStatics,
  replaceById,
  replaceOrCreate,
  readableRows,
  restoreById,
  revert,
  rowExists,
  rowText,
  rowsText,
  updateOrCreate,
  updateRows,
  upsertWithWhere,
  writeRecords
} from '@fastback/core/remote'
import { hasOwnJSON } from './json.js'

/** @param values the arguments in the order of `accepts`, without `options` */
export type BuiltinText = (
  model: CompiledModel,
  values: readonly unknown[],
  options: OperationOptions
) => MaybePromise<string>

type Data = Readonly<Row>

export const builtinTexts: Readonly<Partial<Record<BuiltinOperation, BuiltinText>>> = {
  find: (model, [filter], options) => findText(model, filter, options),
  findById: (model, [id, filter], options) => found(findByIdText(model, id, filter, options), model, id),
  findOne: (model, [filter], options) => found(findOneText(model, filter, options), model, undefined),
  aggregate: (model, [filter], options) => chain(aggregateRows(model, filter, options), writeRecords),
  count: (model, [where], options) => chain(countRows(model, where, options), count => `{"count":${count}}`),
  exists: (model, [id], options) =>
    chain(rowExists(model, id, options), exists => (exists ? '{"exists":true}' : '{"exists":false}')),
  create: (model, [data], options) =>
    Array.isArray(data)
      ? chain(createInstances(model, data as Data[], options), created =>
        chain(readableRows(model, created as Row[], options), rows => rowsText(model, rows)))
      : createText(model, data as Data, options),
  patchAttributes: (model, [id, data], options) => patched(patchText(model, id, data as Data, options), id),
  replaceById: (model, [id, data], options) => written(model, replaceById(model, id, data as Data, options), options),
  patchOrCreate: (model, [data], options) => written(model, updateOrCreate(model, data as Data, options), options),
  replaceOrCreate: (model, [data], options) => written(model, replaceOrCreate(model, data as Data, options), options),
  upsertWithWhere: (model, [where, data], options) =>
    written(model, upsertWithWhere(model, where, data as Data, options), options),
  updateAll: (model, [where, data], options) => chain(updateRows(model, where, data as Data, options), counted),
  deleteById: (model, [id], options) => chain(deleteById(model, id, options), counted),
  historyOf: (model, [id, filter], options) =>
    chain(historyOf(model, id, filter as object | undefined, options), versions => JSON.stringify(versions)),
  revert: (model, [id, version], options) => written(model, revert(model, id, version, options), options),
  restoreById: (model, [id], options) => written(model, restoreById(model, id, options), options)
}

function found (text: MaybePromise<string | undefined>, model: CompiledModel, id: unknown): MaybePromise<string> {
  if (isPromise(text)) return text.then(value => found(value, model, id))
  if (text === undefined) throw errors.unknownId(model.name, id)
  return text
}

function patched (text: MaybePromise<string | undefined>, id: unknown): MaybePromise<string> {
  if (isPromise(text)) return text.then(value => patched(value, id))
  if (text === undefined) throw errors.noInstance(id)
  return text
}

const written = (
  model: CompiledModel, instance: MaybePromise<ModelInstance>, options: OperationOptions
): MaybePromise<string> =>
  chain(instance, value => rowText(model, value as Row, options))
const counted = ({ count }: { count: number }): string => `{"count":${count}}`

/**
 * Whether a model's method is still the one that comes with connected models, and its rows are written as they are:
 * a `toJSON` of the application's own says what clients get.
 */
export function isUntouched (Model: ModelClass, operation: BuiltinOperation): boolean {
  if (hasOwnJSON(Model)) return false
  if ((operation === 'patchOrCreate' || operation === 'replaceOrCreate') && hasOwnCreate(Model)) return false
  if (callsOthers(operation) && comesToOwn(Model, operation)) return false
  if (operation !== 'patchAttributes') {
    return Model[operation] === (persistedStatics as Record<string, unknown>)[operation]
  }
  return (
    Model.prototype.patchAttributes === (persistedMethods as Record<string, unknown>).patchAttributes &&
    Model.findById === persistedStatics.findById && !comesToOwn(Model, 'findById') &&
    ownSharedCtor(Model) === undefined
  )
}

type Caller = Parameters<typeof comesToOwn>[1]

/** Operations that call others of their model. */
const callers: ReadonlySet<string> = new Set(['findOne', 'findById', 'exists', 'deleteById'] satisfies Caller[])
const callsOthers = (operation: BuiltinOperation): operation is BuiltinOperation & Caller => callers.has(operation)
