/**
 * Libraries of LoopBack's that an application may have itself, and whose values its code then expects. LoopBack's
 * promises are bluebird's, and code leans on what they can beyond native ones (`.spread`, `.tap`, `.asCallback`;
 * specification, Versioning 17); `strong-remoting` gives methods points of `loopback-datatype-geopoint`, which code
 * asks `instanceof` of. Where an application has such a library, it gets its promises and its points.
 */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { ModelRegistry } from '@fastback/core'
import type { RemotingTypesOptions } from '@fastback/rest/remoting'

type PointClass = NonNullable<RemotingTypesOptions['Point']>

/** What promises of the core are made into. */
export type CallersPromises = NonNullable<ModelRegistry['promises']>

interface Bluebird { resolve <T> (promise: Promise<T>): Promise<T> }

const isBluebird = (found: unknown): found is Bluebird => {
  const { resolve, prototype } = (found ?? {}) as { resolve?: unknown, prototype?: { spread?: unknown } }
  return typeof resolve === 'function' && typeof prototype?.spread === 'function'
}

/**
 * The promises of an application.
 *
 * ```js
 * registry.promises = bluebirdOf(['/srv/shop/server'])
 * ```
 * @param folders where it may be required from, the first first
 * @returns undefined where none of them has the library: promises are native ones then
 */
export function bluebirdOf (folders: readonly string[]): CallersPromises | undefined {
  for (const folder of folders) {
    const found = required(folder, 'bluebird')
    if (isBluebird(found)) return promise => found.resolve(promise)
  }
}

/**
 * An application's own class of points.
 *
 * ```js
 * const Point = pointsOf(['/srv/shop'])
 * new Point({ lat: 59.9, lng: 10.7 }) instanceof require('loopback-datatype-geopoint') // true
 * ```
 * @param folders where it may be required from, the first first
 * @returns undefined where none of them has the library: points are those of `loopback.GeoPoint` then
 */
export function pointsOf (folders: readonly string[]): PointClass | undefined {
  for (const folder of folders) {
    const found = required(folder, 'loopback-datatype-geopoint')
    if (typeof found === 'function') return found as PointClass
  }
}

/** Where code that runs without a folder of its own may have its libraries: beside the program, or where it is run. */
export function programFolders (): string[] {
  const [, main] = process.argv
  return main === undefined ? [process.cwd()] : [dirname(main), process.cwd()]
}

function required (folder: string, library: string): unknown {
  try {
    return createRequire(join(folder, 'index.js'))(library) as unknown
  } catch {
    // It is not there, or does not load here: an application that needs it says so itself.
  }
}
