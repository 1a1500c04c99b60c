/** Rows that client and server changed, and writes that the server refused: what somebody has to look at. */
import { ClientError } from './errors.js'
import type { ConflictSides, Resolution } from './engine/conflict-policy.js'
import type { Local } from './engine/local.js'
import { apply } from './engine/push.js'
import { outboxOf, refusedOf, type Pending, type Refused, type Row } from './engine/records.js'
import { copied } from './model-api.js'
import type { Id } from './store.js'

/** A row that somebody else changed meanwhile; this client's side is shown until it is resolved. */
export interface Conflict<R = Row> extends ConflictSides<R> {
  /**
   * Decides: this client's row, the server's, another one, or (null) that the row be gone. The next sync tells the
   * server.
   * @throws ClientError NO_CONFLICT where it was settled, or the server's row is another by now: list them again
   */
  resolve (resolution: Resolution<R>): Promise<void>
  /** LoopBack 3's name of `resolve('local')`. */
  resolveUsingSource (): Promise<void>
  /** LoopBack 3's name of `resolve('remote')`. */
  resolveUsingTarget (): Promise<void>
  /** LoopBack 3's name of `resolve(data)`. */
  resolveManually (data: R | null): Promise<void>
}

/** A write that the server did not take, and that was rolled back. */
export interface Refusal<R = Row> {
  readonly model: string
  readonly id: Id
  /** What was to be written; null: the row was to go. */
  readonly data: R | null
  /** What the server says: `statusCode`, `code`, `message`, `details`. */
  readonly error: unknown
  readonly at: Date
}

const shown = (row: Row | null): Row | null => row === null ? null : copied(row)

export async function conflictsOf (
  local: Local, models: readonly string[], onWrite: () => Promise<void>
): Promise<Conflict[]> {
  const found: Conflict[] = []
  for (const model of models) {
    for (const [id, { data, base, conflict }] of await local.all<Pending>(outboxOf(model))) {
      if (conflict === undefined) continue
      const resolve = async (resolution: Resolution): Promise<void> => {
        await local.change(async draft => {
          const pending = await draft.get<Pending>(outboxOf(model), id)
          if (pending?.conflict?.rev !== conflict.rev) {
            throw new ClientError('NO_CONFLICT', `The conflict of the row "${id}" of "${model}" is settled, or another by now.`)
          }
          const decision = typeof resolution === 'object' && resolution !== null ? JSON.parse(JSON.stringify(resolution)) as Row : resolution
          await apply(draft, model, id, pending, conflict, decision)
        })
        await onWrite()
      }
      found.push({
        model,
        id,
        local: shown(data),
        remote: shown(conflict.data),
        base: shown(base.data),
        resolve,
        resolveUsingSource: async () => { await resolve('local') },
        resolveUsingTarget: async () => { await resolve('remote') },
        resolveManually: async row => { await resolve(row) }
      })
    }
  }
  return found
}

export async function refusalsOf (local: Local, models: readonly string[]): Promise<Refusal[]> {
  const found: Refusal[] = []
  for (const model of models) {
    for (const [id, { data, error, at }] of await local.all<Refused>(refusedOf(model))) {
      found.push({ model, id, data: shown(data), error, at: new Date(at) })
    }
  }
  return found
}

/** Forgets them: they have been shown. */
export async function clearRefusals (local: Local, models: readonly string[]): Promise<void> {
  await local.change(async draft => {
    for (const model of models) {
      for (const id of (await draft.all(refusedOf(model))).keys()) draft.put(refusedOf(model), id, undefined)
    }
  })
}
