/**
 * The in-process API of connected models. Every function gives a promise, or, with a trailing callback, nothing
 * (specification, Versioning 10). The work is in `operations/`; here are only the two faces and the ways to call them.
 */
import { openChangeStream } from '../changes/change-stream.js'
import type { ChangeStreamOptions } from '../changes/options.js'
import { Transaction } from '../data-source/transaction.js'
import { chain, type MaybePromise } from '../maybe-promise.js'
import { aggregateRows } from '../operations/aggregate.js'
import { createInstance } from '../operations/create.js'
import { createList } from '../operations/create-list.js'
import { deleteById, deleteRows } from '../operations/delete.js'
import { patchById, patchInstance } from '../operations/patch.js'
import { byId, countRows, findOneRow, findRowById, findRows, rowExists } from '../operations/read.js'
import { assertFullId } from '../operations/compound.js'
import { asInternal } from '../operations/origin.js'
import { whereId, whereIds } from '../operations/context.js'
import { includeInto } from '../operations/include-into.js'
import { replaceById } from '../operations/replace.js'
import { promiseOrCallback, splitCallback } from '../callbacks.js'
import { updateRows } from '../operations/update-all.js'
import { findOrCreate, replaceOrCreate, saveInstance, updateOrCreate, upsertWithWhere } from '../operations/upsert.js'
import { noInstance, ValidationError } from '../errors.js'
import type { Row } from '../properties/types.js'
import { isCompound } from '../query/compound-id.js'
import { coerceId, rowId } from '../query/id.js'
import { invalidCursor } from '../query/parse-cursor.js'
import { builtinFunction, callOwn, comesToOwn, ownFirst, ownFunction, ownRows } from '../own-functions.js'
import { judge, relatedById } from '../relations/related-rows.js'
import { beginTransaction, transact } from '../operations/transaction.js'
import { isPersisted } from '../remoting/shared-methods.js'
import { assignRow, compiledOf, instantiate, markPersisted } from '../instances/instance.js'
import { withOwners } from './base-model.js'
import { rowStatics } from './row-statics.js'
import { mustHaveId, statically, type StaticOperation, type Values } from './statically.js'
import type { ModelClass } from '../interfaces/model-class.js'
import type { ModelInstance } from '../instances/model-instance.js'
import { PAGE_ENDS, type OperationOptions, type PageEnds } from '../interfaces/operation-options.js'

type Work = Parameters<typeof transact>[1]
type InstanceOperation = (instance: ModelInstance, values: Values) => MaybePromise<unknown>

function onInstance (operation: InstanceOperation) {
  return builtinFunction(function (this: ModelInstance, ...args: unknown[]): unknown {
    const { values, callback } = splitCallback(args)
    const { registry } = this.constructor as unknown as ModelClass
    return promiseOrCallback(() => operation(this, values), callback, false, registry)
  })
}

const instances = (Model: ModelClass, rows: MaybePromise<Row[]>): MaybePromise<ModelInstance[]> =>
  chain(rows, found => found.map(row => instantiate(Model.compiled, row)))
const instance = (Model: ModelClass, row: MaybePromise<Row | undefined>): MaybePromise<ModelInstance | null> =>
  chain(row, found => found === undefined ? null : instantiate(Model.compiled, found))

/** `create(Array(3))` makes three rows of defaults, as in LoopBack. */
const create: StaticOperation = (Model, [data, options]) =>
  Array.isArray(data)
    ? createList(Model.compiled, Array.from(data, (each?: Row) => ownedRow(Model, each ?? {})), options)
    : createInstance(Model.compiled, ownedRow(Model, data ?? {}), options)

/** Rows of relations that are stored with the row stay in its data. */
const ownedRow = (Model: ModelClass, data: Row): Readonly<Row> =>
  Model.compiled.nests?.carries(data) === true ? data : withOwners(Model, data)

const find: StaticOperation = (Model, [filter, options]) => instances(Model, findRows(Model.compiled, filter, options))

/** A page with the cursors of those beside it; without a cursor the first one. */
const findPage: StaticOperation = (Model, [filter, options]) => {
  if (!Model.compiled.hasCursors) {
    throw invalidCursor(`"${Model.modelName}" has no cursors`, 'Set "cursors": true, for the model or the application')
  }
  const { after, before } = (filter ?? {}) as { after?: unknown, before?: unknown }
  const query = after === undefined && before === undefined ? { ...filter, after: '' } : filter
  const ends: PageEnds = {}
  return chain(listOf(Model, query, { ...options, [PAGE_ENDS]: ends }), rows =>
    ({ rows, next: ends.next, prev: ends.prev }))
}

