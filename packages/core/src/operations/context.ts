/** What every operation needs: hook contexts, the store's options, how its query is read, the `loaded` hook. */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { Ending, Id, StoreOptions } from '../data-source/connector.js'
import type { StoreCaller } from '../data-source/row-policies.js'
import type { BoundDataSource } from '../data-source/bound-data-source.js'
import { Transaction } from '../data-source/transaction.js'
import type { HookContext, Observer } from '../hooks.js'
import { MAKES_INSTANCE, notify } from '../hooks.js'
import { isInstance } from '../instances/instance.js'
import { chain, isPromise, type MaybePromise } from '../maybe-promise.js'
import { ORIGIN, READING, type OperationOptions } from '../interfaces/operation-options.js'
import type { Row } from '../properties/types.js'
import type { ParseOptions } from '../query/parse.js'
import { forCall } from '../query/parse-modes.js'
import type { Query } from '../query/ast.js'
import { isCompound, partsOf } from '../query/compound-id.js'
import { coerceId } from '../query/id.js'
import { projectRow } from '../query/select.js'
import { WORK } from '../query/work.js'
import { authorOf } from '../history/author.js'
import { withWork } from './cost.js'
import { isFromCaller, isRemote } from './origin.js'
import { sessionOf } from './session.js'
import { mustBeOf } from './transaction.js'

export const noOptions: OperationOptions = Object.freeze({})

const noStoreOptions: StoreOptions = Object.freeze({})

/**
 * The part of the options that the store sees: the transaction that the caller passes, or the one that it is in
 * (`ambient-transactions.ts`), what the request may cost, and whose it is where that matters (`freshness.ts`).
 *
 * ```js
 * Note.compiled.connector.count(Note.compiled, undefined, storeOptions(Note.compiled, {}))
 * ```
 * @throws FBK_CORE_FOREIGN_TRANSACTION for a transaction of another data source
 */
export function storeOptions (model: CompiledModel, options: OperationOptions): StoreOptions {
  const { transaction } = options
  if (transaction instanceof Transaction) mustBeOf(transaction, model.Model)
  const handle = transaction === undefined
    ? model.Model.state.dataSource?.ambient.handle
    : transactionHandle(transaction)
  const work = options[WORK]
  const session = model.connector.replicated === true ? sessionOf(options) : undefined
  const caller = model.connector.narrowsCallers === true ? callerOf(options) : undefined
  const by = model.isRecorded ? authorOf(options) : undefined
  if (handle === undefined && session === undefined && caller === undefined && by === undefined) {
    return work === undefined ? noStoreOptions : { work }
  }
  // Member by member: to put objects into one costs more than to find out what is in them.
  const store: { -readonly [name in keyof StoreOptions]: StoreOptions[name] } = {}
  if (handle !== undefined) store.transaction = handle
  if (work !== undefined) store.work = work
  if (session !== undefined) store.session = session
  if (caller !== undefined) store.caller = caller
  if (by !== undefined) store.by = by
  const ending = handle === undefined ? undefined : endingOf(model, options)
  if (ending !== undefined) store.ending = ending
  return store
}

/**
 * Whom a store that narrows callers works for; undefined: code of the application.
 *
 * ```js
 * callerOf(ctx.options)?.reads // true in a request with GET
 * ```
 */
export function callerOf ({ rowRules, [READING]: reads = false }: OperationOptions): StoreCaller | undefined {
  const settings = rowRules?.callerSettings
  return settings === undefined ? undefined : { settings: () => settings.call(rowRules), reads }
}

/** The transaction of a model of `dataSource.transaction()`: hooks get it, to pass on. */
const currentTransaction = ({ Model }: CompiledModel): Transaction | undefined =>
  (Model.state.dataSource as Partial<BoundDataSource> | undefined)?.currentTransaction

/** A handle of the store's own that somebody hands over says nothing of its end. */
function endingOf (model: CompiledModel, { transaction }: OperationOptions): Ending | undefined {
  if (transaction === undefined) return model.Model.state.dataSource?.ambient
  return transaction instanceof Transaction ? transaction : undefined
}

/**
 * Applications hand over the transaction object of `Model.beginTransaction`; the store wants its own handle.
 *
 * ```js
 * transactionHandle(await Note.beginTransaction())
 * ```
 * @throws RequestError 409 TRANSACTION_INACTIVE for one that is over
 */
export function transactionHandle (given: unknown): unknown {
  return given !== null && typeof given === 'object' && 'handle' in given
    ? (given as { handle: unknown }).handle
    : given
}

/** A context for hooks, all of one operation sharing `hookState`. */
export class Operation {
  readonly hookState: Record<string, unknown> = {}
  options: OperationOptions

  constructor (
    readonly model: CompiledModel,
    options: OperationOptions
  ) {
    const transaction = currentTransaction(model)
    this.options = transaction === undefined || options.transaction !== undefined
      ? options
      : { ...options, transaction }
  }

  /** From here on counts what the request costs, if it comes from outside and nothing of it is counted yet. */
  count (): void {
    const { options } = this
    if (options[WORK] === undefined && isRemote(options)) this.options = withWork(this.model, options)
  }

