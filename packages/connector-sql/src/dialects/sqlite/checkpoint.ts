import type { SqliteDatabase } from './driver-module.js'

/** What a pass has left. */
export interface LogState {
  /** Pages in the log. */
  readonly pages: number
  /** How many of them are in the file. */
  readonly written: number
}

/** Writes what is in the log into the file, as far as nobody reads an older state of it. Keeps nobody from writing. */
export function checkpoint (database: SqliteDatabase): LogState {
  // All rows are taken: a statement that has not come to its end reads on, and the log cannot begin anew.
  const [row] = database.prepare('PRAGMA wal_checkpoint(PASSIVE)').all() as [Record<'log' | 'checkpointed', number>]
  return { pages: row.log, written: row.checkpointed }
}