const findOne: StaticOperation = (Model, [filter, options]) => {
  const own = ownRows(Model, { ...filter, limit: 1 }, options ?? {})
  return own === undefined
    ? instance(Model, findOneRow(Model.compiled, filter, options))
    : chain(own, rows => rows[0] ?? null)
}

const findById: StaticOperation = (Model, [id, filter, options]) => {
  mustHaveId(Model, 'findById', id)
  if (comesToOwn(Model, 'findOne')) return findOwnById(Model, [id, filter, options])
  if (isFirstPart(Model, id)) {
    return instance(Model, findOneRow(Model.compiled, byFirstPart(Model, id, filter), options))
  }
  return instance(Model, findRowById(Model.compiled, id, filter, options))
}

/** By the application's `findOne` or `find`. What the caller asks besides the id is judged first. */
const findOwnById: StaticOperation = (Model, [id, filter, options = {}]) => {
  const model = Model.compiled
  const value = isFirstPart(Model, id) ? id : coerceId(model, id)
  if (value === undefined) return null
  const { where, ...asked } = isFirstPart(Model, id) ? byFirstPart(Model, id, filter) : byId(model, value, filter)
  return chain(judge(model, asked, options), () => ownFirst(Model, { where, ...asked }, asInternal(options)))
}

/** Instances in the order of the ids, those that are not there left out. */
const findByIds: StaticOperation = (Model, [ids, filter, options]) => {
  const model = Model.compiled
  for (const id of isCompound(model) ? ids as unknown[] : []) assertFullId(model, `${Model.modelName}.findByIds`, id)
  const { where, ...rest } = (filter ?? {}) as { where?: object, order?: unknown }
  const among = whereIds(model, ids as unknown[])
  const query = { ...rest, where: where === undefined ? among : { and: [among, where] } }
  return chain(listOf(Model, query, options), found => {
    if (rest.order !== undefined) return found
    const textOf = (id: unknown): string => String(isCompound(model) ? coerceId(model, id) : id)
    const position = new Map((ids as unknown[]).map((id, index) => [textOf(id), index]))
    const placeOf = (row: ModelInstance): number => position.get(String(rowId(model, row as Row))) ?? 0
    return found.sort((a, b) => placeOf(a) - placeOf(b))
  })
}

/** By the application's `find` where it has one. */
const listOf = (Model: ModelClass, query: object, options: OperationOptions): MaybePromise<ModelInstance[]> =>
  ownRows(Model, query, options ?? {}) ?? instances(Model, findRows(Model.compiled, query, options))

const count: StaticOperation = (Model, [where, options]) => countRows(Model.compiled, where, options)
const aggregate: StaticOperation = (Model, [filter, options]) => aggregateRows(Model.compiled, filter, options)
const exists: StaticOperation = (Model, [id, options = {}]) => {
  mustHaveId(Model, 'exists', id)
  const own = ownFunction(Model, 'count')
  if (own !== undefined) {
    const isPart = isFirstPart(Model, id)
    const value = isPart ? id : coerceId(Model.compiled, id)
    if (value === undefined) return false
    const { where } = isPart ? byFirstPart(Model, id) : byId(Model.compiled, value, undefined)
    // Of one id there is one row: an application whose count says something else is believed as LoopBack does.
    return chain(callOwn<number>(own, Model, [where, asInternal(options)]), count => isPart ? count > 0 : count === 1)
  }
  if (isFirstPart(Model, id)) {
    return chain(countRows(Model.compiled, byFirstPart(Model, id).where, options), count => count > 0)
  }
  return rowExists(Model.compiled, id, options)
}

const updateAll: StaticOperation = (Model, values) => {
  // LoopBack also takes the data alone: they then go to all rows.
  const [where, data, options] = values.length === 1 ? [{}, values[0], undefined] : values
  return updateRows(Model.compiled, where, data, options)
}
const patchOrCreate: StaticOperation = (Model, [data, options]) => createsAnew(Model, data)
  ? createOf(Model, data, options)
  : updateOrCreate(Model.compiled, data, options)
const patchOrCreateWithWhere: StaticOperation = (Model, [where, data, options]) =>
  upsertWithWhere(Model.compiled, where, data, options)
const replaceRowOrCreate: StaticOperation = (Model, [data, options]) => createsAnew(Model, data)
  ? createOf(Model, data, options)
  : replaceOrCreate(Model.compiled, data, options)

