/**
 * One snapshot for the reads of a turn of the event loop. A read takes a lock of the file and gives it back, which are
 * two calls of the system, half of what a row by its id costs. Requests that arrive together are answered one after the
 * other in one turn: they can have the lock together, and see the file as it was when the first of them looked.
 *
 * None of them is owed more: each had begun to arrive before the turn began. Whatever else Fastback does with SQLite in
 * this process ends the snapshots that are open, so that nobody misses what was written here.
 */
import type { SqliteDatabase, SqliteStatement } from './driver.js'

/** Reads in a turn from which beginning and ending a transaction costs less than it spares. */
const worthwhile = 3
/** Reads between two looks at how many come in a turn. */
const grain = 32
/** Turns with too few reads, one after the other, after which there are no snapshots for a while. */
const patience = 8

/** Those that are open in this process: applications that share it share the files as well, and the locks on them. */
// eslint-disable-next-line no-restricted-syntax -- empty but for the turn under way, and nobody's data
const open = new Set<TurnSnapshot>()

/**
 * Ends the snapshots that are open. To be called before anything but a read that may be of this turn: it might write,
 * need a lock that a snapshot stands in the way of, or read what another connection of this process has written.
 */
export function endSnapshots (): void {
  if (open.size > 0) for (const snapshot of open) snapshot.end()
}

export class TurnSnapshot {
  readonly #begin: SqliteStatement
  readonly #commit: SqliteStatement
  /** Whether the end of this turn is waited for. */
  #isWatched = false
  /** In this turn, or since the last look at one. */
  #reads = 0
  /** One after the other, and no more than `patience`. */
  #quietTurns = patience

  constructor (database: SqliteDatabase) {
    this.#begin = database.prepare('BEGIN')
    this.#commit = database.prepare('COMMIT')
  }

  /** To be called before a read: begins the snapshot where it is the first read of a turn, and turns are busy. */
  enter (): void {
    this.#reads++
    if (this.#isWatched) return
    if (this.#quietTurns < patience) this.#open()
    else if (this.#reads < grain) return
    this.#isWatched = true
    this.#reads = 1
    setImmediate(this.#endTurn)
  }

  /** Ends it, if it is open: what is read after that in this turn is what is there. */
  end (): void {
    if (!open.delete(this)) return
    try {
      this.#commit.run()
    } catch { /* an error of a read has ended it */ }
  }

  #open (): void {
    try {
      this.#begin.run()
    } catch {
      return // an application has begun a transaction by a statement of its own
    }
    open.add(this)
  }

  readonly #endTurn = (): void => {
    this.end()
    this.#isWatched = false
    this.#quietTurns = this.#reads < worthwhile ? Math.min(patience, this.#quietTurns + 1) : 0
    this.#reads = 0
  }
}
