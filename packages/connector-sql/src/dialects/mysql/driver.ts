/** The driver of MySQL and MariaDB, `mysql2`. It is loaded when a data source needs it. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type mysql from 'mysql2'
import { caused, DriverError } from '../../errors.js'

export type Driver = typeof mysql

/**
 * Loads `mysql2`, from beside this package or from the application's folder.
 * @throws FBK_SQL_DRIVER
 */
export async function loadDriver (baseDir: string): Promise<Driver> {
  try {
    return (await import('mysql2')).default
  } catch (error) {
    try {
      const path = createRequire(join(baseDir, 'package.json')).resolve('mysql2')
      return (await import(pathToFileURL(path).href) as { default: Driver }).default
    } catch {
      throw caused(new DriverError('mysql2', 'mysql2'), error)
    }
  }
}
