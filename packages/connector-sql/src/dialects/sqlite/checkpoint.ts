import type { LogState } from './checkpointer.js'
import type { SqliteDatabase } from './driver-module.js'

/** Writes what is in the log into the file, as far as nobody reads an older state of it. Keeps nobody from writing. */
export function checkpoint (database: SqliteDatabase): LogState {
  // All rows are taken: a statement that has not come to its end reads on, and the log cannot begin anew.
  const [row] = database.prepare('PRAGMA wal_checkpoint(PASSIVE)').all() as [Record<'log' | 'checkpointed', number>]
  return { pages: row.log, written: row.checkpointed }
}