/** Whether an upsert is a create that the application has a function of its own for. */
const createsAnew = (Model: ModelClass, data: unknown): boolean =>
  hasOwnCreate(Model) && data !== null && typeof data === 'object' && !Array.isArray(data) &&
  (rowId(Model.compiled, data as Row) ?? undefined) === undefined

/** LoopBack's own upserts call back: so may the application's function. */
const createOf = (Model: ModelClass, data: unknown, options: unknown): MaybePromise<unknown> =>
  callOwn(Model.create as () => unknown, Model, [data, options ?? {}])
const replaceRow: StaticOperation = (Model, [id, data, options]) => {
  assertFullId(Model.compiled, `${Model.modelName}.replaceById`, id)
  return replaceById(Model.compiled, id, data, options)
}
const findRowOrCreate: StaticOperation = (Model, values) => {
  const [filter, data, options] = values.length === 1 ? [{ where: values[0] }, values[0], undefined] : values
  return findOrCreate(Model.compiled, filter, data, options)
}

const destroyAll: StaticOperation = (Model, [where, options]) => deleteRows(Model.compiled, where, options)
const destroyById: StaticOperation = (Model, [id, options]) => {
  mustHaveId(Model, 'deleteById', id)
  assertFullId(Model.compiled, `${Model.modelName}.destroyById`, id)
  const own = ownFunction(Model, 'remove')
  if (own !== undefined) return removeById(own, Model, id, options)
  return deleteById(Model.compiled, id, options)
}

/** By the application's `remove`. */
function removeById (own: () => unknown, Model: ModelClass, id: unknown, options: OperationOptions = {}): unknown {
  const value = coerceId(Model.compiled, id)
  return value === undefined
    ? { count: 0 }
    : callOwn(own, Model, [whereId(Model.compiled, value), asInternal(options)])
}

/** Whether a call that only reads names the first part of a compound id, which LoopBack takes for the id. */
const isFirstPart = ({ compiled }: ModelClass, id: unknown): boolean => isCompound(compiled) && typeof id !== 'object'

function byFirstPart (Model: ModelClass, id: unknown, filter: unknown = {}): { where: Row } {
  const { fields, include } = filter as Row
  return {
    where: { [Model.state.idName]: id },
    ...(fields === undefined ? {} : { fields }),
    ...(include === undefined ? {} : { include })
  }
}

/**
 * The instance that a route's id stands for, `(id, options)`; data give a new one. Instance methods are called on it
 * where a model has a function of its own in this one's place.
 * @throws RequestError 404
 */
const sharedCtor: StaticOperation = (Model, [first, second]) => {
  if (first !== null && typeof first === 'object') {
    const made = new Model(first as Row)
    if (second !== undefined && second !== null && typeof second !== 'object') {
      ;(made as unknown as { setId (id: unknown): void }).setId(second)
    }
    return made
  }
  const own = ownFunction(Model, 'findById')
  const answer = own === undefined
    ? findById(Model, [first, undefined, second])
    : callOwn(own, Model, [first, {}, second ?? {}])
  return chain(answer, found => {
    if (found === null) throw noInstance(first)
    return found
  })
}

/** Static functions of connected models, aliases included. */
export const persistedStatics = {
  create: statically(create),
  ...aliases(statically(find, false, ['query', 'options']), 'find', 'all'),
  findPage: statically(findPage, false, ['filter', 'options']),
  findOne: statically(findOne, false, ['query', 'options']),
  findById: statically(findById, false, ['', 'filter', 'options']),
  findByIds: statically(findByIds),
  sharedCtor: statically(sharedCtor),
  count: statically(count),
  aggregate: statically(aggregate, false, ['!filter', 'options']),
  exists: statically(exists),
  findOrCreate: statically(findRowOrCreate, true),
  ...aliases(statically(updateAll), 'updateAll', 'update'),
  ...aliases(statically(patchOrCreate), 'patchOrCreate', 'updateOrCreate', 'upsert'),
  ...aliases(
    statically(patchOrCreateWithWhere, false, ['!where', '!data', 'options']),
    'upsertWithWhere', 'patchOrCreateWithWhere'
  ),
  replaceOrCreate: statically(replaceRowOrCreate),
  replaceById: statically(replaceRow),
  patchById: statically((Model, [id, data, options]) => {
    assertFullId(Model.compiled, `${Model.modelName}.patchById`, id)
    return chain(patchById(Model.compiled, id, data, options), patched => {
      if (patched === undefined) throw noInstance(id)
      return patched
    })
  }),
  ...aliases(statically(destroyAll), 'destroyAll', 'deleteAll', 'remove'),
  ...aliases(statically(destroyById), 'destroyById', 'deleteById', 'removeById'),
  ...rowStatics,
  createChangeStream: statically((Model, [given, options]) => {
    const settings = (typeof given === 'string' ? JSON.parse(given) : given) as ChangeStreamOptions | undefined
    return openChangeStream(Model, settings ?? {}, options ?? {})
  }),
  /** `(instances, include, options?)`: loads relations of instances that are there already. */
  include: statically((Model, [given, include, options]) => includeInto(Model.compiled, given, include, options)),
  // Code has no other door: `isolationLevel: Note.Transaction.READ_COMMITTED`, `new Note.ValidationError(note)`.
  Transaction,
  ValidationError,
  beginTransaction: statically((Model, [options]) => beginTransaction(Model, options)),
  /** `(work, options?)`: the function is the work, not a callback. */
  async transaction (this: ModelClass, work: Work, options?: Parameters<typeof transact>[2]): Promise<unknown> {
    return await transact(this, work, options)
  }
}

