/** What a target says of the changes of a source (SY-51). */
import { isRemote, type ModelClass, type OperationOptions } from '@fastback/core'
import { checkedChanges } from './change-lists.js'
import { bothDeleted, sameRevision, type ChangeRow } from './change.js'
import { ChangeLog } from './change-log.js'
import { changeFor, changeId } from './revision.js'
import { readableDeletes, readableRows, readsOf } from './row-access.js'

const batch = 500

/** What is to be carried over, and what both sides changed. */
export interface Difference {
  deltas: ChangeRow[]
  conflicts: ChangeRow[]
}

/** @throws RequestError 400 INVALID_CHANGES, 413 TOO_MANY_CHANGES */
export async function diff (
  Model: ModelClass, since: unknown, given: unknown, options: OperationOptions = {}
): Promise<Difference> {
  const list = checkedChanges(given)
  const from = typeof since === 'number' ? since : 0
  const result: Difference = { deltas: [], conflicts: [] }
  const known = await localChanges(ChangeLog.of(Model), list, options)
  for (const change of list) judge(Model.modelName, change, known.get(change.modelId), from, result)
  return result
}

function judge (
  modelName: string, change: ChangeRow, local: ChangeRow | undefined, since: number, { deltas, conflicts }: Difference
): void {
  const delta = { ...change, id: changeId(change.modelName ?? modelName, change.modelId) }
  if (local === undefined || (local.checkpoint ?? 0) < since) {
    deltas.push({ ...delta, prev: local?.rev ?? null })
    return
  }
  if (sameRevision(change, local)) return
  if (bothDeleted(change, local) || (change.prev ?? null) === (local.rev ?? null)) deltas.push(delta)
  else conflicts.push(local)
}

/** The changes here of the same rows, as far as the caller may know of them. */
async function localChanges (
  log: ChangeLog, list: readonly ChangeRow[], options: OperationOptions
): Promise<ReadonlyMap<string, ChangeRow>> {
  const ids = [...new Set(list.map(({ modelId }) => modelId))]
  const known = new Map<string, ChangeRow>()
  for (let from = 0; from < ids.length; from += batch) {
    const changes = await log.find({ where: log.among(ids.slice(from, from + batch)) })
    for (const change of await readable(log, changes, options)) known.set(change.modelId, change)
  }
  return known
}

async function readable (
  log: ChangeLog, changes: readonly ChangeRow[], options: OperationOptions
): Promise<readonly ChangeRow[]> {
  if (!isRemote(options)) return changes
  const stored = changes.filter(({ rev }) => rev !== null)
  const rows = await readableRows(log.Model, stored.map(({ modelId }) => modelId), undefined, options)
  const gone = await readableDeletes(log, changes.filter(({ rev }) => rev === null), options)
  const reads = await readsOf(log.Model, options)
  return [...stored.filter(({ modelId }) => rows.has(modelId)), ...gone].map(change =>
    changeFor(log.Model, change, rows.get(change.modelId), reads))
}
