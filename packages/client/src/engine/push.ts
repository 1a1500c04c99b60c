/** What waits goes up: in lists that are sent again as they were until their response has come. */
import { deepEqual } from '@fastback/core/query'
import { ClientError, isCode } from '../errors.js'
import type { Id } from '../store.js'
import { decide, merged, resolved, type ConflictPolicy } from './conflict-policy.js'
import type { Draft, Local } from './local.js'
import { forget, rebase, refuse } from './outbox.js'
import { cursorKey, meta, outboxOf, pushKey, type Cursor, type Pending, type Remote, type Row, type SentChange, type SentPush } from './records.js'
import type { PushResult, Transport } from './transport.js'

/** A model as the engine knows it. */
export interface SyncedModel {
  readonly name: string
  /** Below `baseUrl`: `/Notes`. */
  readonly path: string
  readonly filter: object | undefined
  readonly conflict: ConflictPolicy<any>
}

export interface Wire {
  readonly local: Local
  readonly transport: Transport
  readonly version: number | undefined
  /** Changes of one push, rows of one pull. */
  readonly batch: { readonly push: number, readonly pull: number }
}

/** Pushes of one model in one go. Rows that others write all the time wait for the next. */
const mostPushes = 1_000
/** Times that a row is pushed again in one go, upon what the server has by then. */
const mostAttempts = 5

/** Sends what waits of a model. @throws ClientError */
export async function pushAll (wire: Wire, model: SyncedModel, signal: AbortSignal): Promise<void> {
  const attempts = new Map<Id, number>()
  let size = wire.batch.push
  let failure: unknown
  for (let pushes = 0; pushes < mostPushes; pushes++) {
    const isDue = (id: Id): boolean => (attempts.get(id) ?? 0) < mostAttempts
    const sent = await wire.local.change(async draft => await gathered(draft, model.name, size, isDue))
    if (sent === undefined) break
    let results: readonly PushResult[]
    try {
      results = await wire.transport.push(model.path, sent.key, sent.changes, wire.version, signal)
    } catch (error) {
      if (!isCode(error, 'REQUEST_FAILED') || !isFinal(error)) throw error
      const isTooLarge = error.statusCode === 413
      if (isTooLarge && sent.changes.length > 1) size = Math.ceil(sent.changes.length / 2)
      else if (isTooLarge || error.statusCode === 403) await refuseAll(wire.local, model.name, sent, error)
      else if (!isReused(error)) failure = error
      // Nothing of it was written, or nobody knows by now: the rows are sent anew, and judged by their bases.
      await wire.local.change(async draft => { draft.put(meta, pushKey(model.name), undefined) })
      if (failure === error) break
      continue
    }
    await wire.local.change(async draft => {
      failure = await settle(draft, model, sent, results) ?? failure
    })
    for (const { id } of sent.changes) attempts.set(id, (attempts.get(id) ?? 0) + 1)
    for (const result of results) if (isPassing(result)) attempts.set(result.id, mostAttempts)
  }
  if (failure !== undefined) throw failure
}

const isReused = ({ details }: ClientError): boolean => (details as { code?: unknown } | undefined)?.code === 'IDEMPOTENCY_KEY_REUSED'

/** Whether the same request would be answered the same: what the server has done so far is not in doubt. */
function isFinal ({ statusCode = 500 }: ClientError): boolean {
  return statusCode < 500 && ![408, 425, 429].includes(statusCode)
}

/** The push whose answer is outstanding, or a new one; undefined: nothing waits. */
async function gathered (
  draft: Draft, model: string, size: number, isDue: (id: Id) => boolean
): Promise<SentPush | undefined> {
  const outstanding = await draft.get<SentPush>(meta, pushKey(model))
  if (outstanding !== undefined) {
    const again = { ...outstanding, isAgain: true }
    draft.put(meta, pushKey(model), again)
    return again
  }
  const waiting = [...await draft.all<Pending>(outboxOf(model))]
    .filter(([id, { conflict }]) => conflict === undefined && isDue(id))
    .sort(([, one], [, other]) => one.order - other.order)
    .slice(0, size)
  if (waiting.length === 0) return undefined
  const changes = waiting.map(([id, { base, data }]): SentChange =>
    ({ id, base: base.rev, ...(data === null ? { deleted: true as const } : { data }) }))
  const sent: SentPush = { key: crypto.randomUUID(), changes, writes: waiting.map(([, { write }]) => write) }
  draft.put(meta, pushKey(model), sent)
  return sent
}

