/**
 * One snapshot for the reads of a turn of the event loop. A read takes two locks of a file, or rather asks the system
 * twice, which is half of what a row by its id costs. Requests that arrive together are answered one after the other in
 * one turn: they can have the locks together, and see the file as it was when the first of them looked.
 *
 * None of them could have seen more: each had begun to arrive before the turn began. Whatever else Fastback does with
 * SQLite in this process ends the snapshots that are open, so that nobody misses what was written here.
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
  #isOpen = false
  /** Whether turns have had enough reads of late. */
  #isBusy = false
  #isWatched = false
  #reads = 0
  #quietTurns = 0

  constructor (database: SqliteDatabase) {
    this.#begin = database.prepare('BEGIN')
    this.#commit = database.prepare('COMMIT')
  }

  /** To be called before a read: from here on, to the end of the turn, the file does not change for this connection. */
  enter (): void {
    this.#reads++
    if (this.#isWatched) return
    if (this.#isBusy) this.#open()
    else if (this.#reads < grain) return
    this.#isWatched = true
    this.#reads = 1
    setImmediate(this.#endTurn)
  }

  end (): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    open.delete(this)
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
    this.#isOpen = true
    open.add(this)
  }

  readonly #endTurn = (): void => {
    this.end()
    this.#isWatched = false
    const isQuiet = this.#reads < worthwhile
    this.#quietTurns = isQuiet ? this.#quietTurns + 1 : 0
    this.#isBusy = this.#isBusy ? this.#quietTurns < patience : !isQuiet
    this.#reads = 0
  }
}
