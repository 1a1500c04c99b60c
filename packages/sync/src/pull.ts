/** What a client gets since it was last here (SYD-20, SYD-21). */
import { isRemote, type ModelClass, type OperationOptions, type Row } from '@fastback/core'
import { parseWhere } from '@fastback/core/connector'
import { asInternal, findRows } from '@fastback/core/remote'
import { ChangeLog, type ChangeEntry } from './change-log.js'
import { Cursors, type Position } from './cursor.js'
import { badFilter, badLimit, cursorExpired } from './errors.js'
import { stampOf } from './revision.js'
import { allows, readableDeletes, readableKept, readableRows } from './row-access.js'
import { checkVersion } from './version.js'

export const defaultLimit = 500
export const mostPerPull = 1_000
/** Changes that one pull looks at, for callers that see few of them. */
const mostLookedAt = 5_000

/** What a client asks for. */
export interface PullRequest {
  readonly after?: unknown
  readonly limit?: unknown
  readonly filter?: unknown
  readonly version?: unknown
}

/** One row, as it is now or no longer is. */
export interface PulledChange {
  readonly id: unknown
  readonly rev?: string
  readonly data?: Row
  readonly deleted?: true
  readonly left?: true
  readonly at: Date | null
}

export interface Pulled {
  readonly changes: PulledChange[]
  readonly cursor: string
  readonly more: boolean
}

/**
 * One page. The changes of a page are those of checkpoints that nobody writes under any more, so that none comes late.
 * @throws RequestError 400 BAD_CURSOR, BAD_LIMIT, BAD_FILTER; 409 CLIENT_OUTDATED; 410 CURSOR_EXPIRED
 */
export async function pull (
  Model: ModelClass, request: PullRequest = {}, options: OperationOptions = {}
): Promise<Pulled> {
  const log = ChangeLog.of(Model)
  checkVersion(Model, request.version)
  const limit = checkedLimit(request.limit)
  const where = checkedWhere(Model, request.filter, options)
  const cursors = await Cursors.of(log, where, options)
  const start = request.after === undefined || request.after === null ? undefined : cursors.read(request.after)
  const settled = await log.settled()
  if (start !== undefined) await mustReach(log, start, settled)
  const page = await (start?.phase === 'changes' ? changesAfter : rowsAfter)(
    log, start ?? { phase: 'rows', checkpoint: settled }, { limit, where, settled, options }
  )
  return { changes: page.changes, cursor: cursors.write(page.position), more: page.more }
}

/** The cursor of now: what comes after it is new. @throws as `pull` */
export async function latest (
  Model: ModelClass, request: Pick<PullRequest, 'filter' | 'version'>, options: OperationOptions
): Promise<string> {
  const log = ChangeLog.of(Model)
  checkVersion(Model, request.version)
  const cursors = await Cursors.of(log, checkedWhere(Model, request.filter, options), options)
  return cursors.write({ phase: 'changes', checkpoint: await log.settled() })
}

interface Asked {
  readonly limit: number
  readonly where: object | undefined
  /** Below it no change comes late. */
  readonly settled: number
  readonly options: OperationOptions
}

interface Page {
  readonly changes: PulledChange[]
  readonly position: Position
  readonly more: boolean
}

function checkedLimit (limit: unknown): number {
  if (limit === undefined || limit === null) return defaultLimit
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1 || limit > mostPerPull) throw badLimit(mostPerPull)
  return limit
}

/** What the caller may not name is refused before anything is read. */
function checkedWhere (Model: ModelClass, filter: unknown, options: OperationOptions): object | undefined {
  if (filter === undefined || filter === null) return undefined
  if (typeof filter !== 'object' || Array.isArray(filter) || Object.keys(filter).some(key => key !== 'where')) {
    throw badFilter()
  }
  const { where } = filter as { where?: object | null }
  const { compiled } = Model
  if (isRemote(options)) parseWhere(compiled, where, compiled.parsing.external)
  return where === null || where === undefined || Object.keys(where).length === 0 ? undefined : where
}

/** @throws RequestError 410 where deletes since then are forgotten, and where the store is another than it was */
async function mustReach (log: ChangeLog, { checkpoint }: Position, settled: number): Promise<void> {
  const horizon = await log.tombstones.horizon(log.Model.modelName, log.options)
  if (checkpoint < horizon || checkpoint > settled) throw cursorExpired()
}

