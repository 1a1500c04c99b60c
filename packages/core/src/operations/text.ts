/**
 * Operations that answer with finished JSON text, for anyone who only passes it on. Where no hook listens and the store
 * can write JSON itself, no row object is ever made; otherwise the same response is made of rows.
 */
import type { Id } from '../data-source/connector.js'
import type { AttachedRow, RowsWithAttached, TextSupport } from '../data-source/text-support.js'
import type { CompiledModel } from '../interfaces/compiled-model.js'
import { chain, type MaybePromise } from '../maybe-promise.js'
import { ROW_SEEN, type OperationOptions } from '../interfaces/operation-options.js'
import type { RowRule } from '../interfaces/row-rules.js'
import type { Row } from '../properties/types.js'
import { writeRecords } from '../properties/write-json.js'
import { coerceId } from '../query/id.js'
import type { ConditionValue, Query, Selection } from '../query/ast.js'
import { internSelection } from '../query/parse-fields.js'
import { inSlices } from '../query/slices.js'
import { WORK, type Work } from '../query/work.js'
import { createInstance, createRow, createsPlainly } from './create.js'
import { accessQuery } from './access.js'
import { resolvedRows } from './access-condition.js'
import { noOptions, Operation } from './context.js'
import { cursorTexts, hasCursor, type CursorQuery } from './cursor-page.js'
import { readOptions, writeOptions } from './freshness.js'
import { includeText } from './include-text.js'
import { blindChanges, patchById, patchesBlindly } from './patch.js'
import { bounded, findOneRow, findRowById, isOnlyNarrowed, isPlainRead, runQuery } from './read.js'
import { linkedOrder } from './linked-order.js'
import { readableRow, readableRows } from './readable.js'
import { isRelatedOrder } from './related-order.js'
import { narrowsRows, ruleOf } from './row-rules.js'
import { expectedVersion, expecting, orConflict } from './if-version.js'
import { updateRow } from './ruled-writes.js'
import { findSeenText, isTextEnough, seenText } from './seen-text.js'
import { storing } from './validate.js'

/**
 * A JSON array of the rows of a filter, as clients see them.
 *
 * ```js
 * reply.type('application/json').send(await findText(Note.compiled, { limit: 10 }, options)) // '[{"id":1,…},…]'
 * ```
 */
export function findText (
  model: CompiledModel,
  filter: unknown,
  options: OperationOptions = noOptions
): MaybePromise<string> {
  const operation = new Operation(model, options)
  return chain(accessQuery(operation, filter), query =>
    chain(ruleOf(model, 'read', options), rule => {
      const shown = readableQuery(model, query, rule)
      return shown === undefined ? textOfRows(operation, query) : queryText(operation, shown)
    }))
}

/** The query for what the caller may read; undefined where rows must be looked at for that. */
function readableQuery (model: CompiledModel, query: Query, rule: RowRule | undefined): Query | undefined {
  if (rule?.reads === undefined || query.distinct !== undefined) return query
  const select = query.include.length > 0 ? undefined : readableSelection(model, query.select, rule)
  return select && { ...query, select }
}

function readableSelection (
  model: CompiledModel, select: Selection, rule: RowRule | undefined
): Selection | undefined {
  const reads = rule?.reads
  if (reads === undefined) return select
  const { names, extra } = select
  if (extra !== 'none' || model.hooks.loaded !== undefined || reads.within !== undefined) return undefined
  return internSelection(model, { names: names.filter(name => reads(name)), extra })
}

function queryText (operation: Operation, query: Query): MaybePromise<string> {
  const { model, options } = operation
  const text = model.storeText
  const work = options[WORK]
  if (hasCursor(query)) return textOfPage(operation, query)
  if (isRelatedOrder(query)) return textInRelatedOrder(operation, query)
  if (query.distinct !== undefined) return chain(runQuery(operation, query), writeRecords)
  if (text !== undefined && (model.hooks.loaded === undefined || options.notify === false)) {
    const visible = work === undefined ? visibleOnly(model, query) : bounded(visibleOnly(model, query), work)
    // The store counts the rows: of those that are text nobody else can.
    if (query.include.length === 0) return text.find(model, visible, readOptions(model, options))
    return chain(includeText(operation, visible), included => included ?? textOfRows(operation, query))
  }
  return textOfRows(operation, query)
}

function textOfPage (operation: Operation, query: CursorQuery): MaybePromise<string> {
  const { model, options } = operation
  const text = model.storeText
  const needsRows = query.include.length > 0 || (model.hooks.loaded !== undefined && options.notify !== false)
  if (text === undefined || needsRows) return textOfRows(operation, query)
  const { [WORK]: work } = options
  const reading = readOptions(model, options)
  const texts = cursorTexts(operation, query, (page, names) => {
    const visible = visibleOnly(model, page)
    return text.findKeyed(model, work === undefined ? visible : bounded(visible, work), names, reading)
  })
  return chain(texts, rows => `[${rows.join(',')}]`)
}

function textInRelatedOrder (operation: Operation, query: Query): MaybePromise<string> {
  if (query.include.length > 0) return textOfRows(operation, query)
  return chain(linkedOrder(operation, query.order), order =>
    order === undefined ? textOfRows(operation, query) : queryText(operation, { ...query, order }))
}

