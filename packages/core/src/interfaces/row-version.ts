import type { Row } from '../properties/types.js'

/** What was done to a row. */
export type HistoryOperation = 'create' | 'update' | 'delete' | 'restore'

/** A version of a row, as callers see it. */
export interface RowVersion {
  readonly version: number
  readonly operation: HistoryOperation
  readonly at: Date
  readonly userId: unknown
  readonly userType?: string
  readonly clientId?: string
  readonly requestId: string | null
  /** The row as JSON has it; null where there was none. */
  readonly before: Row | null
  readonly after: Row | null
}
