/** Packages of the house that are loaded only where a folder needs them. */
import { createRequire } from 'node:module'
import type { MaybePromise } from '@fastback/core'

const require = createRequire(import.meta.url)

/** What a package exports: at once where this Node.js can `require` ES modules (20.19, 22.12), else a promise of it. */
export function loadPackage<T> (name: string): MaybePromise<T> {
  return (process.features as { require_module?: boolean }).require_module === true
    ? require(name) as T
    : import(name) as Promise<T>
}
