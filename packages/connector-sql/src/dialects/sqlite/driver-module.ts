/**
 * What a SQLite driver is, and its module. The thread that writes the log back loads this file, and not much else.
 */

/** The part of `node:sqlite`'s `DatabaseSync`, or of better-sqlite3's `Database`, that is used here. */
export interface SqliteDatabase {
  exec(sql: string): unknown
  prepare(sql: string): SqliteStatement
  close(): unknown
  function(
    name: string,
    options: { deterministic?: boolean; varargs?: boolean; directOnly?: boolean },
    callback: (...values: any[]) => any
  ): unknown
}

export interface SqliteStatement {
  all (...values: any[]): unknown[]
  get (...values: any[]): unknown
  run (...values: any[]): { changes: number | bigint, lastInsertRowid: number | bigint }
  /** `node:sqlite`. */
  setReturnArrays? (on: boolean): void
  setReadBigInts? (on: boolean): void
  /** better-sqlite3. */
  raw? (on?: boolean): unknown
  safeIntegers? (on?: boolean): unknown
  readonly reader?: boolean
}

type OpenByClass = new (file: string) => SqliteDatabase
/** What they export: Node's and those with its interface, or better-sqlite3. */
type DriverModule = OpenByClass | { readonly DatabaseSync: OpenByClass }

/** A driver that is loaded. */
export interface SqliteDriver {
  /** Where `require` finds it, in whichever thread. */
  readonly path: string
  /** Opens a file, or a database in memory. */
  open (file: string): SqliteDatabase
}

/** Loads a driver from there. */
export function driverAt (path: string, load: (path: string) => unknown): SqliteDriver {
  const loaded = load(path) as DriverModule
  const Database = typeof loaded === 'function' ? loaded : loaded.DatabaseSync
  return { path, open: file => new Database(file) }
}
