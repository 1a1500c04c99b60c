/** Prepared statements of a SQLite connection: what they bind, the rows that come back, what a write leaves to do. */
import type { MaybePromise } from '@fastback/core'
import type { QueryResult, Statement } from '../driver.js'
import type { Checkpointer } from './checkpointer.js'
import { readBigInts, returnArrays, type SqliteDatabase, type SqliteStatement } from './driver.js'
import type { Callback, Slots } from './functions.js'
import { endSnapshots, type TickSnapshot } from './tick-snapshot.js'
import { makeWrites, makeWritesOfTick, type TickWrites } from './tick-writes.js'

/** To be called before a statement that has to find what is there, and what was asked for before it. */
export function endTick (): void {
  makeWrites()
  endSnapshots()
}

export class SqlitePrepared implements Statement {
  readonly #isWrite: boolean
  /** Whether it stores rows, and gives them. */
  readonly #isInsert: boolean
  #shared: Statement | undefined
  #putOff: Statement | undefined

  constructor (
    readonly sql: string, readonly statement: SqliteStatement, readonly slots: Slots, readonly log: FoldedLog
  ) {
    returnArrays(statement)
    this.#isWrite = isWrite.test(sql)
    // It cannot be run again to read a large number (`#readAgain`).
    this.#isInsert = isInsert.test(sql)
    if (this.#isInsert) readBigInts(statement, true)
  }

  all (values: readonly unknown[]): unknown[][] {
    endTick()
    return this.readAll(values)
  }

  get (values: readonly unknown[]): unknown[] | undefined {
    endTick()
    return this.readFirst(values)
  }

  run (values: readonly unknown[]): QueryResult {
    endTick()
    const bound = this.#bind(values)
    try {
      const { changes, lastInsertRowid } = this.statement.run(...bound)
      return { changes: Number(changes), insertedId: narrow(lastInsertRowid) }
    } finally {
      this.slots.length = 0
      if (this.#isWrite) this.log.grew()
    }
  }

  /** The same statement for reads that may be of this tick; one that writes is itself. */
  within (snapshot: TickSnapshot): Statement {
    return (this.#shared ??= isRead.test(this.sql) ? new SharingRead(this, snapshot) : this)
  }

  /** The same statement for writes that may be made at the end of this tick; one that reads is itself. */
  among (writes: TickWrites): Statement {
    return (this.#putOff ??= this.#isWrite ? new PutOffWrite(this, writes) : this)
  }

  /** As `all`, within a snapshot that may be open. */
  readAll (values: readonly unknown[]): unknown[][] {
    const bound = this.#bind(values)
    try {
      return this.statement.all(...bound) as unknown[][]
    } catch (error) {
      return this.#readAgain(error, () => this.statement.all(...bound) as unknown[][])
    } finally {
      this.slots.length = 0
      if (this.#isWrite) this.log.grew()
    }
  }

  /** As `get`, within a snapshot that may be open. */
  readFirst (values: readonly unknown[]): unknown[] | undefined {
    const bound = this.#bind(values)
    try {
      const row = (this.statement.get(...bound) ?? undefined) as unknown[] | undefined
      return this.#isInsert ? row?.map(value => typeof value === 'bigint' ? narrow(value) : value) : row
    } catch (error) {
      return this.#readAgain(error, () => (this.statement.get(...bound) ?? undefined) as unknown[] | undefined)
    } finally {
      this.slots.length = 0
      if (this.#isWrite) this.log.grew()
    }
  }

  /** Callbacks are bound as the position where `fastback_call` finds them. */
  #bind (values: readonly unknown[]): readonly unknown[] {
    for (let i = 0; i < values.length; i++) {
      if (typeof values[i] === 'function') {
        return values.map(value => (typeof value === 'function' ? this.slots.push(value as Callback) - 1 : value))
      }
    }
    return values
  }

  /**
   * An integer that a double does not hold exactly makes the driver throw. The statement is then run once more, reading
   * bigints: a SELECT, or an UPDATE … RETURNING, which sets the same values again.
   */
  #readAgain<T> (error: unknown, read: () => T): T {
    if (!(error instanceof Error) || !error.message.includes('too large to be represented as a JavaScript number')) {
      throw error
    }
    readBigInts(this.statement, true)
    try {
      return read()
    } finally {
      readBigInts(this.statement, false)
    }
  }
}

/** A read whose file does not change from the first read of a turn to its end (`TickSnapshot`). */
class SharingRead implements Statement {
  constructor (readonly prepared: SqlitePrepared, readonly snapshot: TickSnapshot) {}

  get sql (): string {
    return this.prepared.sql
  }

  all (values: readonly unknown[]): unknown[][] {
    makeWritesOfTick()
    this.snapshot.enter()
    return this.prepared.readAll(values)
  }

  get (values: readonly unknown[]): unknown[] | undefined {
    makeWritesOfTick()
    this.snapshot.enter()
    return this.prepared.readFirst(values)
  }

  run (values: readonly unknown[]): QueryResult {
    return this.prepared.run(values)
  }
}

/** A write that may be made together with others of its turn (`TickWrites`). */
class PutOffWrite implements Statement {
  constructor (readonly prepared: SqlitePrepared, readonly writes: TickWrites) {}

  get sql (): string {
    return this.prepared.sql
  }

  all (values: readonly unknown[]): MaybePromise<unknown[][]> {
    return this.writes.write(() => this.prepared.all(values))
  }

  get (values: readonly unknown[]): MaybePromise<unknown[] | undefined> {
    return this.writes.write(() => this.prepared.get(values))
  }

  run (values: readonly unknown[]): MaybePromise<QueryResult> {
    return this.writes.write(() => this.prepared.run(values))
  }
}

const isRead = /^\s*SELECT\b/i
const isInsert = /^INSERT\b[^]*\bRETURNING\b/
const isWrite = /^\s*(?:INSERT|UPDATE|DELETE|REPLACE)\b/i

/** Writes between two looks at the log: some hundred pages of those that it may hold (`walAutocheckpoint`). */
const mostUnfolded = 250

/**
 * SQLite folds its log (WAL) into the main file after a statement that was stepped to its end, and never after one
 * whose first row alone was taken. Under nothing but writes that give their row the log would grow for ever; so once in
 * a while a statement without rows is run. (To take all rows of the one that writes is no way out: the driver for Node
 * 20 does not tell the reason of an error there.)
 */
export class FoldedLog {
  /** Where something else folds the log as a rule, it hears of each write. */
  checkpointer: Pick<Checkpointer, 'wrote'> | undefined
  #writes = 0
  #empty: SqliteStatement | undefined

  constructor (readonly database: SqliteDatabase) {}

  grew (): void {
    this.checkpointer?.wrote()
    if (++this.#writes < mostUnfolded) return
    this.#writes = 0
    this.#empty ??= this.database.prepare('SELECT 1 WHERE 0')
    this.#empty.all()
  }
}

const narrow = (id: number | bigint): number | bigint =>
  typeof id === 'bigint' && Number.isSafeInteger(Number(id)) ? Number(id) : id
