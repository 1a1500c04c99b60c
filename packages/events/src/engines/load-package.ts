/** Packages that only some engines need. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { MissingPackageError } from '../errors.js'

/**
 * Loads a package from where this one is, or from the application's folder; undefined where it is not installed.
 * @param importIt imports it by its name, so that bundles of servers find it
 */
export async function installedPackage<T> (
  name: string, baseDir: string, importIt: () => Promise<T>
): Promise<T | undefined> {
  try {
    return await importIt()
  } catch {
    try {
      const path = createRequire(join(baseDir, 'package.json')).resolve(name)
      return await import(pathToFileURL(path).href) as T
    } catch {
      return undefined
    }
  }
}

/** @throws FBK_EVENTS_MISSING_PACKAGE */
export function mustBeInstalled<T> (found: T | undefined, engine: string, name: string): T {
  if (found === undefined) throw new MissingPackageError(engine, name, name)
  return found
}
