/** Rows that both sides of a replication changed. */
import type { ModelClass, Row } from '@fastback/core'
import { promiseOrCallback, splitCallback, type OperationCallback } from './callbacks.js'
import { sameRevision, typeOf, type ChangeRow } from './change.js'
import { ChangeLog } from './change-log.js'
import { visibleRow } from './revision.js'
import type { SyncedModel } from './synced-model.js'

type Callback = OperationCallback | undefined

/**
 * A row that both sides of a replication changed (SY-70). Each function takes a callback, or gives a promise.
 *
 * ```js
 * for (const conflict of await Note.replicate(since, Copy)) await conflict.resolveUsingTarget()
 * ```
 * @throws FBK_SYNC_NOT_TRACKED
 */
export class Conflict {
  readonly SourceChange: ModelClass
  readonly TargetChange: ModelClass

  constructor (readonly modelId: unknown, readonly SourceModel: ModelClass, readonly TargetModel: ModelClass) {
    this.SourceChange = ChangeLog.of(SourceModel).Change
    this.TargetChange = ChangeLog.of(TargetModel).Change
  }

  /** The row of the source and that of the target; null for one that is gone. */
  models (callback?: Callback): Promise<[Row | null, Row | null]> | undefined {
    return this.#do(async () => [await this.#row(this.SourceModel), await this.#row(this.TargetModel)], callback, true)
  }

  /** The last changes of both sides. */
  changes (callback?: Callback): Promise<[unknown, unknown]> | undefined {
    return this.#do(async () => [
      await this.#change(this.SourceModel, this.SourceChange), await this.#change(this.TargetModel, this.TargetChange)
    ], callback, true)
  }

  /** `update` when both are updates, `delete` when one is a delete, else `unknown`. */
  type (callback?: Callback): Promise<string> | undefined {
    return this.#do(async () => {
      const types = [await this.#last(this.SourceModel), await this.#last(this.TargetModel)]
        .map(change => change === null ? 'unknown' : typeOf(change))
      if (types.includes('delete')) return 'delete'
      return types.every(each => each === 'update') ? 'update' : 'unknown'
    }, callback)
  }

  /** Bases the change of the source on that of the target: the next replication carries the source's row (SY-71). */
  resolve (callback?: Callback): Promise<void> | undefined {
    return this.#do(async () => { await this.#resolve() }, callback)
  }

  /** The same. */
  resolveUsingSource (callback?: Callback): Promise<void> | undefined {
    return this.resolve(callback)
  }

  /** Writes the target's row into the source, or deletes it there (SY-72). */
  resolveUsingTarget (callback?: Callback): Promise<void> | undefined {
    return this.#do(async () => {
      const target = await this.#row(this.TargetModel)
      if (target === null) await this.#source.deleteById(this.modelId)
      else await this.#source.patchOrCreate(visibleRow(this.TargetModel, target))
    }, callback)
  }

  /** Sets `data` on the source's row and resolves; null deletes it there, without resolving (SY-73). */
  resolveManually (data: Row | null, callback?: Callback): Promise<void> | undefined {
    return this.#do(async () => {
      if (data === null || data === undefined) {
        await this.#source.deleteById(this.modelId)
        return
      }
      const stored = await this.#row(this.SourceModel)
      const base = stored === null ? await this.#targetRow() : visibleRow(this.SourceModel, stored)
      await this.#source.patchOrCreate({ ...base, ...data, [this.#idName]: this.modelId })
      await this.#resolve()
    }, callback)
  }

  /** The same conflict seen from the other side. */
  swapParties (): Conflict {
    return new Conflict(this.modelId, this.TargetModel, this.SourceModel)
  }

  get #source (): SyncedModel {
    return this.SourceModel as unknown as SyncedModel
  }

  get #idName (): string {
    return this.SourceModel.getIdName() ?? 'id'
  }

  async #targetRow (): Promise<Row> {
    const target = await this.#row(this.TargetModel)
    return target === null ? {} : visibleRow(this.TargetModel, target)
  }

  async #row (Model: ModelClass): Promise<Row | null> {
    return await (Model as unknown as SyncedModel).findById(this.modelId)
  }

  async #last (Model: ModelClass): Promise<ChangeRow | null> {
    return await (Model as unknown as SyncedModel).findLastChange(this.modelId) ?? null
  }

  async #change (Model: ModelClass, Change: ModelClass): Promise<unknown> {
    const change = await this.#last(Model)
    return change === null ? null : new Change({ ...change } as Row, { persisted: true })
  }

  async #resolve (): Promise<void> {
    const source = await this.#last(this.SourceModel)
    const target = await this.#last(this.TargetModel)
    if (source === null || (target !== null && sameRevision(source, target))) return
    await this.#source.updateLastChange(this.modelId, { prev: target?.rev ?? null })
  }

  #do<T> (work: () => Promise<T>, callback: Callback, spread = false): Promise<T> | undefined {
    return promiseOrCallback(work, splitCallback([callback]).callback as never, spread, this.SourceModel.registry)
  }
}
