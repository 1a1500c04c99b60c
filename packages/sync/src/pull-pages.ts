/** One page of a pull: the rows that are there, or what changed since (SYD-20, SYD-21). */
import { isRemote, type ModelClass, type OperationOptions, type Row } from '@fastback/core'
import { asInternal, findRows, type JsonText } from '@fastback/core/remote'
import type { ChangeEntry } from './change-list.js'
import type { ChangeLog } from './change-log.js'
import type { Position } from './cursor.js'
import { stampFor } from './revision.js'
import { PageBudget } from './page-budget.js'
import {
  allows, onOneBudget, readableDeletes, readableRows, readableTombstones, readsOf, seesAll
} from './row-access.js'
import { findRowTexts, joinedTexts, type RowTexts } from './row-text.js'

/** Changes that one pull looks at, for callers that see few of them. */
const mostLookedAt = 5_000

/** One row, as it is now or no longer is. */
export interface PulledChange {
  readonly id: unknown
  readonly rev?: string
  readonly data?: Row
  readonly deleted?: true
  readonly left?: true
  readonly at: Date | null
}

/** What a page is of. */
export interface PageRequest {
  readonly limit: number
  readonly where: object | undefined
  /** Below it no change comes late. */
  readonly settled: number
  readonly options: OperationOptions
  /** Whether changes may come as JSON text: somebody else only sends them. */
  readonly asText: boolean
  /** All that can be seen is of one moment: later changes are told as well, which other lists may depend on. */
  readonly isSnapshot: boolean
}

export interface Page {
  /** Perhaps their JSON text, where that was asked for. */
  readonly changes: PulledChange[] | { readonly text: JsonText }
  readonly position: Position
  readonly more: boolean
}

/** @param start undefined: from the beginning */
export async function pageAfter (log: ChangeLog, start: Position | undefined, given: PageRequest): Promise<Page> {
  const asked = { ...given, options: onOneBudget(log.Model, given.options) }
  return start?.phase === 'changes'
    ? await changesAfter(log, start, asked)
    : await rowsAfter(log, start ?? { phase: 'rows', checkpoint: asked.settled }, asked)
}

/** The rows that are there, by their ids; those that change meanwhile come again with the changes. */
async function rowsAfter (log: ChangeLog, position: Position, asked: PageRequest): Promise<Page> {
  const { limit, where, options } = asked
  const isOpen = await seesAll(log.Model, options)
  if (asked.asText && isOpen) {
    const page = await textsAfter(log, position, asked)
    if (page !== undefined) return page
  }
  const budget = new PageBudget(log.Model, options)
  const changes: PulledChange[] = []
  let { after } = position
  for (let looked = 0; ;) {
    const wanted = budget.next(limit - changes.length)
    const found = await foundRows(log, rowsFilter(log, after, where, wanted + 1), wanted, { options, isOpen })
    const ids = found.ids.slice(0, wanted)
    looked += ids.length
    changes.push(...budget.take(found.changes))
    after = ids.at(-1) ?? after
    if (found.ids.length <= wanted) return lastRows(changes, position, asked)
    if (changes.length >= limit || budget.isFull || looked >= mostLookedAt) {
      return { changes, position: { ...position, after }, more: true }
    }
  }
}

/** Rows after an id that fit a condition. */
function rowsFilter ({ Model }: ChangeLog, after: unknown, where: object | undefined, limit: number): object {
  const idName = Model.getIdName() ?? 'id'
  const asked = [...(after === undefined ? [] : [{ [idName]: { gt: after } }]), ...(where === undefined ? [] : [where])]
  return { where: asked.length === 0 ? {} : { and: asked }, order: `${idName} ASC`, limit }
}

/** The same of rows whose text the store writes; undefined where the first of them have to be looked at. */
async function textsAfter (log: ChangeLog, position: Position, asked: PageRequest): Promise<Page | undefined> {
  const { limit, where, options } = asked
  const budget = new PageBudget(log.Model, options)
  const parts: RowTexts[] = []
  let { after } = position
  let isLast = false
  for (let left = limit; left > 0 && !budget.isFull && !isLast;) {
    const wanted = budget.next(left)
    const found = await findRowTexts(log, rowsFilter(log, after, where, wanted), where !== undefined, options)
    // The next page begins with those that have to be looked at.
    if (found === undefined) break
    parts.push(found)
    budget.takeTexts(found.changes)
    left -= found.count
    after = found.last ?? after
    isLast = found.count < wanted
  }
  if (parts.length === 0) return undefined
  const changes = { text: joinedTexts(parts) }
  isLast ||= (await findRows(log.Model.compiled, rowsFilter(log, after, where, 1), asInternal(options))).length === 0
  return isLast ? lastRows(changes, position, asked) : { changes, position: { ...position, after }, more: true }
}

/** Pages ago: what changed since then comes next. */
const lastRows = (changes: Page['changes'], { checkpoint }: Position, { settled }: PageRequest): Page =>
  ({ changes, position: { phase: 'changes', checkpoint }, more: checkpoint < settled })

/** Rows in the order of their ids, and what the caller is told of those that they may read. */
interface FoundRows { readonly ids: readonly unknown[], readonly changes: readonly PulledChange[] }

