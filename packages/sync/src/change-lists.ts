/** Lists of changes from outside. */
import type { ChangeRow } from './change.js'
import { malformed, tooMany } from './errors.js'

/** Changes, or instructions, that one call may have (SYD-5). */
export const mostPerCall = 5_000

const isRevision = (value: unknown): boolean => value === undefined || value === null || typeof value === 'string'

/**
 * The list, once it is one of changes.
 * @throws RequestError 400 INVALID_CHANGES, 413 TOO_MANY_CHANGES
 */
export function checkedChanges (list: unknown): ChangeRow[] {
  if (list === undefined || list === null) return []
  if (!Array.isArray(list)) throw malformed('Value is not an array.')
  if (list.length > mostPerCall) throw tooMany(mostPerCall)
  return list.map(checkedChange)
}

/** @throws RequestError 400 INVALID_CHANGES */
export function checkedChange (change: unknown): ChangeRow {
  const given = change as Partial<ChangeRow> | null | undefined
  if (given === null || typeof given !== 'object') throw malformed('A change is no object.')
  const { modelId, rev, prev } = given
  const isId = (typeof modelId === 'string' && modelId !== '') || typeof modelId === 'number'
  if (!isId || !isRevision(rev) || !isRevision(prev)) {
    throw malformed('A change needs "modelId", and revisions that are texts or null.')
  }
  const plain = typeof (given as { toJSON?: unknown }).toJSON === 'function'
    ? (given as { toJSON (): object }).toJSON()
    : given
  return { ...plain, modelId: String(modelId) } as ChangeRow
}
