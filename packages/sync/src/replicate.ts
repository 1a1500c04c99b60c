/** One-way replication between two models, here or in another application (SY-60 to SY-63). */
import type { ModelClass } from '@fastback/core'
import type { ChangeRow } from './change.js'
import type { Update } from './create-updates.js'
import { Conflict } from './conflict.js'
import type { SyncedModel } from './synced-model.js'

/** Checkpoints of both sides. */
export interface Since {
  source: number
  target: number
}

/** Conflicts of a replication, with the checkpoints for the next one. */
export type Replicated = Conflict[] & { checkpoints: Since }

/** `filter`: which rows of the source; the rest is handed to the target. */
export interface ReplicateOptions {
  readonly filter?: object
  readonly [option: string]: unknown
}

interface Emitting { emit (event: string, ...values: unknown[]): void }

/** Rounds of one replication: what was written while a round ran is carried by the next. */
const mostRounds = 3
/** Changes in one call, where the source says nothing: well below what a server takes. */
const defaultChunk = 1_000

/** @param since the checkpoints to start from; a number stands for both. -1: from the beginning */
export async function replicate (
  source: ModelClass, since: number | Partial<Since> | undefined, target: ModelClass, options: ReplicateOptions = {}
): Promise<Replicated> {
  let from: Since = typeof since === 'object'
    ? { source: since.source ?? -1, target: since.target ?? -1 }
    : { source: since ?? -1, target: since ?? -1 }
  let conflicts: Conflict[] = []
  for (let round = 0; round < mostRounds; round++) {
    const done = await new Round(source, target, options).run(from)
    from = done.checkpoints
    conflicts = done.conflicts.map(({ modelId }) => new Conflict(modelId, source, target))
    if (conflicts.length > 0 || !done.isCarried) break
  }
  if (conflicts.length > 0) (source as unknown as Emitting).emit('conflicts', conflicts)
  return Object.assign(conflicts, { checkpoints: from })
}

class Round {
  readonly #source: SyncedModel
  readonly #target: SyncedModel
  readonly #chunk: number

  constructor (source: ModelClass, target: ModelClass, readonly options: ReplicateOptions) {
    this.#source = source as unknown as SyncedModel
    this.#target = target as unknown as SyncedModel
    const { replicationChunkSize: size } = source.settings
    this.#chunk = typeof size === 'number' && size > 0 ? size : defaultChunk
  }

  async run (since: Since): Promise<{ checkpoints: Since, conflicts: ChangeRow[], isCarried: boolean }> {
    const { seq: sourceSeq } = await this.#source.checkpoint()
    const { seq: targetSeq } = await this.#target.checkpoint()
    const changes = await this.#source.changes(since.source, this.options.filter ?? {})
    const conflicts = new Map<string, ChangeRow>()
    const report = (list: readonly ChangeRow[]): void => {
      for (const each of list) conflicts.set(String(each.modelId), each)
    }
    const deltas: ChangeRow[] = []
    for (const part of this.#parts(changes)) {
      const found = await this.#target.diff(since.target, part)
      deltas.push(...found.deltas)
      report(found.conflicts)
    }
    // A client also asks about nothing: old servers are told what they were always told (SY-85).
    if (changes.length === 0) await this.#target.diff(since.target, [])
    for (const part of this.#parts(deltas)) report(await this.#carry(part))
    return {
      checkpoints: { source: sourceSeq, target: targetSeq },
      conflicts: [...conflicts.values()],
      isCarried: deltas.length > 0
    }
  }

  /** Gives the conflicts. @throws what the target says but 409 with conflicts */
  async #carry (deltas: readonly ChangeRow[]): Promise<readonly ChangeRow[]> {
    // Deletes need nothing of the source.
    const updates: Update[] = await this.#source.createUpdates(deltas)
    if (updates.length === 0) return []
    const { filter, ...options } = this.options
    try {
      await this.#target.bulkUpdate(updates, options)
      return []
    } catch (error) {
      const { statusCode, details } = error as { statusCode?: number, details?: { conflicts?: ChangeRow[] } }
      if (statusCode !== 409 || !Array.isArray(details?.conflicts)) throw error
      return details.conflicts
    }
  }

  #parts (list: readonly ChangeRow[]): ChangeRow[][] {
    return Array.from({ length: Math.ceil(list.length / this.#chunk) }, (_, i) =>
      list.slice(i * this.#chunk, (i + 1) * this.#chunk))
  }
}