function textOfRows (operation: Operation, query: Query): MaybePromise<string> {
  const { model, options } = operation
  const work = options[WORK]
  const rows = chain(runQuery(operation, query), found =>
    query.distinct === undefined ? readableRows(model, found, options) : found)
  return chain(rows, shown => work === undefined ? rowsText(model, shown) : countedText(model, shown, work))
}

/** The JSON of the rows, counted while it is written. */
function countedText (model: CompiledModel, rows: readonly Row[], work: Work): MaybePromise<string> {
  let text = '['
  return chain(inSlices(rows.length, i => {
    const row = model.stringify(rows[i] as Row, false)
    work.write(row.length)
    work.spend(row.length / 16)
    text += i === 0 ? row : `,${row}`
  }, work), () => `${text}]`)
}

/** Rows as JSON text, each with the values of some of its properties. */
export interface KeyedTexts {
  readonly keys: ReadonlyArray<readonly ConditionValue[]>
  readonly texts: readonly string[]
}

/**
 * The rows of a filter as clients see them, each as a JSON object with the declared properties in the order of their
 * names, and the values of some properties. Undefined where no such text is available: the store makes none, or a hook
 * wants the rows.
 *
 * ```js
 * const { texts } = await findKeyedTexts(Note.compiled, { limit: 1 }, ['id'], options) // ['{"id":1,"title":"a"}']
 * ```
 * @throws RequestError 400 for a filter that cannot be
 */
export function findKeyedTexts (
  model: CompiledModel, filter: unknown, keyNames: readonly string[], options: OperationOptions = noOptions
): MaybePromise<KeyedTexts | undefined> {
  const operation = new Operation(model, options)
  return byName(operation, filter, (text, query) => {
    // What the condition costs counts, whoever asked for it.
    const { [WORK]: work } = operation.options
    const asked = work === undefined ? query : bounded(query, work)
    return text.findKeyed(model, asked, keyNames, readOptions(model, operation.options))
  })
}

/**
 * The same rows, each with a value of a row of another model that stands beside it, read in one step that nothing is
 * counted of: for filters without conditions of a client, and with a small limit. Undefined where no such text is
 * available.
 *
 * ```js
 * const beside = { model: Mark.compiled, by: 'noteId', property: 'at', around: ['[', ',', ',', ']'], present: [] }
 * const { texts } = await findAttachedTexts(Note.compiled, { limit: 1 }, beside, options)
 * console.log(texts) // ['[1,"2026-01-02T03:04:05.678Z",{"id":1,"title":"a"}]']
 * ```
 * @throws RequestError 400 for a filter that cannot be
 */
export function findAttachedTexts (
  model: CompiledModel, filter: unknown, beside: AttachedRow, options: OperationOptions = noOptions
): MaybePromise<RowsWithAttached | undefined> {
  return byName(new Operation(model, options), filter, (text, query) =>
    text.findBeside?.(model, query, beside, readOptions(model, options)))
}

/** Reads texts with the properties in the order of their names. */
function byName<T> (
  operation: Operation, filter: unknown, read: (text: TextSupport, query: Query) => MaybePromise<T | undefined>
): MaybePromise<T | undefined> {
  const { model, options } = operation
  const text = model.storeText
  if (text === undefined || (model.hooks.loaded !== undefined && options.notify !== false)) return undefined
  return chain(accessQuery(operation, filter), query => {
    if (query.include.length > 0 || query.distinct !== undefined) return undefined
    if (isRelatedOrder(query) || hasCursor(query)) return undefined
    if (query.select !== model.selectAll || narrowsRows(model, options)) return undefined
    return read(text, { ...query, select: model.selectByName })
  })
}

/**
 * The JSON of the row with this id, or undefined.
 *
 * ```js
 * await findByIdText(Note.compiled, 1, { fields: ['title'] }, options) // '{"title":"hello"}'
 * ```
 */
export function findByIdText (
  model: CompiledModel,
  id: unknown,
  filter: unknown,
  options: OperationOptions = noOptions
): MaybePromise<string | undefined> {
  const text = model.storeText
  if (text !== undefined && filter === undefined && isPlainRead(model, options) && isTextEnough(model, options)) {
    const value = coerceId(model, id)
    if (value === undefined) return undefined
    return options[ROW_SEEN] === undefined
      ? text.findById(model, value, model.selectVisible, readOptions(model, options))
      : findSeenText(model, text, value, options)
  }
  if (text !== undefined && filter === undefined && isOnlyNarrowed(model, options) && options[ROW_SEEN] === undefined) {
    const value = coerceId(model, id)
    return value === undefined ? undefined : narrowedById(text, model, value, options)
  }
  return rowTextById(model, id, filter, options)
}

const rowTextById = (
  model: CompiledModel, id: unknown, filter: unknown, options: OperationOptions
): MaybePromise<string | undefined> =>
  chain(findRowById(model, id, filter, options), row => row === undefined ? undefined : rowText(model, row, options))

