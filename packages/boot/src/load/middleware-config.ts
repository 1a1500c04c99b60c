/** middleware.json: entries by phase (behaviour.md, section 12). */
import { InvalidConfigError } from '../errors.js'
import { readConfig } from './config-file.js'
import type { Steps } from '../steps.js'
import type { Folder } from './folder.js'
import type { CheckKeys } from './check-keys.js'
import { isRecord } from './is-record.js'
import { mergeMiddleware } from './merge.js'
import { substitute, type Substitution } from './substitute.js'
import { MiddlewareEntryVocabulary } from './vocabulary.js'

/** One middleware, as configured. */
export interface MiddlewareConfig {
  /** `initial`, `routes:before` … */
  readonly phase: string
  /** As written: `cors`, `loopback#rest`, `./middleware/stamp`. */
  readonly written: string
  /** The package or file. */
  readonly module: string
  /** What follows the `#`. */
  readonly fragment: string | undefined
  /** Arguments of the factory; `$!./x` already made an absolute path. */
  readonly params: readonly unknown[]
  readonly paths: ReadonlyArray<string | RegExp>
  /** In upper case; empty: all. */
  readonly methods: readonly string[]
  readonly optional: boolean
  /** For messages: `server/middleware.json, phase "initial", "cors"`. */
  readonly where: string
}

export interface MiddlewareConfigs {
  readonly file: string
  readonly present: boolean
  /** Names of phases in the order of the file, without `:before` and `:after`. */
  readonly phases: readonly string[]
  /** What is switched on, in the order of the file. */
  readonly entries: readonly MiddlewareConfig[]
}

/** @throws FBK_BOOT_INVALID_JSON, FBK_BOOT_MERGE, FBK_BOOT_INVALID_CONFIG */
export function * loadMiddlewareConfig (
  folder: Folder, env: string, by: Substitution, check: CheckKeys
): Steps<MiddlewareConfigs> {
  const { file, value, present } = yield * readConfig(folder, 'middleware', env, mergeMiddleware)
  const entries: MiddlewareConfig[] = []
  for (const [phase, written] of Object.entries(value)) {
    if (written === null || typeof written !== 'object') {
      throw new InvalidConfigError(file, `the phase "${phase}" must be an object`)
    }
    for (const [name, config] of Object.entries(written)) {
      for (const each of Array.isArray(config) ? config : [config]) {
        if (isRecord(each)) check(`${file}: phase "${phase}", "${name}"`, each, MiddlewareEntryVocabulary)
        entries.push(...entryOf(folder, phase, name, each as unknown, file, by))
      }
    }
  }
  const phases = Object.keys(value).map(phase => phase.replace(/:[^:]+$/, ''))
  return { file, present, phases: phases.filter((phase, i) => phase !== phases[i - 1]), entries }
}

function entryOf (
  folder: Folder,
  phase: string,
  written: string,
  config: unknown,
  file: string,
  by: Substitution
): MiddlewareConfig[] {
  const where = `${file}, phase "${phase}", "${written}"`
  if (config === null || typeof config !== 'object') {
    throw new InvalidConfigError(where, 'must be an object, or a list of objects')
  }
  const { enabled, optional, params, paths, methods, verbs } = substitute(config as Record<string, unknown>, by)
  if (enabled === false) return []
  const [module, fragment] = written.split('#') as [string, string | undefined]
  return [
    {
      phase,
      written,
      module,
      fragment,
      params: params === undefined ? [] : [absolutePaths(folder, params)].flat(),
      paths: pathsOf(paths, where),
      methods: methodsOf(methods ?? verbs, where),
      optional: optional === true,
      where
    }
  ]
}

function pathsOf (paths: unknown, where: string): Array<string | RegExp> {
  const list = paths === undefined || paths === null ? [] : [paths].flat()
  if (list.every(each => typeof each === 'string' || each instanceof RegExp)) return list
  throw new InvalidConfigError(where, '"paths" must be a path or a list of paths')
}

function methodsOf (methods: unknown, where: string): string[] {
  const list = methods === undefined || methods === null ? [] : [methods].flat()
  if (list.some(each => typeof each !== 'string')) {
    throw new InvalidConfigError(where, '"methods" must be a list of HTTP methods')
  }
  const upper = (list as string[]).map(each => each.toUpperCase())
  return upper.includes('ALL') ? [] : upper
}

/** `$!../client` stands for a path relative to the server folder. */
function absolutePaths (folder: Folder, value: unknown): unknown {
  if (typeof value === 'string') return /^\$!\.\.?\//.test(value) ? folder.path(value.slice(2)) : value
  if (Array.isArray(value)) return value.map(each => absolutePaths(folder, each))
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, absolutePaths(folder, each)]))
}
