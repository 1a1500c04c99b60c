/** The driver of PostgreSQL, `pg`. It is loaded when a data source needs it. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type pg from 'pg'
import { caused, DriverError } from '../../errors.js'

export type Driver = typeof pg

/**
 * Loads `pg`, from beside this package or from the application's folder.
 * @throws FBK_SQL_DRIVER
 */
export async function loadDriver (baseDir: string): Promise<Driver> {
  try {
    return (await import('pg')).default
  } catch (error) {
    try {
      const path = createRequire(join(baseDir, 'package.json')).resolve('pg')
      return (await import(pathToFileURL(path).href) as { default: Driver }).default
    } catch {
      throw caused(new DriverError('pg', 'pg'), error)
    }
  }
}
