/** model-config.json: which models the application has, where they are stored, and whether they are published. */
import { InvalidConfigError, ModelConfigError } from '../errors.js'
import { readConfig } from './config-file.js'
import type { Folder } from './folder.js'
import { isRecord } from './is-record.js'

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
 * @throws FBK_BOOT_MODEL_CONFIG for keys that belong in the definition, FBK_BOOT_INVALID_CONFIG for entries of another form
 */
export async function loadModelConfig (folder: Folder, env: string): Promise<ModelConfigs> {
  const { file, value } = await readConfig(folder, 'model-config', env)
  const { _meta: meta, ...entries } = value
  if (meta !== undefined && (meta === null || typeof meta !== 'object')) throw new InvalidConfigError(file, '"_meta" must be an object')
  const { sources, mixins } = (meta ?? {}) as { sources?: unknown, mixins?: unknown }
  return {
    file,
    models: new Map(Object.entries(entries).map(([name, entry]) => [name, checked(name, entry, file)])),
    sources: names(sources, 'sources', file) ?? defaultSources,
    mixins: names(mixins, 'mixins', file) ?? defaultMixins
  }
}

function names (value: unknown, key: string, file: string): string[] | undefined {
  if (value === undefined) return undefined
  if (Array.isArray(value) && value.every(each => typeof each === 'string')) return value
  throw new InvalidConfigError(file, `"_meta.${key}" must be a list of folders`)
}

function checked (name: string, entry: unknown, file: string): ModelConfig {
  if (!isRecord(entry)) throw new InvalidConfigError(file, `the entry of the model "${name}" must be an object`)
  for (const key of ['properties', 'base', 'plural', 'http']) if (key in entry) throw new ModelConfigError(file, name, key)
  for (const key of ['base', 'plural']) {
    if (isRecord(entry.options) && key in entry.options) throw new ModelConfigError(file, name, `options.${key}`)
  }
  return entry
}
