/** Instructions for a target, made of differences (SY-52). */
import { isRemote, type MaybePromise, type ModelClass, type OperationOptions, type Row } from '@fastback/core'
import { chain, charactersOf } from '@fastback/core/connector'
import { CALLER, WORK, Work } from '@fastback/core/remote'
import { checkedChanges } from './change-lists.js'
import { typeOf, type ChangeRow } from './change.js'
import { changeId, readableOf, visibleRow } from './revision.js'
import { readableRows, readsOf } from './row-access.js'

/** One instruction for a target. */
export interface Update {
  type: string
  change: ChangeRow
  data?: Row
}

/**
 * @throws RequestError 400 INVALID_CHANGES; QUERY_TOO_EXPENSIVE for rows that have more characters than a response may
 * have, each counted as often as it is named; 413 TOO_MANY_CHANGES
 */
export function createUpdates (
  Model: ModelClass, given: unknown, asked: OperationOptions = {}
): MaybePromise<Update[]> {
  const work = isRemote(asked) ? new Work(Model.registry.queryLimits, asked[CALLER]) : undefined
  const options = work === undefined ? asked : { ...asked, [WORK]: work }
  const deltas = checkedChanges(given).map(change => {
    const id = changeId(change.modelName ?? Model.modelName, change.modelId)
    return { type: typeOf(change), change: { ...change, id } }
  })
  const stored = deltas.filter(({ type }) => type === 'create' || type === 'update')
  const ids = [...new Set(stored.map(({ change }) => change.modelId))]
  return chain(readableRows(Model, ids, undefined, options), rows => chain(readsOf(Model, options), reads =>
    deltas.flatMap(({ type, change }): Update[] => {
      if (type === 'delete') return [{ type, change }]
      const row = rows.get(change.modelId)
      // It is gone by now: the next round brings the delete.
      if (type === 'unknown' || row === undefined) return []
      const data = readableOf(Model, visibleRow(Model, row), reads)
      work?.write(charactersOf(data))
      return [{ type, change, data }]
    })))
}
