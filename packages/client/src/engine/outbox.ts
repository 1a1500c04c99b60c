/** The writes that wait: how they come in, and what becomes of them (SYD-31, SYD-33). */
import type { Id } from '../store.js'
import type { Draft } from './local.js'
import {
  counterKey, meta, outboxOf, pushKey, refusedOf, rowsOf,
  type LocalRow, type Pending, type Remote, type Row, type SentPush
} from './records.js'

const isSent = async (draft: Draft, model: string, id: Id): Promise<boolean> =>
  (await draft.get<SentPush>(meta, pushKey(model)))?.changes.some(change => change.id === id) === true

/**
 * Makes a write: the row is at once what it is to become, and one waiting write stands for all of the row.
 * @param data null: the row goes
 */
export async function stage (draft: Draft, model: string, id: Id, data: Row | null): Promise<void> {
  const pending = await draft.get<Pending>(outboxOf(model), id)
  const row = await draft.get<LocalRow>(rowsOf(model), id)
  const base = pending?.base ?? { rev: row?.rev ?? null, data: row?.data ?? null }
  // Made and removed again: the server need not know, unless it may know already. A row that others have made there
  // meanwhile is no longer covered.
  if (data === null && base.rev === null && pending?.conflict === undefined && !await isSent(draft, model, id)) {
    await forget(draft, model, id, pending?.newest ?? base)
    return
  }
  await show(draft, model, id, { rev: base.rev, data })
  const write = (await draft.get<number>(meta, counterKey) ?? 0) + 1
  draft.put(meta, counterKey, write)
  draft.put(outboxOf(model), id, { ...pending, base, data, write, order: pending?.order ?? write } satisfies Pending)
}

/** What the user sees of a row from now on. */
export async function show (draft: Draft, model: string, id: Id, { rev, data }: Remote, round?: number): Promise<void> {
  if (data === null) {
    draft.put(rowsOf(model), id, undefined)
    return
  }
  const known = round ?? (await draft.get<LocalRow>(rowsOf(model), id))?.round ?? 0
  draft.put(rowsOf(model), id, { data, rev, round: known } satisfies LocalRow)
}

/** Nothing waits for the row, which is what the server has. */
export async function forget (draft: Draft, model: string, id: Id, now: Remote, round?: number): Promise<void> {
  draft.put(outboxOf(model), id, undefined)
  await show(draft, model, id, now, round)
}

/** The server does not take the write: the row is again as it was, or as a pull has told since. */
export async function refuse (draft: Draft, model: string, id: Id, sent: number, error: unknown): Promise<void> {
  const pending = await draft.get<Pending>(outboxOf(model), id)
  // What was written since is judged by itself.
  if (pending === undefined || pending.write !== sent) return
  draft.put(refusedOf(model), id, { data: pending.data, error, at: Date.now() })
  await forget(draft, model, id, pending.newest ?? pending.base)
}

/** The write is made anew upon what the server has, with the data that were decided upon. */
export async function rebase (
  draft: Draft, model: string, id: Id, pending: Pending, remote: Remote, data: Row | null
): Promise<void> {
  const { newest, conflict, ...rest } = pending
  if (data === null && remote.rev === null) {
    await forget(draft, model, id, remote)
    return
  }
  draft.put(outboxOf(model), id, { ...rest, base: remote, data } satisfies Pending)
  await show(draft, model, id, { rev: remote.rev, data })
}