/** The rows that are there, by their ids; those that change meanwhile come again with the changes. */
async function rowsAfter (log: ChangeLog, position: Position, { limit, where, options }: Asked): Promise<Page> {
  const { Model } = log
  const { compiled } = Model
  const idName = Model.getIdName() ?? 'id'
  const changes: PulledChange[] = []
  let { after } = position
  for (let looked = 0; ;) {
    const later = after === undefined ? [] : [{ [idName]: { gt: after } }]
    const asked = [...later, ...(where === undefined ? [] : [where])]
    const wanted = limit - changes.length
    const filter = { where: asked.length === 0 ? {} : { and: asked }, order: `${idName} ASC`, limit: wanted + 1 }
    const found = await findRows(compiled, filter, asInternal(options))
    const rows = found.slice(0, wanted)
    looked += rows.length
    const readable: Row[] = []
    for (const row of rows) if (await allows(Model, 'findById', row, options)) readable.push(row)
    changes.push(...await asChanges(log, readable))
    const last = rows.at(-1)
    if (last !== undefined) after = last[idName]
    if (found.length <= wanted) {
      return { changes, position: { phase: 'changes', checkpoint: position.checkpoint }, more: false }
    }
    if (changes.length >= limit || looked >= mostLookedAt) {
      return { changes, position: { ...position, after }, more: true }
    }
  }
}

/** Rows as their hooks show them, with the revisions of what is stored. */
async function asChanges (log: ChangeLog, rows: readonly Row[]): Promise<PulledChange[]> {
  const { Model } = log
  const entries = await log.entriesOf(rows.map(row => log.idOf(row)))
  const shown = Model.compiled.hooks.loaded === undefined ? undefined : await log.revisionsOf(rows)
  return rows.flatMap(row => {
    const id = log.idOf(row)
    const { data, rev } = stampOf(Model, row)
    const stored = shown === undefined ? rev : shown.get(String(id))
    // It went between the two looks: its delete is among the changes.
    if (stored === undefined) return []
    return [{ id: idOf(data, Model), rev: stored, data, at: entries.get(String(id))?.at ?? null }]
  })
}

const idOf = (data: Row, Model: ModelClass): unknown => data[Model.getIdName() ?? 'id']

async function changesAfter (log: ChangeLog, position: Position, asked: Asked): Promise<Page> {
  const changes: PulledChange[] = []
  let now = position
  for (let looked = 0; ;) {
    const wanted = asked.limit - changes.length
    const found = await log.entries({ where: after(now, asked.settled), limit: wanted + 1 })
    const entries = found.slice(0, wanted)
    looked += entries.length
    changes.push(...await seenOf(log, entries, position.checkpoint, asked))
    if (found.length <= wanted) {
      return { changes, position: { phase: 'changes', checkpoint: asked.settled }, more: false }
    }
    const last = entries.at(-1) as ChangeEntry
    now = { phase: 'changes', checkpoint: last.checkpoint ?? 0, after: last.id }
    if (changes.length >= asked.limit || looked >= mostLookedAt) return { changes, position: now, more: true }
  }
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
  log: ChangeLog, entries: readonly ChangeEntry[], since: number, { where, options }: Asked
): Promise<PulledChange[]> {
  const { Model } = log
  const there = entries.filter(({ rev }) => rev !== null && rev !== undefined)
  const rows = await readableRows(Model, there.map(({ modelId }) => modelId), undefined, options)
  const fitting = where === undefined
    ? rows
    : await readableRows(Model, [...rows.values()].map(row => log.idOf(row)), where, options)
  const data = new Map((await asChanges(log, [...fitting.values()])).map(change => [String(change.id), change]))
  const gone = entries.filter(({ rev }) => rev === null || rev === undefined)
  const deleted = new Set((await readableDeletes(log, gone, options)).map(({ modelId }) => modelId))
  const hidden = entries.filter(({ modelId }) => !rows.has(modelId) && !deleted.has(modelId))
  const left = await leftSight(log, hidden, since, options)
  return entries.flatMap((entry): PulledChange[] => {
    const { modelId } = entry
    const id = log.shownId(modelId)
    const at = entry.at ?? null
    const present = data.get(modelId)
    if (present !== undefined) return [{ ...present, at: present.at ?? at }]
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
  const seen = await readableKept(log.Model, known, options)
  return new Set(seen.map(({ modelId }) => modelId))
}
