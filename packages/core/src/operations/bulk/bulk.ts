/**
 * Writes of many rows in one operation. Each is what the same writes one by one would be, all or nothing where the
 * store has transactions; where no hook and no validation needs the rows, it is one statement.
 */
import { ValidationError, type FoundViolation } from '../../errors.js'
import { instantiate } from '../../instances/instance.js'
import type { ModelInstance } from '../../instances/model-instance.js'
import type { CompiledModel } from '../../interfaces/compiled-model.js'
import type { OperationOptions } from '../../interfaces/operation-options.js'
import type { Row } from '../../properties/types.js'
import type { Condition } from '../../query/ast.js'
import { rowId } from '../../query/id.js'
import { bothConditions } from '../../query/merge.js'
import { internSelection } from '../../query/parse-fields.js'
import { parseWhere } from '../../query/parse.js'
import { CALLER, fewRows, WORK, Work } from '../../query/work.js'
import { propertyOf, within } from '../../violation.js'
import { writeWhere } from '../access-condition.js'
import { clientValues, guardsClientValues } from '../client-values.js'
import type { ClientWrite } from '../client-write.js'
import { internalOptions, noOptions, Operation, storeOptions, whereIds } from '../context.js'
import { createInstances, createsPlainly } from '../create.js'
import { deleteById, deleteRows } from '../delete.js'
import { mustExpectNone, withoutVersion } from '../if-version.js'
import { lookedAt, lookOf } from '../looked-at.js'
import { asInternal, isRemote } from '../origin.js'
import { patchInstance } from '../patch.js'
import { findRows } from '../read.js'
import { narrowsRows, ruleOf } from '../row-rules.js'
import { modelsWithin } from '../rows-within.js'
import { checkedWhere } from '../ruled-writes.js'
import { coerceChanges, mustBeValid, storing, validatedBy } from '../validate.js'
import { asOne } from '../with-hooks.js'
import { deletedRows, patchedRows, upsertedRows } from './in-one-statement.js'
import {
  badBulk, bulkLimit, bulkWhere, keyOf, keyText, mustBeRequest, mustHaveKeys, noKey, tooManyRows,
  type BulkPatch, type BulkRows, type BulkUpsert
} from './request.js'

/** How many rows were written, and the rows where they are wanted. */
export interface BulkResult { readonly count: number, readonly rows?: ModelInstance[] }

const rowKeys = ['ids', 'where', 'all', 'return']

/** How much more than a response may have an upsert reads of rows that nobody is given. */
const timesAResponse = 8

/**
 * Sets values on rows by their ids, or on those of a condition.
 *
 * ```js
 * await bulkPatch(Note.compiled, { ids: [1, 2], data: { done: true } }, options) // { count: 2 }
 * ```
 * @throws RequestError 400 INVALID_BULK, QUERY_TOO_EXPENSIVE; 403 ROW_CHECK_FAILED; 422 BULK_LIMIT; ValidationError 422
 */
export async function bulkPatch (
  model: CompiledModel, request: BulkPatch, given: OperationOptions = noOptions
): Promise<BulkResult> {
  mustExpectNone(given, 'bulkPatch')
  mustBeRequest(request, ['data', ...rowKeys])
  if (request.data === null || typeof request.data !== 'object' || Array.isArray(request.data)) {
    throw badBulk('"data" is an object of values.')
  }
  const { where, options } = bulkWhere(model, request, counted(model, request, given))
  const data = await saidByClient(model, request.data, { kind: 'update' }, '', given)
  if (!isPlain(model, options)) {
    return await eachRow(model, 'update', where, options, request, row =>
      patchInstance(model, instantiate(model, row), data, asInternal(options)))
  }
  const violations: FoundViolation[] = []
  const changes = withoutVersion(model, coerceChanges(model, data, violations, options))
  if (model.key.some(({ name }) => name in changes)) throw badBulk('"data" has an id: rows keep theirs.')
  const only = new Set([...Object.keys(changes), ...violations.map(propertyOf)])
  await mustBeValid(
    model, instantiate(model, { ...changes }), violations, validatedBy(model, 'validateUpdate', options), only)
  const operation = new Operation(model, options)
  const update = async (condition: Condition | undefined): Promise<number> => await storing(model, changes, async () =>
    await model.connector.updateAll(
      model, await checkedWhere(operation, condition, changes), changes, storeOptions(model, operation.options)))
  if (request.return !== 'rows') {
    const { condition } = await writeWhere(operation, where, 'update')
    return { count: await update(condition) }
  }
  return await limited(model, options, request, async () => {
    const { condition } = await writeWhere(operation, where, 'update')
    await mustBeFew(operation, request, condition)
    const checked = await checkedWhere(operation, condition, changes)
    const patched = await patchedRows(model, checked, changes, operation.options)
    if (patched !== undefined) return { count: patched.length, rows: instances(model, patched) }
    const rows = await rowsOf(operation, condition)
    const ids = among(model, rows)
    const count = rows.length === 0 ? 0 : await update(bothConditions(condition, ids))
    return { count, rows: instances(model, await rowsOf(operation, ids)) }
  })
}

