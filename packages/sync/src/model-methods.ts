/** The functions that models get (api-surface.md, section 19); those of tracked models answer, others say why not. */
import type { ModelClass, OperationOptions, Row } from '@fastback/core'
import { isRemote } from '@fastback/core'
import { findRowById, instantiate, lineageOf } from '@fastback/core/remote'
import { bulkUpdate } from './bulk-update.js'
import { promiseOrCallback, splitCallback } from './callbacks.js'
import type { ChangeRow } from './change.js'
import { changeModelOf } from './change-model.js'
import { ChangeLog } from './change-log.js'
import { changesSince, type ChangesFilter } from './changes.js'
import { Conflict } from './conflict.js'
import { createUpdates } from './create-updates.js'
import { diff } from './diff.js'
import { noChange, refusedRow } from './errors.js'
import { replicate, type ReplicateOptions } from './replicate.js'
import { changeFor } from './revision.js'
import { allows, readableDeletes, readableRows, readsOf } from './row-access.js'
import { isReplicated, track } from './track.js'
import { rebuild, rectifyAll } from './upkeep.js'

type Values = readonly any[]

const both = (method: (Model: ModelClass, values: Values) => unknown) =>
  function (this: ModelClass, ...args: unknown[]): unknown {
    const { values, callback } = splitCallback(args)
    return promiseOrCallback(async () => await method(this, values), callback, false, this.registry)
  }

const optionsOf = (given: unknown): OperationOptions => (given ?? {}) as OperationOptions

/** The last change of a row that the caller may know of. */
async function lastChange (Model: ModelClass, id: unknown, options: OperationOptions): Promise<ChangeRow | null> {
  const change = await ChangeLog.of(Model).last(id)
  return change === undefined ? null : await shownChange(Model, change, options)
}

/** A change as the caller may know it (security.md, S-142); null where they may not. */
async function shownChange (
  Model: ModelClass, change: ChangeRow, options: OperationOptions
): Promise<ChangeRow | null> {
  if (!isRemote(options)) return change
  const reads = await readsOf(Model, options)
  if (change.rev === null) {
    const [gone] = await readableDeletes(ChangeLog.of(Model), [change], options)
    return gone === undefined ? null : changeFor(Model, gone, undefined, reads)
  }
  const row = (await readableRows(Model, [change.modelId], undefined, options)).get(change.modelId)
  return row === undefined ? null : changeFor(Model, change, row, reads)
}

async function updateLastChange (
  Model: ModelClass, id: unknown, data: unknown, options: OperationOptions
): Promise<ChangeRow> {
  const change = await lastChange(Model, id, options)
  if (change === null) throw noChange(Model.modelName, id)
  const row = await findRowById(Model.compiled, id, undefined, { notify: false })
  const may = row === undefined || await allows(Model, 'patchAttributes', row, options)
  if (!may) throw refusedRow(options.accessToken != null)
  const prev = (data as { prev?: unknown } | null | undefined)?.prev
  if (prev !== null && typeof prev !== 'string') return change
  const written = await ChangeLog.of(Model).setPrevious(id, prev)
  return written === undefined ? change : await shownChange(Model, written, options) ?? change
}

const statics = {
  changes: both(async (Model, [since, filter, given]) => {
    const options = optionsOf(given)
    const from = typeof since === 'number' ? since : -1
    const found = await changesSince(Model, from, filter as ChangesFilter | undefined, options)
    if (isRemote(options)) return found
    const { compiled } = ChangeLog.of(Model).Change
    return found.map(change => instantiate(compiled, change as Row))
  }),
  diff: both((Model, [since, list, options]) => diff(Model, since, list, optionsOf(options))),
  createUpdates: both((Model, [deltas, options]) => createUpdates(Model, deltas, optionsOf(options))),
  bulkUpdate: both((Model, [updates, options]) => bulkUpdate(Model, updates, optionsOf(options))),
  checkpoint: both(Model => ChangeLog.of(Model).checkpoints.raise()),
  currentCheckpoint: both(Model => ChangeLog.of(Model).checkpoints.current()),
  findLastChange: both((Model, [id, options]) => lastChange(Model, id, optionsOf(options))),
  updateLastChange: both((Model, [id, data, options]) => updateLastChange(Model, id, data, optionsOf(options))),
  rectifyChange: both((Model, [id]) => ChangeLog.of(Model).rectify(id)),
  rectifyAllChanges: both(Model => rectifyAll(ChangeLog.of(Model))),
  rebuildChanges: both(Model => rebuild(ChangeLog.of(Model))),
  getSourceId: both(Model => `${Model.dataSource?.connector.name ?? ''}-${Model.modelName}`),
  replicate (this: ModelClass, ...args: unknown[]): unknown {
    // A model is a function as well, and may come last.
    const isModel = (value: unknown): value is ModelClass => typeof value === 'function' && 'modelName' in value
    const { values, callback } = isModel(args.findLast(each => each !== undefined))
      ? { values: args, callback: undefined }
      : splitCallback(args)
    // The manual's example puts the target first: everything is compared then (SY-60).
    const [since, target, options] = isModel(values[0])
      ? [undefined, values[0], isModel(values[1]) || typeof values[1] === 'number' ? values[2] : values[1]]
      : [values[0], values[1], values[2]]
    const work = async (): Promise<unknown> =>
      await replicate(this, since as number | undefined, target as ModelClass, (options ?? {}) as ReplicateOptions)
    if (callback === undefined) return promiseOrCallback(work, undefined, false, this.registry)
    promiseOrCallback(work, (error, conflicts) => {
      if (error) callback(error)
      else callback(null, conflicts, (conflicts as { checkpoints?: unknown }).checkpoints)
    }, false, this.registry)
  },
  getChangeModel (this: ModelClass): ModelClass { return ChangeLog.of(this).Change },
  /** LoopBack's name for what makes the change model of a model that is not attached yet. */
  _defineChangeModel (this: ModelClass): ModelClass { return ChangeLog.find(this)?.Change ?? changeModelOf(this) },
  enableChangeTracking (this: ModelClass): void { track(this, true) },
  /** For applications to put their own in its place: the write itself fails (SYD-1). */
  handleChangeError (): void {},
  createChangeFilter (this: ModelClass, since: number): { where: object } {
    return { where: { checkpoint: { gte: since }, modelName: this.modelName } }
  }
}

/** Gives the functions to all models with rows, the first time that one of the registry is tracked. */
export function addMethods (Model: ModelClass): void {
  const root = lineageOf(Model).find(({ modelName }) => modelName === 'PersistedModel') ?? Model
  if (Object.hasOwn(root, 'replicate')) return
  const put = (holder: object, name: string, descriptor: PropertyDescriptor): void => {
    Object.defineProperty(holder, name, { configurable: true, enumerable: false, ...descriptor })
  }
  for (const [name, value] of Object.entries(statics)) put(root, name, { value, writable: true })
  put(root, 'Change', {
    get (this: ModelClass) {
      return ChangeLog.find(this)?.Change ?? (isReplicated(this) ? changeModelOf(this) : undefined)
    },
    set (this: ModelClass, value: unknown) { put(this, 'Change', { value, writable: true }) }
  })
  put(root, 'Conflict', { value: Conflict, writable: true })
  put(root.prototype as object, 'fillCustomChangeProperties', {
    value: (_change: unknown, callback?: (error?: unknown) => void) => { callback?.() }, writable: true
  })
}