/** Nobody of this user may write there, or a single row is more than the server takes. */
async function refuseAll (
  local: Local, model: string, { changes, writes }: SentPush, error: ClientError
): Promise<void> {
  const told = { statusCode: error.statusCode, message: error.message }
  await local.change(async draft => {
    for (const [index, { id }] of changes.entries()) await refuse(draft, model, id, writes[index] ?? 0, told)
  })
}

/** An error that is not about the row, and may be over next time. */
const isPassing = ({ error }: PushResult): boolean =>
  error !== undefined && ((error.statusCode ?? 500) >= 500 || error.code === 'CONFLICT')

/** @returns what to try again for */
async function settle (
  draft: Draft, model: SyncedModel, sent: SentPush, results: readonly PushResult[]
): Promise<ClientError | undefined> {
  const { name } = model
  // Another tab has settled it meanwhile.
  if ((await draft.get<SentPush>(meta, pushKey(name)))?.key !== sent.key) return undefined
  const round = await roundOf(draft, name)
  let failure: ClientError | undefined
  for (const [index, { id, data = null }] of sent.changes.entries()) {
    const result = results[index]
    const write = sent.writes[index] ?? 0
    if (result === undefined) continue
    if (result.ok === true) {
      const rev = result.rev ?? null
      const now = { rev, data: rev === null ? null : result.data ?? data }
      const pending = await draft.get<Pending>(outboxOf(name), id)
      if (pending === undefined || pending.write === write) await forget(draft, name, id, now, round)
      else await goOn(draft, model, id, pending, data, now, sent.isAgain === true)
    } else if (result.conflict !== undefined) {
      await collide(draft, model, id, { rev: result.conflict.rev, data: result.conflict.data ?? null })
    } else if (isPassing(result)) {
      failure = new ClientError('REQUEST_FAILED', result.error?.message ?? 'The server could not write a row.', {
        statusCode: result.error?.statusCode ?? 500, details: result.error
      })
    } else if (result.error !== undefined) await refuse(draft, name, id, write, result.error)
  }
  draft.put(meta, pushKey(name), undefined)
  return failure
}

/**
 * What was written while a push was on its way is made upon what became of the push. The first response to it has the
 * row as that push made it; one that comes later may have what others wrote since, too.
 * @param data what was pushed; null: the row was to go
 */
async function goOn (
  draft: Draft, model: SyncedModel, id: Id, pending: Pending, data: Row | null, now: Remote, isAgain: boolean
): Promise<void> {
  const { data: local } = pending
  const isOurs = !isAgain || deepEqual(now.data, data)
  const isFine = now.data === null ? data === null : local === null && isOurs
  if (isFine) await rebase(draft, model.name, id, pending, now, local)
  else {
    const both = merged({ local, remote: now.data, base: data }, isOurs)
    if (both !== undefined) await rebase(draft, model.name, id, pending, now, both)
    else await collide(draft, model, id, now, data)
  }
}

/** Somebody else wrote the row: what the model's policy says, else it waits for who decides. */
async function collide (
  draft: Draft, { name, conflict }: SyncedModel, id: Id, remote: Remote, base?: Row | null
): Promise<void> {
  const pending = await draft.get<Pending>(outboxOf(name), id)
  if (pending === undefined) return
  const before = base === undefined ? pending.base.data : base
  const sides = { model: name, id, local: pending.data, remote: remote.data, base: before }
  const decision = decide(conflict, sides)
  if (decision === undefined) draft.put(outboxOf(name), id, { ...pending, conflict: remote } satisfies Pending)
  else await apply(draft, name, id, pending, remote, decision)
}

/** Carries out a decision: the server's row is taken, or what is to be is pushed upon it. */
export async function apply (
  draft: Draft, model: string, id: Id, pending: Pending, remote: Remote, decision: Parameters<typeof resolved>[0]
): Promise<void> {
  const { data, isRemote } = resolved(decision, pending.data, remote)
  if (isRemote) await forget(draft, model, id, remote, await roundOf(draft, model))
  else await rebase(draft, model, id, pending, remote, data)
}

const roundOf = async (draft: Draft, model: string): Promise<number> =>
  (await draft.get<Cursor>(meta, cursorKey(model)))?.round ?? 0
