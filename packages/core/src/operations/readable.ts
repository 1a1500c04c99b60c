/**
 * What of rows the rules leave a caller to read (`RowRule.reads`): what may not be read is taken out before the rows
 * are written, of rows that include loaded as well. The rows themselves stay whole: hooks and methods of the
 * application see all of them, as they see hidden properties.
 */
import { textOfResult } from '../contracts/text-result.js'
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import type { RowRule } from '../interfaces/row-rules.js'
import { includedOf, INCLUDED, RelatedCount, setIncluded } from '../instances/included.js'
import { compiledOf, isInstance } from '../instances/instance.js'
import { chain, eachInSequence, type MaybePromise } from '../maybe-promise.js'
import type { Row } from '../properties/types.js'
import { isPlainObject } from '../query/parse-context.js'
import { ruleOf } from './row-rules.js'
import { readableValue } from './rows-within.js'

/**
 * A row with what the caller may read of it: the same one where that is everything, else a copy.
 *
 * ```js
 * model.stringify(await readableRow(model, row, options), false)
 * ```
 */
export function readableRow<T extends Row> (
  model: CompiledModel, row: T, options: OperationOptions
): MaybePromise<T> {
  if (options.rowRules === undefined) return row
  return chain(ruleOf(model, 'read', options), rule => {
    const related = includedOf(row)
    if (rule?.reads === undefined && related === undefined) return row
    const shown = copyOf(model, row, rule?.reads)
    if (related === undefined) return shown
    const add = (name: string): MaybePromise<void> => addRelated(model, row, shown, name, rule, options)
    return chain(eachInSequence(Object.keys(related), add), () => shown)
  })
}

/**
 * The same for a list.
 *
 * ```js
 * rowsText(model, await readableRows(model, rows, options))
 * ```
 */
export function readableRows<T extends Row> (
  model: CompiledModel, rows: readonly T[], options: OperationOptions
): MaybePromise<readonly T[]> {
  if (options.rowRules === undefined || rows.length === 0) return rows
  const shown: T[] = []
  return chain(eachInSequence(rows, row => chain(readableRow(model, row, options), each => { shown.push(each) })), () =>
    shown)
}

/**
 * The result of a method: instances in it, at every level of lists and plain objects, become what the caller may read.
 *
 * ```js
 * await readableResult({ note: await Note.findById(1) }, options)
 * ```
 */
export function readableResult (value: unknown, options: OperationOptions): MaybePromise<unknown> {
  if (options.rowRules === undefined || value === null || typeof value !== 'object') return value
  if (isInstance(value)) return readableRow(compiledOf(value), value as Row, options)
  if (Array.isArray(value)) {
    const list: unknown[] = []
    const add = (item: unknown): MaybePromise<void> =>
      chain(readableResult(item, options), shown => { list.push(shown) })
    return chain(eachInSequence(value, add), () => list.some((item, i) => item !== value[i]) ? list : value)
  }
  // What is text already was made for this caller.
  if (!isPlainObject(value) || textOfResult(value) !== undefined) return value
  const copy: Record<string, unknown> = { ...value }
  const put = (name: string): MaybePromise<void> =>
    chain(readableResult(value[name], options), shown => { copy[name] = shown })
  const names = Object.keys(value)
  return chain(eachInSequence(names, put), () => names.some(name => copy[name] !== value[name]) ? copy : value)
}

function copyOf<T extends Row> (model: CompiledModel, row: T, reads: RowRule['reads']): T {
  // Values behind getters are no members of the instance that could be left out.
  const isHeld = isInstance(row) && model.accessors !== undefined
  const copy = isHeld
    ? model.toPlain(row, { hidden: false, included: false }) as T
    : Object.create(Object.getPrototypeOf(row) as object, Object.getOwnPropertyDescriptors(row)) as T
  if (isHeld) for (const name of Object.keys(includedOf(row) ?? {})) delete (copy as Row)[name]
  else delete (copy as { [INCLUDED]?: unknown })[INCLUDED]
  if (reads === undefined) return copy
  for (const name of Object.keys(copy)) {
    if (!reads(name)) delete (copy as Row)[name]
    else if (reads.within !== undefined) (copy as Row)[name] = readableValue(model, name, copy[name], reads)
  }
  return copy
}

function addRelated (
  model: CompiledModel, row: Row, copy: Row, name: string, rule: RowRule | undefined, options: OperationOptions
): MaybePromise<void> {
  if (rule?.reads?.(name) === false) return
  const value = includedOf(row)?.[name]
  const target = (related: Row): CompiledModel | undefined =>
    isInstance(related) ? compiledOf(related) : model.relations.get(name)?.targetOf(row)?.compiled
  const show = (related: Row): MaybePromise<Row> => {
    const Target = related instanceof RelatedCount ? undefined : target(related)
    return Target === undefined ? related : readableRow(Target, related, options)
  }
  const keep = (shown: Row | Row[] | null | undefined): void => { setIncluded(copy, name, shown) }
  if (value === null || value === undefined) return keep(value)
  if (!Array.isArray(value)) return chain(show(value), keep)
  const list: Row[] = []
  return chain(eachInSequence(value, each => chain(show(each), shown => { list.push(shown) })), () => { keep(list) })
}
