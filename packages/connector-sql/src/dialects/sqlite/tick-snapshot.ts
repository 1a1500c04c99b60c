/**
 * One snapshot for the reads of a tick of the event loop. A read takes a lock of the file and gives it back, which are
 * two calls of the system, half of what a row by its id costs. Requests that arrive together are answered one after the
 * other in one tick: they can have the lock together, and see the file as it was when the first of them looked.
 *
 * None of them is owed more: each had begun to arrive before the turn began. Whatever else Fastback does with SQLite in
 * this process ends the snapshots that are open, so that nobody misses what was written here.
 */
import { TickPace } from '@fastback/core/connector'
import type { SqliteDatabase, SqliteStatement } from './driver.js'

/** Those that are open in this process: applications that share it share the files as well, and the locks on them. */
// eslint-disable-next-line no-restricted-syntax -- empty but for the turn under way, and nobody's data
const open = new Set<TickSnapshot>()

/**
 * Ends the snapshots that are open. To be called before anything but a read that may be of this tick: it might write,
 * need a lock that a snapshot stands in the way of, or read what another connection of this process has written.
 */
export function endSnapshots (): void {
  if (open.size > 0) for (const snapshot of open) snapshot.end()
}

export class TickSnapshot {
  readonly #begin: SqliteStatement
  readonly #commit: SqliteStatement
  /** Whether this turn has had its snapshot, ended or not. */
  #isBegun = false
  readonly #pace = new TickPace(reads => {
    this.end()
    this.#isBegun = false
    return reads
  })

  constructor (database: SqliteDatabase) {
    this.#begin = database.prepare('BEGIN')
    this.#commit = database.prepare('COMMIT')
  }

  /** To be called before a read: begins the snapshot where it is the first read of a turn, and turns are busy. */
  enter (): void {
    if (this.#pace.enter() !== 'busy' || this.#isBegun) return
    this.#isBegun = true
    try {
      this.#begin.run()
    } catch {
      return // an application has begun a transaction by a statement of its own
    }
    open.add(this)
  }

  /** Ends it, if it is open: what is read after that in this tick is what is there. */
  end (): void {
    if (!open.delete(this)) return
    try {
      this.#commit.run()
    } catch { /* an error of a read has ended it */ }
  }
}