async function foundRows (
  log: ChangeLog, filter: object, most: number,
  { options, isOpen }: { readonly options: OperationOptions, readonly isOpen: boolean }
): Promise<FoundRows> {
  const { Model } = log
  const found = await findRows(Model.compiled, filter, asInternal(options))
  const rows = found.slice(0, most)
  const readable: Row[] = isOpen ? rows : []
  if (!isOpen) for (const row of rows) if (await allows(Model, 'findById', row, options)) readable.push(row)
  const times = await log.timesOf(readable.map(row => log.idOf(row)))
  return { ids: found.map(row => log.idOf(row)), changes: await asChanges(log, readable, times, options) }
}

/**
 * Rows as their hooks show them and the caller may read them, with the revisions of what is stored.
 * @param times when they were written, by their ids
 */
async function asChanges (
  log: ChangeLog, rows: readonly Row[], times: ReadonlyMap<string, Date | null>, options: OperationOptions
): Promise<PulledChange[]> {
  const { Model } = log
  const reads = await readsOf(Model, options)
  const shown = Model.compiled.hooks.loaded === undefined ? undefined : await log.revisionsOf(rows, reads)
  return rows.flatMap(row => {
    const id = log.idOf(row)
    const { data, rev } = stampFor(Model, row, reads)
    const stored = shown === undefined ? rev : shown.get(String(id))
    // It went between the two looks: its delete is among the changes.
    if (stored === undefined) return []
    return [{ id: idOf(data, Model), rev: stored, data, at: times.get(String(id)) ?? null }]
  })
}

const idOf = (data: Row, Model: ModelClass): unknown => data[Model.getIdName() ?? 'id']

async function changesAfter (log: ChangeLog, position: Position, asked: PageRequest): Promise<Page> {
  const budget = new PageBudget(log.Model, asked.options)
  const changes: PulledChange[] = []
  let now = position
  for (let looked = 0; ;) {
    const wanted = budget.next(asked.limit - changes.length)
    const found = await log.entries({ where: after(now, asked.settled), limit: wanted + 1 })
    const entries = found.slice(0, wanted)
    looked += entries.length
    changes.push(...budget.take(await seenOf(log, entries, position.checkpoint, asked)))
    if (found.length <= wanted) return await upToDate(log, changes, position.checkpoint, asked, budget)
    const last = entries.at(-1) as ChangeEntry
    now = { phase: 'changes', checkpoint: last.checkpoint ?? 0, after: last.id }
    if (changes.length >= asked.limit || budget.isFull || looked >= mostLookedAt) {
      return { changes, position: now, more: true }
    }
  }
}

/**
 * All of what is settled is told. In a snapshot what came after it is told as well, and once more next time: something
 * may still come before it.
 */
async function upToDate (
  log: ChangeLog, changes: PulledChange[], since: number, asked: PageRequest, budget: PageBudget
): Promise<Page> {
  const position: Position = { phase: 'changes', checkpoint: asked.settled }
  if (!asked.isSnapshot) return { changes, position, more: false }
  if (budget.isFull) return { changes, position, more: true }
  const wanted = budget.next(asked.limit - changes.length)
  const late = await log.entries({ where: { checkpoint: { gte: asked.settled } }, limit: wanted + 1 })
  if (late.length > wanted) return { changes, position, more: true }
  return { changes: [...changes, ...await seenOf(log, late, since, asked)], position, more: false }
}

const after = ({ checkpoint, after }: Position, settled: number): object => ({
  and: [
    { checkpoint: { lt: settled } },
    after === undefined
      ? { checkpoint: { gte: checkpoint } }
      : { or: [{ checkpoint: { gt: checkpoint } }, { checkpoint, id: { gt: after } }] }
  ]
})

/** What the caller is told of these changes, in their order. */
async function seenOf (
  log: ChangeLog, entries: readonly ChangeEntry[], since: number, { where, options }: PageRequest
): Promise<PulledChange[]> {
  const { Model } = log
  const there = entries.filter(({ rev }) => rev !== null && rev !== undefined)
  const rows = await readableRows(Model, there.map(({ modelId }) => modelId), undefined, options)
  const fitting = where === undefined
    ? rows
    : await readableRows(Model, [...rows.values()].map(row => log.idOf(row)), where, options)
  const times = new Map(entries.map(({ modelId, at = null }) => [modelId, at]))
  const shown = await asChanges(log, [...fitting.values()], times, options)
  const data = new Map(shown.map(change => [String(change.id), change]))
  const gone = entries.filter(({ rev }) => rev === null || rev === undefined)
  const deleted = new Set((await readableDeletes(log, gone, options)).map(({ modelId }) => modelId))
  const hidden = entries.filter(({ modelId }) => !rows.has(modelId) && !deleted.has(modelId))
  const left = await leftSight(log, hidden, since, options)
  return entries.flatMap((entry): PulledChange[] => {
    const { modelId } = entry
    const id = log.shownId(modelId)
    const at = entry.at ?? null
    const present = data.get(modelId)
    if (present !== undefined) return [present]
    if (deleted.has(modelId)) return [{ id, deleted: true, at }]
    // A row that its reader may see and did not ask for may have been among those that they did.
    return rows.has(modelId) || left.has(modelId) ? [{ id, left: true, at }] : []
  })
}

/** Of rows that the caller does not see, those that they saw at some time since. */
async function leftSight (
  log: ChangeLog, hidden: readonly ChangeEntry[], since: number, options: OperationOptions
): Promise<ReadonlySet<string>> {
  if (hidden.length === 0 || !isRemote(options)) return new Set()
  const ids = [...new Set(hidden.map(({ modelId }) => modelId))]
  const known = await log.tombstones.since(log.Model.modelName, ids, since, log.options)
  const seen = await readableTombstones(log.Model, known, options)
  return new Set(seen.map(({ modelId }) => modelId))
}
