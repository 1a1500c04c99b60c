/**
 * One SQLite connection: its prepared statements, its callbacks, its transactions. Everything happens at once, nothing
 * waits.
 */
import type { MaybePromise } from '@fastback/core'
import { chain, isPromise } from '@fastback/core/connector'
import { ConnectionAround } from '../../connections/connection-around.js'
import { StatementCache } from '../../statement-cache.js'
import type { Connection, QueryResult, Statement, TakeRows } from '../driver.js'
import { isBuiltIn, readBigInts, returnArrays, type SqliteDatabase, type SqliteStatement } from './driver.js'
import { addFunctions, type Callback, type Slots } from './functions.js'
import { endSnapshots, TurnSnapshot } from './turn-snapshot.js'

export class SqliteConnection implements Connection {
  readonly isDear: boolean
  readonly #statements: StatementCache<SqlitePrepared>
  readonly #slots: Slots = []
  readonly #log: FoldedLog
  /** Savepoints and transactions that are open, one inside the other. */
  #depth = 0

  /** @param statementCache most statements kept prepared */
  constructor (readonly database: SqliteDatabase, statementCache: number) {
    this.isDear = !isBuiltIn(database)
    this.#statements = new StatementCache(statementCache)
    this.#log = new FoldedLog(database)
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
    const statement = new SqlitePrepared(sql, this.database.prepare(sql), this.#slots, this.#log)
    this.#statements.set(key, statement)
    return statement
  }

  execute (sql: string): void {
    this.#exec(sql)
  }

  query (sql: string, values: readonly unknown[]): unknown[][] {
    return new SqlitePrepared(sql, this.database.prepare(sql), this.#slots, this.#log).all(values)
  }

  rows (sql: string, values: readonly unknown[]): Array<Record<string, unknown>> {
    endSnapshots()
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
    endSnapshots()
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

/** The same connection for reads that may be of this turn of the event loop: they share a snapshot. */
export class ConnectionOfTurn extends ConnectionAround {
  readonly #snapshot: TurnSnapshot

  constructor (readonly main: SqliteConnection) {
    super(main)
    this.#snapshot = new TurnSnapshot(main.database)
  }

  override prepared (key: string): Statement | undefined {
    return this.main.prepared(key)?.ofTurn(this.#snapshot)
  }

  override prepare (key: string, sql: string): Statement {
    return this.main.prepare(key, sql).ofTurn(this.#snapshot)
  }
}

class SqlitePrepared implements Statement {
  readonly #isWrite: boolean
  #ofTurn: Statement | undefined

  constructor (
    readonly sql: string, readonly statement: SqliteStatement, readonly slots: Slots, readonly log: FoldedLog
  ) {
    returnArrays(statement)
    this.#isWrite = isWrite.test(sql)
  }

  all (values: readonly unknown[]): unknown[][] {
    endSnapshots()
    return this.readAll(values)
  }

  get (values: readonly unknown[]): unknown[] | undefined {
    endSnapshots()
    return this.readFirst(values)
  }

  run (values: readonly unknown[]): QueryResult {
    endSnapshots()
    const bound = this.#bind(values)
    try {
      const { changes, lastInsertRowid } = this.statement.run(...bound)
      return { changes: Number(changes), insertedId: narrow(lastInsertRowid) }
    } finally {
      this.slots.length = 0
    }
  }

  /** The same statement for reads that may be of this turn; one that writes is itself. */
  ofTurn (snapshot: TurnSnapshot): Statement {
    return (this.#ofTurn ??= isRead.test(this.sql) ? new StatementOfTurn(this, snapshot) : this)
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
    }
  }

  /** As `get`, within a snapshot that may be open. */
  readFirst (values: readonly unknown[]): unknown[] | undefined {
    const bound = this.#bind(values)
    try {
      return (this.statement.get(...bound) ?? undefined) as unknown[] | undefined
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

/** A read whose file does not change from the first read of a turn to its end (`TurnSnapshot`). */
class StatementOfTurn implements Statement {
  constructor (readonly prepared: SqlitePrepared, readonly snapshot: TurnSnapshot) {}

  get sql (): string {
    return this.prepared.sql
  }

  all (values: readonly unknown[]): unknown[][] {
    this.snapshot.enter()
    return this.prepared.readAll(values)
  }

  get (values: readonly unknown[]): unknown[] | undefined {
    this.snapshot.enter()
    return this.prepared.readFirst(values)
  }

  run (values: readonly unknown[]): QueryResult {
    return this.prepared.run(values)
  }
}

const isRead = /^\s*SELECT\b/i
const isWrite = /^\s*(?:INSERT|UPDATE|DELETE|REPLACE)\b/i

/** Writes between two looks at the log: some hundred pages of those that it may hold (`walAutocheckpoint`). */
const mostUnfolded = 250

/**
 * SQLite folds its log (WAL) into the main file after a statement that was stepped to its end, and never after one
 * whose first row alone was taken. Under nothing but writes that give their row the log would grow for ever; so once in
 * a while a statement without rows is run. (To take all rows of the one that writes is no way out: the driver for Node
 * 20 does not tell the reason of an error there.)
 */
class FoldedLog {
  #writes = 0
  #empty: SqliteStatement | undefined

  constructor (readonly database: SqliteDatabase) {}

  grew (): void {
    if (++this.#writes < mostUnfolded) return
    this.#writes = 0
    this.#empty ??= this.database.prepare('SELECT 1 WHERE 0')
    this.#empty.all()
  }
}

const narrow = (id: number | bigint): number | bigint =>
  typeof id === 'bigint' && Number.isSafeInteger(Number(id)) ? Number(id) : id
