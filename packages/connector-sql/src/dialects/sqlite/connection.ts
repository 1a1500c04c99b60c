/**
 * One SQLite connection: its prepared statements, its callbacks, its transactions. Everything happens at once, nothing
 * waits.
 */
import type { MaybePromise } from '@fastback/core'
import { chain, isPromise } from '@fastback/core/connector'
import { ConnectionAround } from '../../connections/connection-around.js'
import { StatementCache } from '../../statement-cache.js'
import type { Connection, TickConnections, Statement, TakeRows } from '../driver.js'
import { isBuiltIn, type SqliteDatabase } from './driver.js'
import { addFunctions, type Slots } from './functions.js'
import { endTick, FoldedLog, SqlitePrepared } from './prepared.js'
import { TickSnapshot } from './tick-snapshot.js'
import type { TickWrites } from './tick-writes.js'

export class SqliteConnection implements Connection {
  readonly isDear: boolean
  readonly #statements: StatementCache<SqlitePrepared>
  readonly #slots: Slots = []
  /** Hears of each write. */
  readonly log: FoldedLog
  /** Savepoints and transactions that are open, one inside the other. */
  #depth = 0

  /** @param statementCache most statements kept prepared */
  constructor (readonly database: SqliteDatabase, statementCache: number) {
    this.isDear = !isBuiltIn(database)
    this.#statements = new StatementCache(statementCache)
    this.log = new FoldedLog(database)
    addFunctions(database, this.#slots)
  }

  /** Statements kept prepared at the moment. */
  get statementCount (): number {
    return this.#statements.size
  }

  prepared (key: string): SqlitePrepared | undefined {
    return this.#statements.get(key)
  }

  prepare (key: string, sql: string): SqlitePrepared {
    const statement = new SqlitePrepared(sql, this.database.prepare(sql), this.#slots, this.log)
    this.#statements.set(key, statement)
    return statement
  }

  execute (sql: string): void {
    this.#exec(sql)
  }

  query (sql: string, values: readonly unknown[]): unknown[][] {
    return new SqlitePrepared(sql, this.database.prepare(sql), this.#slots, this.log).all(values)
  }

  rows (sql: string, values: readonly unknown[]): Array<Record<string, unknown>> {
    endTick()
    const statement = this.database.prepare(sql)
    if (statement.reader !== false) return statement.all(...values) as Array<Record<string, unknown>>
    statement.run(...values)
    return []
  }

  atomically<T> (work: (connection: Connection) => MaybePromise<T>): MaybePromise<T> {
    const savepoint = `fastback_${this.#depth}`
    const outermost = this.#depth === 0
    if (outermost) this.#runPrepared('BEGIN IMMEDIATE')
    else this.#exec(`SAVEPOINT ${savepoint}`)
    this.#depth++
    const keep = (result: T): T => {
      this.#depth--
      if (outermost) this.#commit()
      else this.#exec(`RELEASE ${savepoint}`)
      return result
    }
    const undo = (error: unknown): never => {
      this.#depth--
      this.#undo(outermost ? 'ROLLBACK' : `ROLLBACK TO ${savepoint}; RELEASE ${savepoint}`)
      throw error
    }
    let result: MaybePromise<T>
    try {
      result = work(this)
    } catch (error) {
      return undo(error)
    }
    return isPromise(result) ? result.then(keep, undo) : keep(result)
  }

  unit<T> (work: () => T): T {
    return this.atomically(work) as T
  }

  /** A transaction of SQLite keeps every other writer out already. */
  lock (): void {}

  /** There is no limit. */
  takeTime (): void {}

  script (text: string): void {
    this.#exec(text)
  }

  /** Nobody asks: each batch is a query of its own (`Dialect.scans`). */
  scan (key: string, sql: string, values: readonly unknown[], take: TakeRows): MaybePromise<void> {
    const rows = (this.#statements.get(key) ?? this.prepare(key, sql)).all(values) as unknown[][]
    return chain(take(rows), () => {})
  }

  begin (): void {
    this.#runPrepared('BEGIN IMMEDIATE')
    this.#depth = 1
  }

  commit (): void {
    this.#depth = 0
    this.#commit()
  }

  rollback (): void {
    this.#depth = 0
    this.#undo('ROLLBACK')
  }

  savepoint (name: string): void {
    this.#exec(`SAVEPOINT ${name}`)
  }

  releasePart (name: string): void {
    this.#exec(`RELEASE ${name}`)
  }

  undoPart (name: string): void {
    this.#exec(`ROLLBACK TO ${name}; RELEASE ${name}`)
  }

  /** No statement is ever under way. */
  abort (): void {
    this.rollback()
  }

  /**
   * Closes the connection, with everything in the main file: drivers may keep a connection open while a prepared
   * statement lives, and a copy of the file without its log would then lack rows.
   */
  close (): void {
    this.#statements.clear()
    try {
      this.#exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch {
      /* Another connection reads: the log stays, and is read at the next start. */
    }
    this.database.close()
  }

  #exec (sql: string): void {
    endTick()
    this.database.exec(sql)
  }

  /** A commit that fails (disk full, lock) leaves the transaction open: it must not stay so. */
  #commit (): void {
    try {
      this.#runPrepared('COMMIT')
    } catch (error) {
      this.#undo('ROLLBACK')
      throw error
    }
  }

  /** To parse what begins and ends a transaction costs more than to do it. */
  #runPrepared (sql: 'BEGIN IMMEDIATE' | 'COMMIT'): void {
    const statement = this.prepared(sql) ?? this.prepare(sql, sql)
    statement.run([])
  }

  /** SQLite rolls back by itself after some errors (disk full, I/O); there is nothing to undo then. */
  #undo (sql: string): void {
    try {
      this.#exec(sql)
    } catch { /* no transaction is active */ }
  }
}

/** The same connection with other statements in the place of its own. */
class ConnectionOfTurn extends ConnectionAround {
  constructor (
    readonly main: SqliteConnection, readonly inPlaceOf: (statement: SqlitePrepared) => Statement,
    readonly unit: <T>(work: () => T) => MaybePromise<T>
  ) {
    super(main)
  }

  override prepared (key: string): Statement | undefined {
    const statement = this.main.prepared(key)
    return statement === undefined ? undefined : this.inPlaceOf(statement)
  }

  override prepare (key: string, sql: string): Statement {
    return this.inPlaceOf(this.main.prepare(key, sql))
  }
}

/** For reads that may be of this tick, which share a snapshot, and writes that may wait for its end. */
export function tickConnections (main: SqliteConnection, writes: TickWrites): TickConnections {
  const snapshot = new TickSnapshot(main.database)
  return {
    reads: new ConnectionOfTurn(main, statement => statement.within(snapshot), work => main.unit(work)),
    writes: new ConnectionOfTurn(main, statement => statement.among(writes), work => writes.unit(work))
  }
}
