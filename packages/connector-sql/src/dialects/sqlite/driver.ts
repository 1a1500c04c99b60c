/**
 * The SQLite drivers: anything with the interface of `node:sqlite` (Node's own from 22.13, `@photostructure/sqlite`
 * before that), or better-sqlite3.
 */
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import type { ConnectorContext } from '@fastback/core'
import { caused, DriverError } from '../../errors.js'
import { driverAt, type SqliteDatabase, type SqliteDriver, type SqliteStatement } from './driver-module.js'

export type { SqliteDatabase, SqliteStatement }

/** `baseDir`: the folder of the application. */
export type DriverContext = Pick<ConnectorContext, 'baseDir' | 'log'>

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
export async function loadDriver (context: DriverContext): Promise<SqliteDriver> {
  const isOwn = hasBuiltIn()
  const installed = isOwn ? undefined : betterSqlite(context)
  if (installed !== undefined) return installed
  const name = isOwn ? 'node:sqlite' : '@photostructure/sqlite'
  try {
    // From where this package is installed, also where it became part of a built server.
    const require = createRequire(import.meta.url)
    return driverAt(require.resolve(name), require)
  } catch (error) {
    throw caused(new DriverError(name, '@photostructure/sqlite'), error)
  }
}

/** That of the application; one that was built for another Node, or not at all, is told of and left. */
function betterSqlite ({ baseDir, log }: DriverContext): SqliteDriver | undefined {
  const require = createRequire(resolve(baseDir, 'package.json'))
  let path: string
  try {
    path = require.resolve('better-sqlite3')
  } catch {
    return undefined
  }
  try {
    const driver = driverAt(path, require)
    // The package loads what was compiled with its first database.
    driver.open(':memory:').close()
    return driver
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
