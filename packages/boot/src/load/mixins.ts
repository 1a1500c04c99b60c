/**
 * Mixins of the folder: files that export `function (Model, options)`, or a model class whose properties and methods
 * are mixed in.
 */
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Mixin } from '@fastback/core'
import { InvalidConfigError } from '../errors.js'
import { readJson } from './config-file.js'
import type { Folder } from './folder.js'
import { codeFileOf, loadFile } from './module.js'
import { classify } from './names.js'
import type { Steps } from '../steps.js'
import { scriptNames } from './scripts.js'

export interface MixinSource {
  readonly name: string
  /** The file without its extension. */
  readonly base: string
}

export interface LoadedMixin {
  readonly name: string
  readonly mixin: Mixin
}

/**
 * The mixins of the folders named; a file `<name>.json` beside the code may give another name. Folders that are not
 * there are left out.
 */
export function findMixins (folder: Folder, sources: readonly string[]): MixinSource[] {
  return sources
    .filter(source => !source.startsWith('loopback/'))
    .flatMap(source => scriptNames(folder.find(source)))
    .map(base => {
      const meta = `${base}.json`
      const written = existsSync(meta) ? (readJson(folder, meta) as { name?: unknown }) : {}
      return { name: typeof written.name === 'string' ? written.name : mixinName(path.basename(base)), base }
    })
}

/**
 * Loads the mixins whose names are wanted; others stay untouched.
 * @throws FBK_BOOT_SCRIPT, FBK_BOOT_TYPESCRIPT; FBK_BOOT_INVALID_CONFIG when a file exports no function
 */
export function * loadMixins (
  folder: Folder,
  mixins: readonly MixinSource[],
  wanted: Iterable<string>
): Steps<LoadedMixin[]> {
  const names = new Set([...wanted].map(mixinName))
  const loaded: LoadedMixin[] = []
  for (const { name, base } of mixins) {
    if (!names.has(mixinName(name))) continue
    const file = codeFileOf(folder, base) as string
    const mixin = yield * loadFile(folder, file)
    if (typeof mixin !== 'function') {
      throw new InvalidConfigError(folder.name(file), 'a mixin must export a function (Model, options)')
    }
    loaded.push({ name, mixin: mixin as Mixin })
  }
  return loaded
}

/** `timeStamp`, `time-stamp` and `TimeStamp` are one mixin. */
const mixinName = (name: string): string => classify(name.replace(/([A-Z]+)/g, ' $1').toLowerCase())

/** Whether two names are those of one mixin: `timeStamp`, `time-stamp` and `TimeStamp`. */
export const sameMixin = (one: string, other: string): boolean => mixinName(one) === mixinName(other)
