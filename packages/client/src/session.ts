/** Whose store it is, and of which version: settled before anything else is read. */
import { ClientError } from './errors.js'
import type { Draft, Local } from './engine/local.js'
import { beginAgain } from './engine/pull.js'
import {
  meta, outboxOf, pushKey, rowsOf, sessionKey, type LocalRow, type Pending, type Remote, type Row, type Session
} from './engine/records.js'

export interface Wanted {
  readonly user: string | null
  readonly version: number | null
  readonly models: readonly string[]
  readonly migrate: ((model: string, row: Row, from: number | null) => Row | undefined) | undefined
}

/**
 * Opens the store for a user and a version.
 * @throws ClientError OTHER_USER, STORE_NEWER
 */
export async function openSession (local: Local, wanted: Wanted): Promise<Session> {
  let found = await local.get<Session>(meta, sessionKey)
  if (found !== undefined && found.user !== wanted.user) {
    await mustBeSent(local, wanted, found)
    await local.wipe()
    found = undefined
  }
  if ((found?.version ?? -Infinity) > (wanted.version ?? -Infinity)) {
    throw new ClientError('STORE_NEWER', `The store is of version ${String(found?.version)}, this application of ${String(wanted.version)}: load it again.`)
  }
  return await local.change(async draft => {
    const known = await draft.get<Session>(meta, sessionKey)
    const session = { id: known?.id ?? crypto.randomUUID(), user: wanted.user, version: wanted.version }
    if (known !== undefined && known.version === wanted.version) return known
    if (known !== undefined) await migrated(draft, wanted, known.version)
    draft.put(meta, sessionKey, session)
    return session
  })
}

/** Rows belong to the user that pulled them; what that user wrote is not thrown away unasked. */
async function mustBeSent (local: Local, { models }: Wanted, { user }: Session): Promise<void> {
  let pending = 0
  for (const model of models) pending += (await local.all(outboxOf(model))).size
  if (pending > 0) {
    throw new ClientError('OTHER_USER', `${pending} writes of the user ${String(user)} wait in this store: sync them as that user, or sign out.`, { details: { user, pending } })
  }
}

async function migrated (draft: Draft, { models, migrate }: Wanted, from: number | null): Promise<void> {
  for (const model of models) {
    // Another version's list is another list: its rows are pushed anew, and judged by their bases.
    draft.put(meta, pushKey(model), undefined)
    // A later round: what was not brought along comes from the server again.
    let isComplete = migrate !== undefined
    const outbox = await draft.all<Pending>(outboxOf(model))
    for (const [id, kept] of await draft.all<LocalRow>(rowsOf(model))) {
      const data = migrate?.(model, kept.data, from)
      if (data !== undefined) draft.put(rowsOf(model), id, { ...kept, data } satisfies LocalRow)
      else if (!outbox.has(id)) {
        isComplete = false
        draft.put(rowsOf(model), id, undefined)
      }
    }
    for (const [id, pending] of outbox) {
      const of = (data: Row | null): Row | null => data === null ? null : migrate?.(model, data, from) ?? data
      const side = (remote: Remote): Remote => ({ rev: remote.rev, data: of(remote.data) })
      draft.put(outboxOf(model), id, { ...pending, base: side(pending.base), data: of(pending.data) } satisfies Pending)
    }
    if (!isComplete) await beginAgain(draft, model)
  }
}
