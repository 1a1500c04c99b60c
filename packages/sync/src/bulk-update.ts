/** Instructions of a source carried out at the target, each on its own (SY-53). */
import type { ModelClass, OperationOptions, Row } from '@fastback/core'
import { byClock } from '@fastback/core/connector'
import { createInstance, deleteById, findRowById, patchById } from '@fastback/core/remote'
import { checkedChange, mostPerCall } from './change-lists.js'
import type { ChangeRow } from './change.js'
import { ChangeLog } from './change-log.js'
import type { Update } from './create-updates.js'
import { writableByClient } from './writable-by-client.js'
import { conflicting, malformed, refusedRow, tooMany } from './errors.js'
import { expecting, RevisionMismatch } from './expected-revision.js'
import { mustBeShared } from './push-row.js'
import { revisionOf, stampFor } from './revision.js'
import { allows, readableRows, readsOf } from './row-access.js'

/**
 * Does what can be done; then tells of the rest.
 * @throws RequestError 409 with `details.conflicts`; the error of the first row that the model or the rules refuse
 */
export async function bulkUpdate (Model: ModelClass, given: unknown, options: OperationOptions = {}): Promise<void> {
  const updates = checkedUpdates(given)
  const conflicts: ChangeRow[] = []
  const errors: unknown[] = []
  const pauses = byClock()
  for (const update of updates) {
    // A store in this process answers at once: others come in between all the same (security.md, S-101).
    if (pauses.isDue) await pauses.rest()
    try {
      if (!await apply(Model, update, options)) {
        conflicts.push(update.change)
        await ChangeLog.of(Model).rectify(update.change.modelId)
      }
    } catch (error) { errors.push(error) }
  }
  if (errors.length > 0) throw errors[0] as Error
  if (conflicts.length > 0) throw conflicting(conflicts)
}

/** @throws RequestError 400 INVALID_CHANGES, 413 TOO_MANY_CHANGES */
function checkedUpdates (given: unknown): Update[] {
  if (!Array.isArray(given)) throw malformed('"updates" is not an array.')
  if (given.length > mostPerCall) throw tooMany(mostPerCall)
  return given.map(each => {
    const { type, change, data } = (each ?? {}) as Partial<Update>
    const writes = type === 'create' || type === 'update'
    if (writes && (data === null || typeof data !== 'object' || Array.isArray(data))) {
      throw malformed(`An instruction of the type "${type}" needs "data".`)
    }
    return { type: String(type), change: checkedChange(change), ...(writes ? { data: data as Row } : {}) }
  })
}

/** Whether it was done; false is a conflict. */
async function apply (
  Model: ModelClass, { type, change, data = {} }: Update, options: OperationOptions
): Promise<boolean> {
  switch (type) {
    case 'create': return await create(Model, change, data, options)
    case 'update': return await update(Model, change, data, options)
    case 'delete': return await remove(Model, change, options)
    default: return true
  }
}

const idNameOf = (Model: ModelClass): string => Model.getIdName() ?? 'id'

async function create (Model: ModelClass, change: ChangeRow, data: Row, options: OperationOptions): Promise<boolean> {
  mustBeShared(Model, 'create', options)
  const row = { [idNameOf(Model)]: change.modelId, ...data }
  if (!await allows(Model, 'create', row, options)) throw refusedRow(options.accessToken != null)
  try {
    await createInstance(Model.compiled, await writableByClient(Model, row, { kind: 'create' }, options), options)
    return true
  } catch (error) {
    const taken = await findRowById(Model.compiled, row[idNameOf(Model)], undefined, { notify: false })
    if (taken !== undefined) return false
    throw error
  }
}

async function update (Model: ModelClass, change: ChangeRow, data: Row, options: OperationOptions): Promise<boolean> {
  mustBeShared(Model, 'update', options)
  const stored = await present(Model, change, options)
  if (stored === undefined) return false
  if (!await allows(Model, 'patchAttributes', stored, options)) throw refusedRow(options.accessToken != null)
  const changes = await writableByClient(Model, data, { kind: 'update', stored }, options)
  return await asExpected(Model, stored, change, async () =>
    await patchById(Model.compiled, stored[idNameOf(Model)], changes, options) !== undefined)
}

/** A row that is not there needs no delete; nor does one that the caller may not see, which answers alike (S-04). */
async function remove (Model: ModelClass, change: ChangeRow, options: OperationOptions): Promise<boolean> {
  mustBeShared(Model, 'delete', options)
  const stored = (await readableRows(Model, [change.modelId], undefined, options)).get(change.modelId)
  if (stored === undefined) return true
  if (!await isBasedOn(Model, stored, change, options)) return false
  if (!await allows(Model, 'deleteById', stored, options)) throw refusedRow(options.accessToken != null)
  return await asExpected(Model, stored, change, async () => {
    await deleteById(Model.compiled, stored[idNameOf(Model)], options)
    return true
  })
}

/** The row with the revision that the change is based on, where the caller may see it. */
async function present (Model: ModelClass, change: ChangeRow, options: OperationOptions): Promise<Row | undefined> {
  const row = (await readableRows(Model, [change.modelId], undefined, options)).get(change.modelId)
  return row === undefined || !await isBasedOn(Model, row, change, options) ? undefined : row
}

/**
 * By the revision that the row has for the caller: that of all of it would tell who tries values what they may not
 * read.
 */
const isBasedOn = async (
  Model: ModelClass, row: Row, { prev }: ChangeRow, options: OperationOptions
): Promise<boolean> => {
  const reads = await readsOf(Model, options)
  return (reads === undefined ? revisionOf(Model, row) : stampFor(Model, row, reads).rev) === prev
}

/** Who else writes the row meanwhile makes it a conflict. */
async function asExpected (
  Model: ModelClass, stored: Row, change: ChangeRow, work: () => Promise<boolean>
): Promise<boolean> {
  try {
    return await expecting({ Model, id: change.modelId, rev: revisionOf(Model, stored) }, work)
  } catch (error) {
    if (error instanceof RevisionMismatch) return false
    throw error
  }
}
