/** What a client gets since it was last here (SYD-20, SYD-21). */
import { isRemote, type ModelClass, type OperationOptions } from '@fastback/core'
import { textResult } from '@fastback/core/remote'
import { ChangeLog } from './change-log.js'
import { Cursors, type Position } from './cursor.js'
import { badFilter, badLimit, cursorExpired } from './errors.js'
import { pageAfter, type Page, type PulledChange } from './pull-pages.js'
import { checkCallerWhere } from './row-access.js'
import { checkVersion } from './version.js'

const defaultLimit = 500
const mostPerPull = 1_000
/** What a client asks for. */
export interface PullRequest {
  readonly after?: unknown
  readonly limit?: unknown
  readonly filter?: unknown
  readonly version?: unknown
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
  const { changes, cursor, more } = await (await preparePull(Model, request, options))({ asText: isRemote(options) })
  if (!('text' in changes)) return { changes, cursor, more }
  return textResult({ changes: changes.text, cursor: JSON.stringify(cursor), more: JSON.stringify(more) })
}

/** What was read; the changes perhaps as JSON text, where that was asked for. */
export interface ReadPulled extends Omit<Pulled, 'changes'> {
  readonly changes: Page['changes']
}

/** How a page is read. */
export interface PageReading {
  readonly asText?: boolean
  readonly isSnapshot?: boolean
  /** Changes in it, where these are fewer than the request says. */
  readonly most?: number
}

/** Reads the page that was asked for. @throws RequestError 410 CURSOR_EXPIRED */
export type ReadPage = (how: PageReading) => Promise<ReadPulled>

/**
 * All that comes before the reading, and may wait for those that write: it belongs before a snapshot is taken.
 * @throws as `pull`
 */
export async function preparePull (
  Model: ModelClass, request: PullRequest, options: OperationOptions
): Promise<ReadPage> {
  const log = ChangeLog.of(Model)
  checkVersion(Model, request.version)
  const limit = checkedLimit(request.limit)
  const where = await checkedWhere(Model, request.filter, options)
  const cursors = await Cursors.of(log, where, options)
  const start = request.after === undefined || request.after === null ? undefined : cursors.read(request.after)
  const settled = await log.settled()
  // The store is another than it was.
  if (start !== undefined && start.checkpoint > settled) throw cursorExpired()
  return async ({ asText = false, isSnapshot = false, most = limit }) => {
    const asked = { limit: Math.min(limit, most), where, settled, options, asText, isSnapshot }
    const page = await pageAfter(log, start, asked)
    // After the reading: what is forgotten meanwhile may be missing from the page.
    if (start !== undefined) await mustReach(log, start)
    return { changes: page.changes, cursor: cursors.write(page.position), more: page.more }
  }
}

/** The cursor of now: what comes after it is new. @throws as `pull` */
export async function latest (
  Model: ModelClass, request: Pick<PullRequest, 'filter' | 'version'>, options: OperationOptions
): Promise<string> {
  const log = ChangeLog.of(Model)
  checkVersion(Model, request.version)
  const cursors = await Cursors.of(log, await checkedWhere(Model, request.filter, options), options)
  return cursors.write({ phase: 'changes', checkpoint: await log.settled() })
}

function checkedLimit (limit: unknown): number {
  if (limit === undefined || limit === null) return defaultLimit
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1 || limit > mostPerPull) throw badLimit(mostPerPull)
  return limit
}

/** What the caller may not name is refused before anything is read. */
async function checkedWhere (
  Model: ModelClass, filter: unknown, options: OperationOptions
): Promise<object | undefined> {
  if (filter === undefined || filter === null) return undefined
  if (typeof filter !== 'object' || Array.isArray(filter) || Object.keys(filter).some(key => key !== 'where')) {
    throw badFilter()
  }
  const { where } = filter as { where?: object | null }
  await checkCallerWhere(Model, where, options)
  return where === null || where === undefined || Object.keys(where).length === 0 ? undefined : where
}

/** @throws RequestError 410 where deletes since then are forgotten */
async function mustReach (log: ChangeLog, { checkpoint }: Position): Promise<void> {
  if (checkpoint < await log.tombstones.horizon(log.Model.modelName, log.options)) throw cursorExpired()
}
