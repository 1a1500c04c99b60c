/** The list of changes since a checkpoint (SY-50), for one caller. */
import type { ModelClass, OperationOptions } from '@fastback/core'
import { typeOf, type ChangeRow } from './change.js'
import { ChangeLog } from './change-log.js'
import { changeFor } from './revision.js'
import { onOneBudget, readableDeletes, readableRows, readsOf } from './row-access.js'

/** What `changes` takes: a condition on rows, and a part of the list. */
export interface ChangesFilter {
  readonly where?: object
  readonly limit?: unknown
  readonly skip?: unknown
  readonly offset?: unknown
}

type CreateFilter = (since: number, filter: ChangesFilter | undefined) => { where?: object }

/**
 * Changes with this checkpoint or a later one: of rows that fit `filter.where` and that the caller may read, and of
 * deletes. Below the horizon, of which deletes are forgotten, the list is that from the beginning (SYD-9).
 */
export async function changesSince (
  Model: ModelClass, since: number, filter: ChangesFilter | undefined, given: OperationOptions
): Promise<ChangeRow[]> {
  const options = onOneBudget(Model, given)
  const log = ChangeLog.of(Model)
  const listOf = async (since: number): Promise<ChangeRow[]> =>
    await log.findAll((Model.createChangeFilter as CreateFilter).call(Model, since, filter))
  const list = await listOf(since)
  // After the reading: what is forgotten meanwhile may be missing from the list.
  const horizon = await log.tombstones.horizon(Model.modelName, log.options)
  const whole = since >= 0 && since < horizon ? await listOf(-1) : list
  return partOf(await visible(log, whole, filter, options), filter)
}

async function visible (
  log: ChangeLog, changes: readonly ChangeRow[], filter: ChangesFilter | undefined, options: OperationOptions
): Promise<ChangeRow[]> {
  const deletes = changes.filter(change => typeOf(change) === 'delete')
  const stored = changes.filter(change => change.rev !== null && change.rev !== undefined)
  const rows = await readableRows(log.Model, stored.map(({ modelId }) => modelId), filter?.where, options)
  const gone = await readableDeletes(log, deletes, options)
  const there = stored.filter(({ modelId }) => rows.has(modelId))
  const shown = new Set([...gone, ...there].map(({ id }) => id))
  const reads = await readsOf(log.Model, options)
  return changes.filter(({ id }) => shown.has(id)).map(change =>
    changeFor(log.Model, change, rows.get(change.modelId), reads))
}

/** Pages go over the list itself, deletes and all: none is lost, and none comes twice (SY-67). */
function partOf (list: ChangeRow[], filter: ChangesFilter | undefined): ChangeRow[] {
  const skip = Number(filter?.skip ?? filter?.offset ?? 0)
  const limit = Number(filter?.limit ?? 0)
  if (!(skip > 0) && !(limit > 0)) return list
  const from = skip > 0 ? skip : 0
  return list.slice(from, limit > 0 ? from + limit : undefined)
}
