/**
 * One commit for the writes of a tick of the event loop. A write alone takes the locks of the file, writes each page
 * that it changes to the log and gives the locks back, which costs more than the change itself. Requests that arrive
 * together have theirs made at the end of the tick, one after the other in one transaction; each is answered when that
 * is committed.
 *
 * They are put off, and not made at once with a commit put off: no transaction is ever open while other code runs,
 * which might read what is not acknowledged, or wait for a lock that it keeps from being given back. And whatever else
 * Fastback does with SQLite in this process has them made first, so that all happens in the order it was asked for.
 */
import type { MaybePromise } from '@fastback/core'
import { TickPace } from '@fastback/core/connector'
import { isBusy } from './errors.js'

/** Those that have writes put off in this process. */
// eslint-disable-next-line no-restricted-syntax -- empty but for the turn under way, and nobody's data
const waiting = new Set<TickWrites>()

/** Makes the writes that are put off. To be called before any other statement: it has to find what they do. */
export function makeWrites (): void {
  if (waiting.size > 0) for (const writes of waiting) writes.make()
}

/** A connection that has no transaction of its own between two writes. */
export interface WritingConnection {
  begin (): void
  commit (): void
  rollback (): void
}

interface PutOff {
  readonly write: () => unknown
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

/** The writes of one connection that may be put off. */
export class TickWrites {
  #putOff: PutOff[] = []
  /** Writes of this tick that were made at one time, the most of them. */
  #together = 0
  /** Whether writes of this tick are put off. */
  #isBusy = false
  readonly #pace = new TickPace(entered => {
    this.make()
    const together = this.#isBusy ? this.#together : entered
    this.#together = 0
    this.#isBusy = false
    return together
  })

  constructor (readonly connection: WritingConnection) {}

  /** Does one statement that writes: at the end of the tick where those before it were busy, else at once. */
  write<T> (write: () => T): MaybePromise<T> {
    if (this.#pace.enter() !== 'busy') return write()
    this.#isBusy = true
    waiting.add(this)
    return new Promise<T>((resolve, reject) => {
      this.#putOff.push({ write, resolve: resolve as (result: unknown) => void, reject })
    })
  }

  /** Makes those that are put off. */
  make (): void {
    if (!waiting.delete(this)) return
    const putOff = this.#putOff
    this.#putOff = []
    this.#together = Math.max(this.#together, putOff.length)
    if (putOff.length > 1 && this.#makeTogether(putOff)) return
    for (const { write, resolve, reject } of putOff) {
      try {
        resolve(write())
      } catch (error) {
        reject(error)
      }
    }
  }

  /**
   * In one transaction. Whether one error takes the others with it depends on the error, and on what triggers and
   * constraints say: after any all is undone, and each is to be made alone, as if there were no others.
   * @returns false where nothing was done
   */
  #makeTogether (putOff: readonly PutOff[]): boolean {
    try {
      this.connection.begin()
    } catch (error) {
      // An application has begun a transaction by a statement of its own: then each is part of that.
      if (!isBusy(error)) return false
      // Who waits for the lock blocks the process. What all have waited for, not each waits for again.
      for (const { reject } of putOff) reject(error)
      return true
    }
    const results: unknown[] = []
    try {
      for (const { write } of putOff) results.push(write())
      this.connection.commit()
    } catch {
      this.connection.rollback()
      return false
    }
    for (let i = 0; i < putOff.length; i++) (putOff[i] as PutOff).resolve(results[i])
    return true
  }
}