/**
 * Deletes rows by their ids, or those of a condition. With `return: 'rows'` they are given as they were.
 *
 * ```js
 * await bulkDelete(Note.compiled, { where: { done: true } }, options) // { count: 3 }
 * ```
 * @throws RequestError 400 INVALID_BULK, QUERY_TOO_EXPENSIVE; 422 BULK_LIMIT
 */
export async function bulkDelete (
  model: CompiledModel, request: BulkRows, given: OperationOptions = noOptions
): Promise<BulkResult> {
  mustExpectNone(given, 'bulkDelete')
  mustBeRequest(request, rowKeys)
  const { where, options } = bulkWhere(model, request, counted(model, request, given))
  const { hooks } = model
  const isWatched = options.notify !== false &&
    (hooks['before delete'] !== undefined || hooks['after delete'] !== undefined)
  if (!isWatched && request.return !== 'rows') return await deleteRows(model, where, options)
  if (isWatched) {
    return await eachRow(model, 'delete', where, options, request, async row => {
      const instance = instantiate(model, row)
      await deleteById(model, rowId(model, row), asInternal(options), instance)
      return instance
    })
  }
  return await limited(model, options, request, async () => {
    const operation = new Operation(model, options)
    const { condition } = await writeWhere(operation, where, 'delete')
    await mustBeFew(operation, request, condition)
    const deleted = await deletedRows(model, condition, operation.options)
    if (deleted !== undefined) return { count: deleted.length, rows: instances(model, deleted) }
    const rows = await rowsOf(operation, condition)
    if (rows.length === 0) return { count: 0, rows: [] }
    const ids = whereIds(model, rows.map(row => rowId(model, row)))
    const { count } = await deleteRows(model, ids, asInternal(options))
    return { count, rows: instances(model, rows) }
  })
}

/**
 * Changes the rows that have the keys of these, and creates the others. The response has them in the order given.
 *
 * ```js
 * await bulkUpsert(Product.compiled, { rows: [{ code: 'a', price: 1 }], by: ['code'] }, options) // { count: 1 }
 * ```
 * @throws RequestError 400 INVALID_BULK, QUERY_TOO_EXPENSIVE; 403 ROW_CHECK_FAILED; 422 BULK_LIMIT; ValidationError 422
 */
export async function bulkUpsert (
  model: CompiledModel, request: BulkUpsert, given: OperationOptions = noOptions
): Promise<BulkResult> {
  mustExpectNone(given, 'bulkUpsert')
  mustBeRequest(request, ['rows', 'by', 'return'])
  const names = keyOf(model, request.by)
  const known = await ruleOf(model, 'read', given)
  // Which of the rows was there already would tell what may not be read.
  if (names.some(name => known?.reads?.(name) === false)) throw noKey(model)
  mustHaveKeys(model, request.rows, names)
  const { rows } = request
  if (rows.length === 0) return request.return === 'rows' ? { count: 0, rows: [] } : { count: 0 }
  if (isRemote(given) && rows.length > fewRows) await mustBeShort(model, request, names, given)
  const atOnce = await upsertAtOnce(model, rows, names, given)
  const write = async (): Promise<ModelInstance[]> =>
    await asOne(model, given, async () => await upsertAll(model, rows, names, given))
  // Of two who make the same row at once, one finds it then.
  const written = atOnce ?? await write().catch(async (error: unknown) => {
    if (!isTaken(error)) throw error
    return await write()
  })
  return request.return === 'rows' ? { count: written.length, rows: written } : { count: written.length }
}

/**
 * By one statement, unless what a client may say of a new row is not what they may say of one that is there. Where
 * another key than this is taken, the rows one by one tell whose it is; within a transaction nothing is tried twice.
 */
