/** Deleting rows, and taking it back where that is possible. */
import { RefusedError } from '../../api/client.js'
import { confirmed } from '../ask.js'
import { eachOf, type Failed } from '../batch.js'
import type { Toast } from '../../toasts.js'
import type { Data } from '../data-part.js'
import type { DataModel } from '../models/models.js'
import { valueOf, type Row } from '../models/properties.js'
import { onlyIf } from './save-row.js'

/**
 * Deletes a row. One that can be restored goes at once, and the message has a button that undoes it; any other only
 * after a question.
 * @returns whether it was deleted
 * @throws RefusedError
 */
export async function removeRow (
  model: DataModel, row: Row, id: unknown, tag: string | null, data: Data
): Promise<boolean> {
  const { api, part, toasts } = data
  const label = model.labelOf(row)
  if (model.remove === undefined) return false
  if (!canRestore(model, data) && !await confirmed(part.questions, `Delete ${label}? This cannot be undone.`, 'Delete')) return false
  await api.call(model.remove, { id, headers: onlyIf(tag) })
  part.tell({ type: 'remove', model: model.name, id })
  toasts.tell(`${label} was deleted.`, canRestore(model, data)
    ? { label: 'Undo', run: () => { restoreRows(model, [id], data).catch((error: unknown) => { toasts.fail(error) }) } }
    : createAgain(model, row, data))
  return true
}

/**
 * Makes a row of the values that a deleted one had: no undoing, as its id may be another one, and what the caller does
 * not see of it is lost. Undefined for users, and for rows with files.
 */
function createAgain (model: DataModel, row: Row, { api, part, toasts }: Data): Toast['action'] {
  const { create, facts: { id = '', files, principalType } } = model
  if (!api.may(create) || files.length > 0 || principalType !== undefined) return undefined
  const names = model.fieldsOf(create).filter(({ schema }) => schema.readOnly !== true).map(({ name }) => name)
  const body = Object.fromEntries(names.map(name => [name, valueOf(row, name)])
    .filter(([, value]) => value !== undefined && value !== null))
  const run = async (): Promise<void> => {
    const made = ((await api.call(create, { body })).value ?? {}) as Row
    part.tell({ type: 'create', model: model.name, id: valueOf(made, id), row: made })
    toasts.tell(`${model.labelOf(made)} was created again.`)
  }
  return { label: 'Create it again', run: () => { run().catch((error: unknown) => { toasts.fail(error) }) } }
}

export const canRestore = (model: DataModel, { api }: Data): boolean => api.may(model.restore)

/** Restores rows; those that fail are said. */
async function restoreRows (
  model: DataModel, ids: readonly unknown[], { api, part, toasts }: Data
): Promise<void> {
  const { restore } = model
  if (restore === undefined) return
  const { done, failed } = await eachOf({ items: ids, work: async id => await api.call(restore, { id }) })
  if (done.length > 0) part.tell({ type: 'create', model: model.name, id: done[0] })
  if (failed[0] !== undefined) toasts.fail(failed[0].error)
  else toasts.tell(done.length === 1 ? 'The row is there again.' : `${done.length} rows are there again.`)
}

/** Deletes several rows, one request for each. */
export async function removeRows (
  model: DataModel, rows: readonly Row[], data: Data, onProgress: (done: number) => void
): Promise<ReadonlyArray<Failed<Row>>> {
  const { remove, facts: { id = '' } } = model
  const { api, part, toasts } = data
  if (remove === undefined) return []
  const { done, failed } = await eachOf({
    items: rows, onProgress, work: async row => await api.call(remove, { id: valueOf(row, id) })
  })
  if (done.length > 0) {
    part.tell({ type: 'remove', model: model.name, id: valueOf(done[0] as Row, id) })
    toasts.tell(done.length === 1 ? '1 row was deleted.' : `${done.length} rows were deleted.`, canRestore(model, data)
      ? { label: 'Undo', run: () => { restoreRows(model, done.map(row => valueOf(row, id)), data).catch((error: unknown) => { toasts.fail(error) }) } }
      : undefined)
  }
  return failed
}

/** A failure in words. */
export const reasonOf = (error: unknown): string =>
  error instanceof RefusedError && error.violations.length > 0
    ? error.violations.map(({ property, message }) => [property, message].filter(Boolean).join(' ')).join('; ')
    : error instanceof Error ? error.message : String(error)