  /** Calls the observers of a hook, if there are any. */
  notify (
    observers: readonly Observer[] | undefined,
    parts: Partial<HookContext>
  ): MaybePromise<HookContext | undefined> {
    if (observers === undefined || this.options.notify === false) return undefined
    const context = {
      Model: this.model.Model,
      hookState: this.hookState,
      options: this.options,
      ...parts
    } as HookContext
    const result = notify(observers, context)
    return isPromise(result) ? result.then(() => context) : context
  }
}

/**
 * Limits and hidden names bind what comes from outside; code in the process may ask for anything (security.md, S-13).
 * Protected names are hidden where the options or the model's setting `prohibitProtectedPropertiesInQuery` say so.
 */
export function parseOptions (model: CompiledModel, options: OperationOptions): ParseOptions {
  const { parsing } = model
  if (options.prohibitHiddenPropertiesInQuery !== true) return internalOptions(model, options)
  if (!isFromCaller(options)) return forCall(parsing.discreet, options)
  if (options.prohibitProtectedPropertiesInQuery === true) return parsing.protected
  if (model.settings.prohibitProtectedPropertiesInQuery === true) return parsing.guarded
  return parsing.external
}

/** For code in the process. What the options say of depth and operators is for the application's own filters. */
export const internalOptions = ({ parsing }: CompiledModel, options: OperationOptions): ParseOptions =>
  options[ORIGIN] === undefined ? forCall(parsing.internal, options) : parsing.internal

/**
 * The same for a query that is narrowed before it runs: hidden properties may not be named, but they are read, as hooks
 * and what joins the rows may look at them.
 */
export function wideOptions (model: CompiledModel, options: OperationOptions): ParseOptions {
  const reading = parseOptions(model, options)
  return reading.wide ?? reading
}

/**
 * Runs the `loaded` hook over the rows of a query; what it makes of `ctx.data` is what is returned, without what the
 * query's `fields` leave out.
 */
export function loadedRows (operation: Operation, rows: Row[], { select }: Query): MaybePromise<Row[]> {
  const { model, options } = operation
  const observers = options.notify === false ? undefined : model.hooks.loaded
  if (observers === undefined) return rows
  const told = tellLoaded(operation, observers, rows)
  if (select === model.selectAll || select === model.selectVisible || select === model.selectIncluded) return told
  return chain(told, loaded => loaded.map(row => projectRow(row, select, model)))
}

function tellLoaded (operation: Operation, observers: readonly Observer[], rows: Row[]): MaybePromise<Row[]> {
  for (let i = 0; i < rows.length; i++) {
    const context = operation.notify(observers, { data: rows[i] as Row, isNewInstance: false, [MAKES_INSTANCE]: true })
    if (isPromise(context)) return loadedRest(operation, observers, rows, i, context)
    rows[i] = knownOf(operation.model, context?.data ?? rows[i] as Row)
  }
  return rows
}

/**
 * What is shown of a row that `loaded` hooks have had: a strict model has no other values than its own.
 *
 * ```js
 * knownOf(Strict.compiled, { id: 1, seen: true }) // { id: 1 }
 * ```
 */
export function knownOf ({ open, propertyByName }: CompiledModel, row: Row): Row {
  if (open || isInstance(row)) return row
  for (const name of Object.keys(row)) if (!propertyByName.has(name)) delete row[name]
  return row
}

async function loadedRest (
  operation: Operation,
  observers: readonly Observer[],
  rows: Row[],
  from: number,
  first: Promise<HookContext | undefined>
): Promise<Row[]> {
  const { model } = operation
  rows[from] = knownOf(model, (await first)?.data ?? rows[from] as Row)
  for (let i = from + 1; i < rows.length; i++) {
    const context = await operation.notify(
      observers, { data: rows[i] as Row, isNewInstance: false, [MAKES_INSTANCE]: true }
    )
    rows[i] = knownOf(model, context?.data ?? rows[i] as Row)
  }
  return rows
}

/**
 * Runs the `loaded` hook over the row of a write.
 * @param makesInstance whether an instance is made of the result, and not an earlier one brought up to date
 *
 * ```js
 * const row = await loadedRow(operation, stored, true)
 * ```
 */
export function loadedRow (
  operation: Operation, row: Row, isNewInstance: boolean, makesInstance = false
): MaybePromise<Row> {
  const observers = operation.model.hooks.loaded
  if (observers === undefined) return row
  return chain(
    operation.notify(observers, { data: row, isNewInstance, ...(makesInstance ? { [MAKES_INSTANCE]: true } : {}) }),
    context => context?.data ?? row
  )
}

/** `{ id: 7 }` under the model's own id name, as hooks see it; all parts of a compound id. */
export function whereId (model: CompiledModel, id: Id | unknown): Record<string, unknown> {
  // A condition without one of the parts would be that of other rows as well.
  if (isCompound(model)) return partsOf(model, id) ?? noRow(model)
  return { [model.id?.name ?? 'id']: id }
}

const noRow = ({ key }: CompiledModel): Record<string, unknown> =>
  Object.fromEntries(key.map(({ name }) => [name, { inq: [] }]))

/**
 * The condition of all rows with these ids.
 *
 * ```js
 * whereIds(Note.compiled, [1, 2]) // { id: { inq: [1, 2] } }
 * ```
 */
export function whereIds (model: CompiledModel, ids: readonly unknown[]): Record<string, unknown> {
  if (!isCompound(model)) return { [model.id?.name ?? 'id']: { inq: ids } }
  return ids.length === 0 ? noRow(model) : { or: ids.map(id => whereId(model, coerceId(model, id))) }
}
