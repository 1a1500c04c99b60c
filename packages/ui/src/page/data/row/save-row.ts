/** Saves a row, and settles with who saved it meanwhile. */
import { RefusedError } from '../../api/client.js'
import type { Data } from '../data-part.js'
import type { DataModel } from '../models/models.js'
import { valueOf, type Row } from '../models/properties.js'
import { settleConflict } from './conflict.js'

/** Only the state that was seen is changed, where the API has a name for it. */
export const onlyIf = (tag: string | null): Record<string, string> => tag === null ? {} : { 'if-match': tag }

/**
 * Where somebody else saved the row meanwhile, both rows are shown, and what is chosen is saved over theirs.
 * @param tag of the state that was seen
 * @returns the row as it is by now, where the API says so
 * @throws RefusedError also where the person goes on editing
 */
export async function saveRow (
  { model, id, values, tag }: {
    readonly model: DataModel, readonly id: unknown, readonly values: unknown, readonly tag: string | null
  },
  data: Data
): Promise<Row | undefined> {
  const { api, part } = data
  if (model.update === undefined) return undefined
  try {
    const { value } = await api.call(model.update, { id, body: values, headers: onlyIf(tag) })
    const row = value !== null && typeof value === 'object' ? value as Row : undefined
    part.tell({ type: 'update', model: model.name, id, row })
    return row
  } catch (error) {
    if (!(error instanceof RefusedError) || error.now === undefined || values instanceof FormData) throw error
    const { row: theirs, tag: newer } = error.now
    const chosen = await settleConflict(values as Row, theirs as Row, part.questions)
    if (chosen === undefined) throw error
    if (Object.keys(chosen).length === 0) return undefined
    return await saveRow({ model, id, values: chosen, tag: newer }, data)
  }
}

/**
 * Saves one value of a row that a list shows: the row is read first, for its state, and somebody else's value is not
 * overwritten without being seen.
 * @throws RefusedError
 */
export async function saveValue (
  { model, id, name, value, seen }: {
    readonly model: DataModel, readonly id: unknown, readonly name: string, readonly value: unknown,
    readonly seen: unknown
  },
  data: Data
): Promise<void> {
  const { api, part } = data
  if (model.findById === undefined) return
  const { value: read, headers } = await api.call(model.findById, { id })
  const now = (read ?? {}) as Row
  let values: Row | undefined = { [name]: value }
  if (JSON.stringify(valueOf(now, name) ?? null) !== JSON.stringify(seen ?? null)) {
    part.tell({ type: 'update', model: model.name, id, row: now })
    values = await settleConflict(values, now, part.questions)
    if (values === undefined || Object.keys(values).length === 0) return
  }
  await saveRow({ model, id, values, tag: headers.get('etag') }, data)
}