async function upsertAtOnce (
  model: CompiledModel, rows: ReadonlyArray<Readonly<Row>>, names: readonly string[], options: OperationOptions
): Promise<ModelInstance[] | undefined> {
  const isTried = options.transaction === undefined && model.Model.state.dataSource?.ambient?.handle === undefined
  if (!isTried || model.connector.sets === undefined || !createsPlainly(model, options)) return undefined
  // What rows within a row keep is known row by row.
  if (model.clientRules?.holdsUnseen === true) return undefined
  if (modelsWithin(model).some(inner => guardsClientValues(inner) || narrowsRows(inner, options))) return undefined
  const said: Array<Readonly<Row>> = []
  for (const [at, data] of rows.entries()) {
    const asNew = await saidByClient(model, data, { kind: 'create' }, `[${at}]`, options)
    const asChange = await saidByClient(model, data, { kind: 'update' }, `[${at}]`, options)
    if (Object.keys(asNew).length !== Object.keys(asChange).length) return undefined
    said.push(asNew)
  }
  return await upsertedRows(model, said, names, asInternal(options)).catch((error: unknown) => {
    if (!isTaken(error)) throw error
    return undefined
  })
}

const isTaken = (error: unknown): boolean =>
  error instanceof ValidationError && error.violations.every(({ code }) => code === 'uniqueness')

async function upsertAll (
  model: CompiledModel, rows: ReadonlyArray<Readonly<Row>>, names: readonly string[], options: OperationOptions
): Promise<ModelInstance[]> {
  const internal = asInternal(options)
  const known = new Map<string, Row>()
  for (const where of keysOf(rows, names)) {
    for (const row of await findRows(model, { where }, internal)) known.set(keyText(model, row, names), row)
  }
  const written: ModelInstance[] = []
  const created: Array<{ readonly at: number, readonly data: Readonly<Row> }> = []
  for (const [at, data] of rows.entries()) {
    const stored = known.get(keyText(model, data, names))
    const write: ClientWrite = stored === undefined ? { kind: 'create' } : { kind: 'update', stored }
    const said = await saidByClient(model, data, write, `[${at}]`, options)
    if (stored === undefined) created.push({ at, data: said })
    else {
      const changes = Object.fromEntries(Object.entries(said).filter(([name]) => !names.includes(name)))
      written[at] = await inList(model, () => at, async () =>
        await patchInstance(model, instantiate(model, stored), changes, isRemote(options)
          ? lookedAt(internal, lookOf(model, changes, { ...write, ...await rulesFor(model, write, options) }))
          : internal))
    }
  }
  const made = await inList(model, i => created[i]?.at ?? i, () =>
    createInstances(model, created.map(({ data }) => data), internal), true)
  for (const [i, { at }] of created.entries()) written[at] = made[i] as ModelInstance
  return written
}

/**
 * Looks at the rows that are there before they are written and given by one statement, which nobody could stop.
 * @throws RequestError 400 QUERY_TOO_EXPENSIVE for more characters than a response may have
 */
async function mustBeShort (
  model: CompiledModel, request: BulkUpsert, names: readonly string[], given: OperationOptions
): Promise<void> {
  const { limits } = model.parsing.external
  const bytes = request.return === 'rows' ? limits.bytes : timesAResponse * limits.bytes
  const options = { ...given, [WORK]: new Work({ ...limits, rows: Infinity, bytes }, given[CALLER]) }
  for (const where of keysOf(request.rows, names)) {
    await rowsOf(new Operation(model, options), parseWhere(model, where, internalOptions(model, {})))
  }
}

/** Conditions for the keys of all rows, in lists that stores and parsers take. */
function * keysOf (
  rows: ReadonlyArray<Readonly<Row>>, names: readonly string[]
): Iterable<Record<string, unknown>> {
  const size = names.length === 1 ? 1000 : 100
  for (let at = 0; at < rows.length; at += size) {
    const some = rows.slice(at, at + size)
    const [name = ''] = names
    yield names.length === 1
      ? { [name]: { inq: some.map(row => row[name]) } }
      : { or: some.map(row => Object.fromEntries(names.map(each => [each, row[each]]))) }
  }
}

/** Violations with the position of the row in front, or, of a list of some of them, in the place of its own. */
async function inList<T> (
  { name }: CompiledModel, positionOf: (i: number) => number, work: () => T | Promise<T>, isList = false
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    throw new ValidationError(name, error.found.map(each => {
      const [front = '', i = '0'] = isList ? /^\[(\d+)\]/.exec(each.path) ?? [] : []
      const { inProcess: _, ...plain } = each
      return within(`[${positionOf(Number(i))}]`, { ...plain, path: each.path.slice(front.length) })
    }))
  }
}

/**
 * Options that count what is read for the rows of a response (security.md, S-180). How many these may be says
 * `maxBulkRows`.
 */
