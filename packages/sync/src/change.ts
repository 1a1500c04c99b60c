/** What the change list says of one row (SY-20). */

/** A change as it travels. */
export interface ChangeRow {
  id?: string
  rev?: string | null
  prev?: string | null
  checkpoint?: number
  modelName: string
  modelId: string
  [property: string]: unknown
}

export type ChangeType = 'create' | 'update' | 'delete' | 'unknown'

const isRevision = (value: unknown): boolean => typeof value === 'string' && value !== ''

/**
 * What became of the row (SY-25).
 *
 * ```js
 * typeOf({ modelName: 'Note', modelId: '1', rev: null, prev: 'aa' }) // 'delete'
 * ```
 */
export function typeOf ({ rev, prev }: Pick<ChangeRow, 'rev' | 'prev'>): ChangeType {
  if (isRevision(rev)) return isRevision(prev) ? 'update' : 'create'
  return isRevision(prev) ? 'delete' : 'unknown'
}

/** Whether two changes end at the same revision; two deletes do. */
export const sameRevision = (one: ChangeRow, other: ChangeRow): boolean => (one.rev ?? null) === (other.rev ?? null)

/** Whether both rows are gone. */
export const bothDeleted = (one: ChangeRow, other: ChangeRow): boolean =>
  typeOf(one) === 'delete' && typeOf(other) === 'delete'