/**
 * The function that an application put in the place of `sharedCtor`; undefined where there is none.
 *
 * ```js
 * ownSharedCtor(Note) // undefined
 * ```
 */
export const ownSharedCtor = ({ sharedCtor }: ModelClass): Function | undefined =>
  typeof sharedCtor === 'function' && sharedCtor !== persistedStatics.sharedCtor ? sharedCtor : undefined

const saved: InstanceOperation = (self, [options]) =>
  saveInstance(self, (self as unknown as { isNewRecord(): boolean }).isNewRecord(), options)

/** With `throws: true`, what is wrong with the row is thrown to the caller, where nothing of it comes later. */
function save (this: ModelInstance, ...args: unknown[]): unknown {
  const { values: [options] } = splitCallback(args)
  if ((options as { throws?: unknown } | undefined)?.throws !== true) return onInstance(saved).apply(this, args)
  let result: MaybePromise<unknown>
  try {
    result = saved(this, [options])
  } catch (error) {
    if (error instanceof ValidationError) throw error
    result = Promise.reject(error as Error)
  }
  return onInstance(() => result).apply(this, args)
}

/**
 * Whether an application has put a function in the place of `create`. Upserts without an id call it.
 *
 * ```js
 * hasOwnCreate(Note) // false
 * ```
 */
export const hasOwnCreate = ({ create }: ModelClass): boolean => create !== persistedStatics.create

/** Instance functions of connected models. */
export const persistedMethods = {
  save,
  ...aliases(
    onInstance((self, [data, options]) => patchInstance(compiledOf(self), self, data, options)),
    'patchAttributes',
    'updateAttributes'
  ),
  updateAttribute: onInstance((self, [name, value, options]) =>
    patchInstance(compiledOf(self), self, { [name]: value }, options)
  ),
  replaceAttributes: onInstance((self, [data, options]) =>
    replaceById(compiledOf(self), idOf(self), data, options, { target: self })
  ),
  ...aliases(
    onInstance((self, [options]) => destroyInstance(self, options)),
    'destroy',
    'delete',
    'remove'
  ),
  reload: onInstance((self, [options]) => {
    const model = compiledOf(self)
    return chain(relatedById(model, idOf(self), options ?? {}), row => {
      if (row === undefined) throw noInstance(idOf(self))
      return assignRow(self, row, model)
    })
  })
}

function destroyInstance (self: ModelInstance, options: OperationOptions | undefined): MaybePromise<{ count: number }> {
  return chain(deleteById(compiledOf(self), idOf(self), options, self), result => {
    markPersisted(self, false)
    return result
  })
}

const idOf = (self: ModelInstance): unknown => rowId(compiledOf(self), self as Row)

function aliases<F> (operation: F, ...names: string[]): Record<string, F> {
  return Object.fromEntries(names.map(name => [name, operation]))
}

/**
 * Shares none of the methods of rows: for models whose data source keeps none. Models that have no rows stay as they
 * are.
 *
 * ```js
 * closeRowMethods(Forecast) // no GET /Forecasts
 * ```
 */
export function closeRowMethods (Model: ModelClass): void {
  if (!isPersisted(Model)) return
  for (const name of Object.keys(persistedStatics)) Model.disableRemoteMethodByName(name)
  for (const name of Object.keys(persistedMethods)) Model.disableRemoteMethodByName(`prototype.${name}`)
}
