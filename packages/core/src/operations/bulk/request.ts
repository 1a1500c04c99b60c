/** What a caller says of many rows, checked before anything is done. */
import { invalidData, RequestError } from '../../errors.js'
import type { CompiledModel } from '../../interfaces/compiled-model.js'
import type { OperationOptions } from '../../interfaces/operation-options.js'
import type { Row } from '../../properties/types.js'
import { coerceId } from '../../query/id.js'
import { isAlwaysTrue } from '../../query/always-true.js'
import { isPlainObject } from '../../query/parse-context.js'
import { parseWhere } from '../../query/parse.js'
import { parseOptions, whereIds } from '../context.js'
import { asInternal } from '../origin.js'

/** Which rows: by their ids, by a condition, or all of them. One of the three is said. */
export interface BulkRows {
  readonly ids?: readonly unknown[]
  readonly where?: Readonly<Record<string, unknown>>
  readonly all?: boolean
  /** What the response has: how many rows (default), or these as well. */
  readonly return?: 'count' | 'rows'
}

export interface BulkPatch extends BulkRows { readonly data: Readonly<Row> }

export interface BulkUpsert {
  readonly rows: ReadonlyArray<Readonly<Row>>
  /** Properties of a unique key. Default: the id. */
  readonly by?: readonly string[]
  readonly return?: 'count' | 'rows'
}

/** Rows of one bulk write, where no setting says (`maxBulkRows`). */
const defaultBulkRows = 10_000

/**
 * Rows that one bulk write may name, give or read.
 *
 * ```js
 * bulkLimit(Note.compiled) // 10000
 * ```
 */
export const bulkLimit = ({ Model, settings }: CompiledModel): number =>
  (settings.maxBulkRows ?? Model.registry.settings.maxBulkRows ?? defaultBulkRows) as number

/** 400 INVALID_BULK: what is said of the rows cannot be meant. */
export const badBulk = (why: string): RequestError => new RequestError(400, why, { code: 'INVALID_BULK' })

/**
 * 422 BULK_LIMIT: more rows than one write may have.
 *
 * ```js
 * if (rows.length > bulkLimit(model)) throw tooManyRows(bulkLimit(model))
 * ```
 */
export const tooManyRows = (limit: number): RequestError => new RequestError(
  422, `One request is for at most ${limit} rows: send several.`, { code: 'BULK_LIMIT', details: { limit } })

/**
 * @param known the members that there may be
 * @throws RequestError 400 INVALID_BULK
 */
export function mustBeRequest (request: unknown, known: readonly string[]): void {
  if (!isPlainObject(request)) throw badBulk('The body is an object that says which rows are meant.')
  for (const name of Object.keys(request as object)) {
    if (!known.includes(name)) throw badBulk(`"${name}" is not known; there are ${known.join(', ')}.`)
  }
  const { return: wanted } = request as BulkRows
  if (wanted !== undefined && wanted !== 'count' && wanted !== 'rows') throw badBulk('"return" is "count" or "rows".')
}

/** The condition of the rows, and the options that it is read with: ids are no condition of the caller's. */
export interface BulkWhere { readonly where: Record<string, unknown>, readonly options: OperationOptions }

/**
 * The condition that a request stands for.
 *
 * ```js
 * bulkWhere(Note.compiled, { ids: [1, 2] }, options).where // { id: { inq: [1, 2] } }
 * ```
 * @throws RequestError 400 INVALID_BULK unless the rows are said in one way; for a condition that all rows pass, which
 * `all` stands for; 422 BULK_LIMIT
 */