function counted (
  { parsing: { external: { limits } } }: CompiledModel, request: Pick<BulkRows, 'return'>, options: OperationOptions
): OperationOptions {
  if (request.return !== 'rows' || !isRemote(options)) return options
  return { ...options, [WORK]: new Work({ ...limits, rows: Infinity }, options[CALLER]) }
}

/**
 * Looks at rows before they are written and given by one statement, which nobody could stop.
 * @throws RequestError 400 QUERY_TOO_EXPENSIVE for more characters than a response may have
 */
async function mustBeFew (operation: Operation, { ids }: BulkRows, where: Condition | undefined): Promise<void> {
  if (operation.options[WORK] === undefined || (ids !== undefined && ids.length <= fewRows)) return
  await rowsOf(operation, where)
}

/** Whether no hook and no validation looks at single rows. */
const isPlain = ({ hooks, validations, files, nests }: CompiledModel, options: OperationOptions): boolean =>
  nests === undefined && files.length === 0 &&
  (options.skipValidation === true || validations.every(each => each.local)) &&
  (options.notify === false || (['before save', 'persist', 'loaded', 'after save'] as const)
    .every(name => hooks[name] === undefined))

/**
 * A write that gives the rows it wrote, undone where these are too many. Of rows by their ids there are never too many.
 * @throws RequestError 422 BULK_LIMIT
 */
async function limited (
  model: CompiledModel, options: OperationOptions, request: BulkRows, write: () => Promise<BulkResult>
): Promise<BulkResult> {
  if (request.ids !== undefined && model.connector.sets !== undefined) return await write()
  return await asOne(model, options, async () => {
    const result = await write()
    if (result.count > bulkLimit(model)) throw tooManyRows(bulkLimit(model))
    return result
  })
}

/** Does something with each row of a condition, as one. */
async function eachRow (
  model: CompiledModel, action: 'update' | 'delete', where: Record<string, unknown>, options: OperationOptions,
  request: BulkRows, write: (row: Row) => ModelInstance | Promise<ModelInstance>
): Promise<BulkResult> {
  return await asOne(model, options, async () => {
    const operation = new Operation(model, options)
    const { condition } = await writeWhere(operation, where, action)
    const isGiven = request.return === 'rows'
    const written: ModelInstance[] = []
    let count = 0
    for await (const rows of isGiven ? [await rowsOf(operation, condition)] : piecesOf(operation, condition)) {
      for (const row of rows) {
        const instance = await write(row)
        count++
        if (isGiven) written.push(instance)
      }
    }
    return isGiven ? { count, rows: written } : { count }
  })
}

/** Rows that nobody is given, some at a time: all of them together may be more than this process holds. */
async function * piecesOf (operation: Operation, where: Condition | undefined): AsyncGenerator<Row[]> {
  const { model } = operation
  const keys = model.key.map(({ name }) => name)
  if (keys.length === 0) {
    yield await rowsOf(operation, where)
    return
  }
  const found = await rowsOf(operation, where, internSelection(model, { names: keys, extra: 'none' }))
  for (let at = 0; at < found.length; at += fewRows) {
    yield await rowsOf(operation, among(model, found.slice(at, at + fewRows)))
  }
}

/** @throws RequestError 422 BULK_LIMIT; 400 QUERY_TOO_EXPENSIVE where the options count */
async function rowsOf (
  { model, options }: Operation, where: Condition | undefined, select = model.selectAll
): Promise<Row[]> {
  const limit = bulkLimit(model)
  const query = { where, order: [], limit: limit + 1, skip: 0, select, include: [] }
  const rows = await model.connector.find(model, query, storeOptions(model, options))
  if (rows.length > limit) throw tooManyRows(limit)
  return rows
}

const instances = (model: CompiledModel, rows: readonly Row[]): ModelInstance[] =>
  rows.map(row => instantiate(model, row))

const among = (model: CompiledModel, rows: readonly Row[]): Condition | undefined =>
  parseWhere(model, whereIds(model, rows.map(row => rowId(model, row))), internalOptions(model, {}))

async function saidByClient (
  model: CompiledModel, data: Readonly<Row>, write: ClientWrite, path: string, options: OperationOptions
): Promise<Readonly<Row>> {
  if (!isRemote(options)) return data
  return clientValues(model, data, { ...write, ...await rulesFor(model, write, options) }, path)
}

/** What the rules let the caller set and read. */
async function rulesFor (
  model: CompiledModel, { kind }: ClientWrite, options: OperationOptions
): Promise<Pick<ClientWrite, 'writes' | 'reads'>> {
  const rule = await ruleOf(model, kind === 'create' ? 'create' : 'update', options)
  return { writes: rule?.writes, reads: rule?.reads }
}
