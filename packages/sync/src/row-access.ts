/**
 * What a caller may see and write of a tracked model, row by row (SYD-8): what `findById` would refuse never comes, and
 * what an ordinary write would refuse never goes.
 */
import { isRemote, type MaybePromise, type ModelClass, type OperationOptions, type Row, type RowRule } from '@fastback/core'
import { byClock, chain, compileCondition, eachInSequence, parseWhere } from '@fastback/core/connector'
import {
  asInternal, CALLER, findRows, instantiate, judgeCondition, ruleOf, ruleView, visibleCondition, WORK, Work
} from '@fastback/core/remote'
import type { ChangeRow } from './change.js'
import type { ChangeLog } from './change-log.js'
import type { Tombstone } from './tombstones.js'

const batch = 500

/** How much more than a response may have is read on the way to it. */
const timesAside = 16

/**
 * Options for all reads of one call: what their conditions cost counts together, and so does how long their rows are
 * (security.md, S-74). How many of them come into the response is for others to say.
 *
 * ```js
 * const options = onOneBudget(Note, given)
 * ```
 */
export function onOneBudget ({ registry }: ModelClass, options: OperationOptions): OperationOptions {
  if (!isRemote(options) || options[WORK] !== undefined) return options
  const { queryLimits: limits } = registry
  const work = new Work({ ...limits, rows: Infinity, bytes: timesAside * limits.bytes }, options[CALLER])
  return { ...options, [WORK]: work }
}

/**
 * The rows with these ids that fit a condition and that the caller may see, by id.
 * @param where as the caller wrote it
 */
export function readableRows (
  Model: ModelClass, ids: readonly unknown[], where: object | undefined, options: OperationOptions
): MaybePromise<Map<string, Row>> {
  const { compiled } = Model
  const idName = compiled.id?.name ?? 'id'
  const found = new Map<string, Row>()
  const parts = Array.from({ length: Math.ceil(ids.length / batch) }, (_, i) => ids.slice(i * batch, (i + 1) * batch))
  const read = (part: readonly unknown[]): MaybePromise<unknown> => {
    const among = { [idName]: { inq: part } }
    const asked = where === undefined || Object.keys(where).length === 0 ? among : { and: [among, where] }
    return chain(findRows(compiled, { where: asked }, asInternal(options)), rows =>
      eachInSequence(rows, row => chain(allows(Model, 'findById', row, options), may => {
        if (may) found.set(String(row[idName]), row)
      })))
  }
  // What the caller may not name is refused before anything is read.
  return chain(checkCallerWhere(Model, where, options), () =>
    chain(parts.length > 1 ? inTurns(parts, read) : eachInSequence(parts, read), () => found))
}

/** A store in this process answers at once: others come in between all the same (security.md, S-101). */
async function inTurns<T> (parts: readonly T[], work: (part: T) => MaybePromise<unknown>): Promise<void> {
  const pauses = byClock()
  for (const part of parts) {
    if (pauses.isDue) await pauses.rest()
    await work(part)
  }
}

/**
 * Refuses what a caller may not name or read, and conditions on related rows: changes of those are not seen.
 * @throws RequestError 400
 */
export function checkCallerWhere (
  { compiled }: ModelClass, where: object | null | undefined, options: OperationOptions
): MaybePromise<void> {
  if (!isRemote(options)) return
  const condition = parseWhere(compiled, where, compiled.parsing.external)
  compileCondition(condition)
  return judgeCondition(compiled, condition, options)
}

/** Whether the caller may read a property; undefined: all. */
export const readsOf = ({ compiled }: ModelClass, options: OperationOptions): MaybePromise<RowRule['reads']> =>
  chain(ruleOf(compiled, 'read', options), rule => rule?.reads)

/**
 * What the caller's rights to read come to: another text once a role, a membership or a rule lets them read other rows
 * than before. Empty where nothing narrows them.
 */
export const sightOf = (Model: ModelClass, options: OperationOptions): MaybePromise<string> =>
  chain(ruleView(Model.compiled, options), view => chain(options.rowGuard?.sight?.(Model), rules =>
    rules === undefined && view === undefined ? '' : JSON.stringify([rules, view?.key])))

/**
 * Whether the rules of access let the caller do this to a row.
 * @param how whether it is gone, and the row what is kept of it
 */
export function allows (
  Model: ModelClass, method: 'findById' | 'create' | 'patchAttributes' | 'deleteById', row: Readonly<Row>,
  { rowGuard }: OperationOptions, how?: { readonly isGone?: boolean }
): MaybePromise<boolean> {
  return rowGuard?.allows(Model, method, method === 'findById' ? 'READ' : 'WRITE', row, how) ?? true
}

/** Whether the rules let the caller read all rows, so that none has to be looked at. */
export const seesAll = (Model: ModelClass, { rowGuard }: OperationOptions): MaybePromise<boolean> =>
  rowGuard?.allowsAll(Model, 'findById', 'READ') ?? true

/** Of the deletes in a list those of rows that the caller could read. Code in the process sees them all. */
export async function readableDeletes (
  { Model, tombstones, options: within }: ChangeLog, deletes: readonly ChangeRow[], options: OperationOptions
): Promise<ChangeRow[]> {
  if (!isRemote(options) || deletes.length === 0) return [...deletes]
  const condition = await visibleCondition(Model.compiled, options)
  if (condition === undefined && options.rowGuard === undefined) return [...deletes]
  const fits = compileCondition(condition)
  const known = await tombstones.of(deletes.map(({ id }) => String(id)), within)
  const readable: ChangeRow[] = []
  for (const change of deletes) {
    // Of a row that went unseen nobody knows whose it was: those see its delete who see all rows.
    const kept = known.get(String(change.id))?.kept ?? undefined
    if (kept === undefined && condition !== undefined) continue
    const idName = Model.getIdName() ?? 'id'
    const row = keptRow(Model, kept ?? { [idName]: change.modelId })
    if (fits(row) && await allows(Model, 'findById', row, options, gone)) readable.push(change)
  }
  return readable
}

/** Of what is kept of rows that of rows which the caller could read. */
export async function readableTombstones (
  Model: ModelClass, known: readonly Tombstone[], options: OperationOptions
): Promise<Tombstone[]> {
  const condition = await visibleCondition(Model.compiled, options)
  const fits = condition === undefined ? () => true : compileCondition(condition)
  const readable: Tombstone[] = []
  for (const each of known) {
    if (each.kept === null) continue
    const row = keptRow(Model, each.kept)
    if (fits(row) && await allows(Model, 'findById', row, options, gone)) readable.push(each)
  }
  return readable
}

const gone = { isGone: true }

/** What is kept is JSON, and dates in it are texts. */
const keptRow = ({ compiled }: ModelClass, kept: Readonly<Row>): Row =>
  instantiate(compiled, compiled.coerce(kept, () => {})) as unknown as Row