export function bulkWhere (model: CompiledModel, rows: BulkRows, options: OperationOptions): BulkWhere {
  const { ids, where, all } = rows
  if ([ids, where, all].filter(each => each !== undefined).length !== 1) {
    throw badBulk('Say which rows: "ids", "where", or "all": true.')
  }
  if (ids !== undefined) return { where: whereIds(model, idsOf(model, ids)), options: asInternal(options) }
  if (where === undefined) {
    if (all !== true) throw badBulk('"all" is true, or is not said.')
    return { where: {}, options }
  }
  if (!isPlainObject(where)) throw badBulk('"where" is a condition.')
  if (isAlwaysTrue(parseWhere(model, where, parseOptions(model, options)))) {
    throw badBulk('"where" tests nothing: "all": true stands for all rows.')
  }
  return { where: where as Record<string, unknown>, options }
}

function idsOf (model: CompiledModel, ids: unknown): unknown[] {
  if (!Array.isArray(ids)) throw badBulk('"ids" is a list.')
  const limit = bulkLimit(model)
  if (ids.length > limit) throw tooManyRows(limit)
  // An id that none can be is that of no row.
  return [...new Set(ids.flatMap(id => coerceId(model, id) ?? []))]
}

/**
 * The rows and the key of an upsert.
 *
 * ```js
 * keyOf(Product.compiled, ['code']) // ['code']
 * ```
 * @throws RequestError 400 INVALID_BULK for what is no unique key of the model
 */
export function keyOf (model: CompiledModel, by: unknown): readonly string[] {
  if (by === undefined) {
    if (model.key.length === 0) throw badBulk(`${model.name} has no id: say "by".`)
    return model.key.map(({ name }) => name)
  }
  const names = Array.isArray(by) && by.every(name => typeof name === 'string') ? by as string[] : []
  const isKey = (properties: readonly string[]): boolean =>
    properties.length === names.length && properties.every(name => names.includes(name))
  const keys = [
    model.key.map(({ name }) => name),
    ...model.indexes.filter(({ unique }) => unique).map(({ columns }) => columns.map(({ property }) => property))
  ]
  const isSeen = names.every(name => !model.hidden.has(name))
  if (names.length === 0 || !isSeen || !keys.some(isKey)) {
    throw noKey(model)
  }
  return names
}

/**
 * What is thrown for properties that are no key which the caller may know.
 *
 * ```js
 * throw noKey(Product.compiled)
 * ```
 */
export const noKey = ({ name }: CompiledModel): Error =>
  badBulk(`"by" names the properties of a unique key of ${name}.`)

/**
 * @throws RequestError 400 INVALID_BULK for what is no list of rows; 422 for rows without a value of the key, and for
 * two with the same; 422 BULK_LIMIT
 */
export function mustHaveKeys (model: CompiledModel, rows: unknown, names: readonly string[]): void {
  if (!Array.isArray(rows) || !rows.every(isPlainObject)) throw badBulk('"rows" is a list of rows.')
  const limit = bulkLimit(model)
  if (rows.length > limit) throw tooManyRows(limit)
  const seen = new Set<string>()
  const violations = (rows as Row[]).flatMap((row, i) => {
    const missing = names.find(name => row[name] === undefined || row[name] === null || typeof row[name] === 'object')
    if (missing !== undefined) {
      return [{ path: `[${i}]`, code: 'required', message: `"${missing}" is required`, info: { missingProperty: missing } }]
    }
    const text = keyText(model, row, names)
    if (!seen.has(text)) { seen.add(text); return [] }
    return [{ path: `[${i}].${names[0] ?? ''}`, code: 'uniqueItems', message: 'stands in the list twice', info: {} }]
  })
  if (violations.length > 0) throw invalidData(violations)
}

/**
 * The values of a key, as a text: of the types of their properties.
 *
 * ```js
 * keyText(Product.compiled, { code: 'a', name: 'x' }, ['code']) // '["a"]'
 * ```
 */
export function keyText (model: CompiledModel, row: Readonly<Row>, names: readonly string[]): string {
  const values = model.coerce(Object.fromEntries(names.map(name => [name, row[name]])), () => {})
  return JSON.stringify(names.map(name => String(values[name] instanceof Date ? values[name].getTime() : values[name])))
}
