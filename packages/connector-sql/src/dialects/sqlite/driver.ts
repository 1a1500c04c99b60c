/**
 * The SQLite drivers: anything with the interface of `node:sqlite` (Node's own from 22.13, `@photostructure/sqlite`
 * before that), or better-sqlite3.
 */
import { createRequire } from 'node:module'
import path from 'node:path'
import type { ConnectorContext } from '@fastback/core'
import { caused, DriverError } from '../../errors.js'

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

interface Driver { readonly DatabaseSync: new (file: string) => SqliteDatabase }

/** `baseDir`: the folder of the application. */
export type DriverContext = Pick<ConnectorContext, 'baseDir' | 'log'>

/** Opens a file, or a database in memory. */
export type OpenSqlite = (file: string) => SqliteDatabase

/** Whether Node has a driver that needs no flag. */
function hasBuiltIn (): boolean {
  const [major, minor] = process.versions.node.split('.').map(Number) as [number, number]
  return major > 22 || (major === 22 && minor >= 13)
}

/** Whether a database is of Node's own driver, by the name that its class has. */
export const isBuiltIn = (database: SqliteDatabase): boolean =>
  hasBuiltIn() && database.constructor.name === 'DatabaseSync'

/**
 * Loads the driver: Node's own where it needs no flag, which is the fastest there is. Before Node 22.13 better-sqlite3
 * where the application has it, else the package with the interface of Node's.
 * @throws FBK_SQL_DRIVER when none can be loaded
 */
export async function loadDriver (context: DriverContext): Promise<OpenSqlite> {
  const isOwn = hasBuiltIn()
  const installed = isOwn ? undefined : betterSqlite(context)
  if (installed !== undefined) return installed
  const name = isOwn ? 'node:sqlite' : '@photostructure/sqlite'
  try {
    // From where this package is installed, also where it became part of a built server.
    const { DatabaseSync } = createRequire(import.meta.url)(name) as Driver
    return file => new DatabaseSync(file)
  } catch (error) {
    throw caused(new DriverError(name, '@photostructure/sqlite'), error)
  }
}

/** That of the application; one that was built for another Node, or not at all, is told of and left. */
function betterSqlite ({ baseDir, log }: DriverContext): OpenSqlite | undefined {
  const require = createRequire(path.resolve(baseDir, 'package.json'))
  try {
    require.resolve('better-sqlite3')
  } catch {
    return undefined
  }
  try {
    const Database = require('better-sqlite3') as new (file: string) => SqliteDatabase
    // The package loads what was compiled with its first database.
    new Database(':memory:').close()
    return file => new Database(file)
  } catch (err) {
    const cure = 'npm rebuild better-sqlite3'
    log.warn({ err }, `better-sqlite3 is installed and cannot be loaded: another driver is used (${cure})`)
  }
}

/**
 * Makes a statement give its rows as arrays of values. better-sqlite3 gives all integers as bigints then: as numbers it
 * would round large ones.
 */
export function returnArrays (statement: SqliteStatement): void {
  if (statement.setReturnArrays !== undefined) statement.setReturnArrays(true)
  else if (statement.raw !== undefined && statement.reader === true) {
    statement.raw(true)
    statement.safeIntegers?.(true)
  }
}

/**
 * Switches a statement of `node:sqlite` between numbers and bigints. Numbers are much cheaper, but throw beyond 2⁵³.
 */
export function readBigInts (statement: SqliteStatement, on: boolean): void {
  statement.setReadBigInts?.(on)
}
