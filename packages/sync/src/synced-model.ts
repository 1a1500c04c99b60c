/** What replication calls of its two sides, here or in another application. */
import type { Row } from '@fastback/core'
import type { ChangeRow } from './change.js'
import type { Update } from './create-updates.js'
import type { Difference } from './diff.js'

export interface SyncedModel {
  readonly modelName: string
  checkpoint (): Promise<{ readonly seq: number }>
  changes (since: number, filter: object): Promise<ChangeRow[]>
  diff (since: number, changes: readonly ChangeRow[]): Promise<Difference>
  createUpdates (deltas: readonly ChangeRow[]): Promise<Update[]>
  bulkUpdate (updates: readonly Update[], options?: object): Promise<unknown>
  findLastChange (id: unknown): Promise<ChangeRow | null | undefined>
  updateLastChange (id: unknown, data: object): Promise<unknown>
  patchOrCreate (data: Row): Promise<unknown>
  findById (id: unknown): Promise<Row | null>
  deleteById (id: unknown): Promise<unknown>
}