/** The row with an id among those that rules leave to the caller, where nothing else looks at it. */
function narrowedById (
  text: TextSupport, model: CompiledModel, id: Id, options: OperationOptions
): MaybePromise<string | undefined> {
  return chain(ruleOf(model, 'read', options), rule => {
    const select = readableSelection(model, model.selectVisible, rule)
    if (select === undefined) return rowTextById(model, id, undefined, options)
    const reading = readOptions(model, options)
    if (rule?.rows === undefined) return text.findById(model, id, select, reading)
    if (text.findByIdWhere === undefined) return rowTextById(model, id, undefined, options)
    return chain(resolvedRows(model, rule.rows, options), where => where === undefined
      ? text.findById(model, id, select, reading)
      : text.findByIdWhere?.(model, id, where, select, reading))
  })
}

/**
 * The JSON of a row, with what the caller may read of it.
 *
 * ```js
 * await rowText(Note.compiled, row, options) // '{"id":1,"title":"hello"}'
 * ```
 * @returns an empty text where the options say that the client has it (`ROW_SEEN`)
 */
export const rowText = (model: CompiledModel, row: Row, options: OperationOptions): MaybePromise<string> =>
  options[ROW_SEEN]?.(model, row) === true
    ? ''
    : chain(readableRow(model, row, options), shown => model.stringify(shown, false))

/**
 * The JSON of the first row of a filter, or undefined.
 *
 * ```js
 * await findOneText(Note.compiled, { where: { title: 'hello' } }, options) // '{"id":1,"title":"hello"}'
 * ```
 */
export function findOneText (
  model: CompiledModel,
  filter: unknown,
  options: OperationOptions = noOptions
): MaybePromise<string | undefined> {
  return chain(findOneRow(model, filter, options), row =>
    row === undefined ? undefined : rowText(model, row, options))
}

/**
 * Creates a row and gives its JSON.
 *
 * ```js
 * await createText(Note.compiled, { title: 'hello' }, options) // '{"id":1,"title":"hello"}'
 * ```
 */
export function createText (
  model: CompiledModel,
  data: Readonly<Row>,
  options: OperationOptions = noOptions
): MaybePromise<string> {
  if (createsPlainly(model, options)) {
    return chain(createRow(model, data, options), row => {
      options[ROW_SEEN]?.(model, row)
      return model.stringify(row, false)
    })
  }
  return chain(createInstance(model, data, options), instance => rowText(model, instance as Row, options))
}

/**
 * Sets values on the row with this id and gives its JSON, or undefined when there is no such row.
 *
 * ```js
 * await patchText(Note.compiled, 1, { title: 'bye' }, options) // '{"id":1,"title":"bye"}'
 * ```
 */
export function patchText (
  model: CompiledModel,
  id: unknown,
  data: Readonly<Row>,
  options: OperationOptions = noOptions
): MaybePromise<string | undefined> {
  const text = model.storeText
  if (text !== undefined && isTextEnough(model, options) && patchesBlindly(model, options)) {
    const value = coerceId(model, id)
    if (value === undefined) return undefined
    const store = expecting(writeOptions(model, options), expectedVersion(model, options))
    return chain(blindChanges(model, value, data, options), changes =>
      chain(
        storing(model, changes, () =>
          orConflict(model, value, store, text.updateById(model, value, changes, model.selectVisible, store))),
        row => row === undefined ? undefined : seenText(model, row, options)
      )
    )
  }
  if (model.version !== undefined && patchesBlindly(model, options)) {
    return chain(patchByVersion(model, id, data, options), row => row && rowText(model, row, options))
  }
  return chain(patchById(model, id, data, options), instance =>
    instance === undefined ? undefined : rowText(model, instance as Row, options))
}

/** Without a look at the row before the write; a row and no text, as its version is wanted. */
function patchByVersion (
  model: CompiledModel, id: unknown, data: Readonly<Row>, options: OperationOptions
): MaybePromise<Row | undefined> {
  const value = coerceId(model, id)
  if (value === undefined) return undefined
  const expected = expectedVersion(model, options)
  return chain(blindChanges(model, value, data, options), changes =>
    storing(model, changes, () =>
      updateRow(model, value, changes, undefined, options, expecting(writeOptions(model, options), expected))))
}

/**
 * JSON text of rows.
 *
 * ```js
 * rowsText(Note.compiled, [{ id: 1, title: 'hello' }]) // '[{"id":1,"title":"hello"}]'
 * ```
 */
export function rowsText (model: CompiledModel, rows: readonly Row[], included = false): string {
  let text = '['
  for (let i = 0; i < rows.length; i++) text += (i === 0 ? '' : ',') + model.stringify(rows[i] as Row, included)
  return text + ']'
}

/** A query that asks for everything asks for everything a client may see: hidden properties are not even read. */
function visibleOnly (model: CompiledModel, query: Query): Query {
  if (query.select === model.selectAll) return { ...query, select: model.selectVisible }
  const names = query.select.names
  if (model.hidden.size === 0 || !names.some(name => model.hidden.has(name))) return query
  return { ...query, select: { ...query.select, names: names.filter(name => !model.hidden.has(name)) } }
}
