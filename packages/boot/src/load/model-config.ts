/** model-config.json: which models the application has, where they are stored, and whether they are published. */
import { isDeepStrictEqual } from 'node:util'
import { InvalidConfigError, ModelConfigError } from '../errors.js'
import { readConfig } from './config-file.js'
import type { Steps } from '../steps.js'
import type { Folder } from './folder.js'
import { isRecord } from './is-record.js'
import type { CheckKeys } from './check-keys.js'
import { MetaVocabulary, ModelEntryVocabulary } from './vocabulary.js'

/** The entry of one model. */
export interface ModelConfig {
  /** Name of the data source; null or false: none. */
  readonly dataSource?: string | null | false
  /** Whether the model is published over REST. Default: true. */
  readonly public?: boolean
  readonly relations?: Record<string, Record<string, unknown>>
  readonly acls?: Array<Record<string, unknown>>
  readonly methods?: Record<string, Record<string, unknown>>
  /** Settings that override those of the definition. */
  readonly options?: Record<string, unknown>
  readonly [key: string]: unknown
}

export interface ModelConfigs {
  readonly file: string
  readonly models: ReadonlyMap<string, ModelConfig>
  /** Folders with model definitions and with mixins, as written. */
  readonly sources: readonly string[]
  readonly mixins: readonly string[]
}

const defaultSources = ['../common/models', './models']
const defaultMixins = ['../common/mixins', './mixins']

/**
 * @throws FBK_BOOT_MODEL_CONFIG for keys that belong in the definition, FBK_BOOT_INVALID_CONFIG for entries of another
 * form
 */
export function * loadModelConfig (folder: Folder, env: string, check: CheckKeys): Steps<ModelConfigs> {
  const { file, value } = yield * readConfig(folder, 'model-config', env)
  const { _meta: meta, ...entries } = value
  if (meta !== undefined && (meta === null || typeof meta !== 'object')) {
    throw new InvalidConfigError(file, '"_meta" must be an object')
  }
  const { sources, mixins } = (meta ?? {}) as { sources?: unknown, mixins?: unknown }
  if (isRecord(meta)) check(`${file}: _meta`, meta, MetaVocabulary)
  for (const [name, entry] of Object.entries(entries)) {
    if (isRecord(entry)) check(`${file}: model "${name}"`, entry, ModelEntryVocabulary)
  }
  return {
    file,
    models: new Map(Object.entries(entries).map(([name, entry]) => [name, checked(name, entry, file)])),
    sources: folder.given.modelSources ?? names(sources, 'sources', file) ?? defaultSources,
    mixins: [
      ...folder.given.mixinDirs ?? [],
      ...folder.given.mixinSources ?? names(mixins, 'mixins', file) ?? defaultMixins
    ]
  }
}

function names (value: unknown, key: string, file: string): string[] | undefined {
  if (value === undefined) return undefined
  if (Array.isArray(value) && value.every(each => typeof each === 'string')) return value
  throw new InvalidConfigError(file, `"_meta.${key}" must be a list of folders`)
}

function checked (name: string, entry: unknown, file: string): ModelConfig {
  if (!isRecord(entry)) throw new InvalidConfigError(file, `the entry of the model "${name}" must be an object`)
  checkEntry(name, entry, file)
  return entry
}

/** What belongs in a definition: written in an entry it would say nothing. */
const ofDefinition = ['properties', 'base', 'super', 'plural', 'http', 'mixins']
/** Settings: their place is under `options`. */
const ofOptions = [
  'hidden',
  'hiddenProperties',
  'protected',
  'protectedProperties',
  'scope',
  'scopes',
  'settings',
  'defaultPermission',
  'aclErrorStatus',
  'ownerRelations',
  'ownerFromToken',
  'includeAccess',
  'relatedAccess',
  'maxLimit',
  'strict',
  'forceId',
  'remoting'
]
/** They stand beside `dataSource`. */
const besideDataSource = ['relations', 'acls', 'methods', 'dataSource', 'public']

/**
 * Checks an entry: nothing in it that decides about access may be without effect (security.md, S-84).
 * @param place for messages
 * @throws FBK_BOOT_MODEL_CONFIG, FBK_BOOT_INVALID_CONFIG
 */
export function checkEntry (name: string, entry: Readonly<Record<string, unknown>>, place: string): void {
  const { options = {}, relations, methods, acls } = entry
  const wrong = (what: string): Error => new InvalidConfigError(place, `model "${name}": ${what}`)
  for (const [key, value] of Object.entries({ options, relations, methods })) {
    if (value !== undefined && value !== null && !isRecord(value)) throw wrong(`"${key}" must be an object`)
  }
  if (acls !== undefined && acls !== null && !(Array.isArray(acls) && acls.every(isRecord))) {
    throw wrong('"acls" must be a list of rules')
  }
  for (const key of ofDefinition) {
    if (key in entry) throw new ModelConfigError(place, name, key)
    if (isRecord(options) && key in options && key !== 'http') throw new ModelConfigError(place, name, `options.${key}`)
  }
  for (const key of besideDataSource) {
    if (isRecord(options) && key in options) throw wrong(`"options.${key}" has no effect; put it beside "dataSource"`)
  }
  for (const key of ofOptions) {
    if (!(key in entry) || !isRecord(options) || !(key in options)) continue
    if (isDeepStrictEqual(entry[key], options[key])) continue
    throw wrong(`"${key}" says something else beside "dataSource" than under "options"; keep the latter`)
  }
}

/**
 * The settings of an entry: its `options`, and what stands beside `dataSource` although it belongs there. LoopBack
 * ignores the latter; here it counts, as nobody writes `hidden` to hide nothing.
 * @param misplaced is told each such key
 */
export function settingsOf (entry: ModelConfig, misplaced: (key: string) => void): Record<string, unknown> {
  const settings: Record<string, unknown> = {}
  for (const key of ofOptions) {
    if (!(key in entry)) continue
    settings[key] = entry[key]
    misplaced(key)
  }
  return { ...settings, ...entry.options }
}
