/**
 * Writes of a row that must be as the caller saw it (`options.ifVersion`). The store compares in the writing statement;
 * where it wrote nothing, this says why. Rows that the caller may not write, or see, are not there, whatever their
 * version: nobody learns of them by guessing.
 */
import type { Id, StoreOptions } from '../data-source/connector.js'
import type { StoredModel } from '../definition/stored-model.js'
import { VersionConflictError, badVersion } from './version-errors.js'
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import { chain, type MaybePromise } from '../maybe-promise.js'
import type { Row } from '../properties/types.js'
import type { Condition } from '../query/ast.js'
import { shownId, idCondition } from '../query/id.js'
import { bothConditions } from '../query/merge.js'

/**
 * The version that an operation expects of its row; undefined: any.
 *
 * ```js
 * expectedVersion(Note.compiled, { ifVersion: 3 }) // 3
 * ```
 * @throws RequestError 400 INVALID_VERSION for a model without versions, and for what is no version
 */
export function expectedVersion (
  { name, version }: CompiledModel, { ifVersion }: OperationOptions
): number | undefined {
  if (ifVersion === undefined) return undefined
  if (ifVersion === null) throw badVersion('"ifVersion" is null, for a row that is not there: only upserts make one.')
  if (version === undefined) {
    throw badVersion(`${name} has no versions: say "version": true in its definition, or leave "ifVersion" out.`)
  }
  if (!Number.isSafeInteger(ifVersion) || ifVersion < 0) {
    throw badVersion('"ifVersion" is the version of a row, a whole number.')
  }
  return ifVersion
}

/**
 * The options that hooks and further operations get: the version is that of one row, and not of the next one.
 *
 * ```js
 * withoutExpected({ ifVersion: 3, notify: false }) // { notify: false }
 * ```
 */
export function withoutExpected (options: OperationOptions): OperationOptions {
  if (options.ifVersion === undefined) return options
  const { ifVersion: _, ...rest } = options
  return rest
}

/** @throws RequestError 400 INVALID_VERSION: an operation on many rows has no version to expect */
export function mustExpectNone ({ ifVersion }: OperationOptions, operation: string): void {
  if (ifVersion !== undefined) {
    throw badVersion(`"ifVersion" is the version of one row; ${operation} writes many. Put it into the condition.`)
  }
}

/**
 * What the store is handed with a write of a row.
 *
 * ```js
 * expecting(writeOptions(model, options), 3) // { ifVersion: 3 }
 * ```
 */
export const expecting = (store: StoreOptions, expected: number | undefined): StoreOptions =>
  expected === undefined ? store : { ...store, ifVersion: expected }

/**
 * The version of a stored row: 0 where it was stored before its model had versions; undefined where the model has none.
 *
 * ```js
 * rowVersion(Note.compiled, { id: 1, version: 3 }) // 3
 * ```
 */
export function rowVersion ({ version }: Pick<CompiledModel, 'version'>, row: Readonly<Row>): number | undefined {
  if (version === undefined) return undefined
  const value = row[version.name]
  return typeof value === 'number' ? value : value === null || value === undefined ? 0 : undefined
}

/**
 * A condition, and that the row has this version.
 *
 * ```js
 * await connector.deleteAll(model, withVersionIn(model, idCondition(model, 1), 3), {})
 * ```
 */
export function withVersionIn (
  model: StoredModel, where: Condition | undefined, expected: number | undefined
): Condition | undefined {
  if (expected === undefined || model.version === undefined) return where
  const { name, type } = model.version
  const path = { property: name, path: [], type, declared: true }
  const is = (value: number | null): Condition => ({ kind: 'compare', path, op: 'eq', value })
  return bothConditions(where, expected === 0 ? { kind: 'or', conditions: [is(0), is(null)] } : is(expected))
}

/**
 * Why a write that expects a version found no row.
 * @param where of the rows that the caller may write, and sees
 * @returns undefined where there is none among them: it is as if it were not there
 * @throws VersionConflictError 412 where there is one
 */
export function conflictIn (
  model: CompiledModel, where: Condition | undefined, store: StoreOptions
): MaybePromise<undefined> {
  const { ifVersion: _, ofThisTick: __, ...reading } = store
  const query = { where, order: [], limit: 1, skip: 0, select: model.selectAll, include: [] }
  return chain(model.connector.find(model, query, { ...reading, mayBeMissing: true }), ([row]) => {
    if (row !== undefined) throw new VersionConflictError(model.name, shownId(model, row), row)
    return undefined
  })
}

/** The same for a row by its id. */
export const conflictOf = (
  model: CompiledModel, id: Id, rows: Condition | undefined, store: StoreOptions
): MaybePromise<undefined> => conflictIn(model, bothConditions(idCondition(model, id), rows), store)

/** What a write of a row by its id gave; where that is nothing and a version was expected, why. */
export function orConflict<T> (
  model: CompiledModel, id: Id, store: StoreOptions, written: MaybePromise<T | undefined>
): MaybePromise<T | undefined> {
  if (store.ifVersion === undefined) return written
  return chain(written, found => found ?? conflictOf(model, id, undefined, store))
}

/**
 * Changes without a version: the store counts it.
 *
 * ```js
 * withoutVersion(Note.compiled, { title: 'b', version: 9 }) // { title: 'b' }
 * ```
 */
export function withoutVersion ({ version }: CompiledModel, changes: Row): Row {
  if (version === undefined || !Object.hasOwn(changes, version.name)) return changes
  const { [version.name]: _, ...rest } = changes
  return rest
}
