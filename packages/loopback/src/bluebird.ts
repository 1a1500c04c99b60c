/**
 * LoopBack's promises are bluebird's, and code leans on what they can beyond native ones (`.spread`, `.tap`,
 * `.asCallback`; specification, Versioning 17). Where an application has that library, it gets its promises.
 */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { ModelRegistry } from '@fastback/core'

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
    const found = required(folder)
    if (isBluebird(found)) return promise => found.resolve(promise)
  }
}

/** Where code that runs without a folder of its own may have its libraries: beside the program, or where it is run. */
export function programFolders (): string[] {
  const [, main] = process.argv
  return main === undefined ? [process.cwd()] : [dirname(main), process.cwd()]
}

function required (folder: string): unknown {
  try {
    return createRequire(join(folder, 'index.js'))('bluebird') as unknown
  } catch {
    // It is not there, or does not load here: an application that needs it says so itself.
  }
}
