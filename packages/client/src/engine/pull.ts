/** What changed comes down: pages, each with its cursor in one write (SYD-31). */
import { isCode } from '../errors.js'
import type { Id } from '../store.js'
import type { Draft } from './local.js'
import type { SyncedModel, Wire } from './push.js'
import { cursorKey, meta, outboxOf, pushKey, rowsOf, type Cursor, type LocalRow, type Pending, type Remote } from './records.js'
import type { PulledPage } from './transport.js'

const start: Cursor = { after: undefined, round: 1, isListing: true }

/** @throws ClientError */
export async function pullAll (wire: Wire, model: SyncedModel, signal: AbortSignal): Promise<void> {
  const { local, transport, version, batch } = wire
  const { path, filter } = model
  for (let hasBegunAgain = false; ;) {
    const cursor = await local.get<Cursor>(meta, cursorKey(model.name)) ?? start
    let page: PulledPage
    try {
      page = await transport.pull(path, { after: cursor.after, limit: batch.pull, filter, version }, signal)
    } catch (error) {
      if (hasBegunAgain || cursor.after === undefined || !isForgotten(error)) throw error
      hasBegunAgain = true
      await local.change(async draft => { await beginAgain(draft, model.name) })
      continue
    }
    const isTaken = await local.change(async draft => await take(draft, model.name, cursor, page))
    if (!isTaken || !page.more) return
  }
}

/** The server does not know the cursor any more, or it is of another list. */
function isForgotten (error: unknown): boolean {
  if (!isCode(error, 'REQUEST_FAILED')) return false
  const { code } = (error.details ?? {}) as { code?: unknown }
  return error.statusCode === 410 || (error.statusCode === 400 && code === 'BAD_CURSOR')
}

/** From the beginning: the rows that are here stay in sight until the list is through. */
export async function beginAgain (draft: Draft, model: string): Promise<void> {
  const { round } = await draft.get<Cursor>(meta, cursorKey(model)) ?? start
  draft.put(meta, cursorKey(model), { after: undefined, round: round + 1, isListing: true } satisfies Cursor)
}

/** @returns whether it was of use */
async function take (
  draft: Draft, model: string, asked: Cursor, { changes, cursor: after, more }: PulledPage
): Promise<boolean> {
  const known = await draft.get<Cursor>(meta, cursorKey(model)) ?? start
  // Without Web Locks another tab may have come further. Of a row that it is pushing, nobody knows what is later: the
  // answer of the push, or this.
  if (known.after !== asked.after || known.round !== asked.round) return false
  if (await draft.get(meta, pushKey(model)) !== undefined) return false
  const outbox = await draft.all<Pending>(outboxOf(model))
  const { round } = known
  for (const { id, rev = null, data = null } of changes) {
    const pending = outbox.get(id)
    if (pending !== undefined) await note(draft, model, id, pending, { rev, data })
    else if (data === null) draft.put(rowsOf(model), id, undefined)
    else draft.put(rowsOf(model), id, { data, rev, round } satisfies LocalRow)
  }
  draft.put(meta, cursorKey(model), { after, round, isListing: known.isListing && more } satisfies Cursor)
  if (known.isListing && !more && round > 1) await dropUntold(draft, model, round, outbox)
  return true
}

/** A row with a write waiting stays as it is: the push, or who decides about the conflict, settles it. */
async function note (draft: Draft, model: string, id: Id, pending: Pending, remote: Remote): Promise<void> {
  // What was heard last, and not what the write was made upon: a row that was made here and there, and is gone there
  // again, has no revision, as the write's base has none.
  if (remote.rev === (pending.conflict ?? pending.newest ?? pending.base).rev) return
  const asked = pending.conflict === undefined ? {} : { conflict: remote }
  draft.put(outboxOf(model), id, { ...pending, newest: remote, ...asked } satisfies Pending)
}

/** The list from the beginning tells of rows only: those that it did not tell of are gone. */
async function dropUntold (
  draft: Draft, model: string, round: number, outbox: ReadonlyMap<Id, Pending>
): Promise<void> {
  for (const [id, row] of await draft.all<LocalRow>(rowsOf(model))) {
    if (row.round !== round && !outbox.has(id)) draft.put(rowsOf(model), id, undefined)
  }
}
