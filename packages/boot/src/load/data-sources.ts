/** datasources.json, and the environment variable that replaces data sources from outside. */
import { InvalidConfigError } from '../errors.js'
import { readConfig } from './config-file.js'
import type { Folder } from './folder.js'
import { isRecord } from './is-record.js'
import type { Steps } from '../steps.js'
import { substitute, type Substitution } from './substitute.js'
import type { CheckKeys } from './check-keys.js'
import { DataSourceVocabulary } from './vocabulary.js'

export interface DataSourceConfig {
  readonly name: string
  readonly settings: Readonly<Record<string, unknown>> & { readonly connector: string }
  /** What wrote it, for messages: the file, or the variable. */
  readonly source: string
  /** What in its settings stands for nothing: `${DATABASE_URL}`, of which neither a variable nor a setting is there. */
  readonly unset: readonly string[]
}

/**
 * Settings by name that replace those of the file as a whole: `{"db": {"connector": "sql", "url": "postgres://…",
 * "migrate": "reset"}}`.
 */
export type DataSourceOverrides = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** The environment variable with data source overrides as JSON. */
const overridesVariable = 'FASTBACK_DATASOURCES'

/**
 * Reads datasources.json for an environment. The variable FASTBACK_DATASOURCES replaces the settings of a name (or adds
 * one); `overrides` do the same and have the last word, as options have everywhere: tools that load a folder with its
 * data in memory must never reach the databases that the environment names.
 * @throws FBK_BOOT_INVALID_JSON, FBK_BOOT_INVALID_CONFIG, FBK_BOOT_MERGE
 */
export function * loadDataSources (
  folder: Folder, env: string, by: Substitution, check: CheckKeys, overrides: DataSourceOverrides = {}
): Steps<DataSourceConfig[]> {
  const { file, value } = yield * readConfig(folder, 'datasources', env)
  const entries = new Map<string, { settings: unknown, source: string, unset?: readonly string[] }>()
  for (const [name, settings] of Object.entries(value)) {
    const unset: string[] = []
    const telling: Substitution = {
      ...by,
      unresolved (variable, text) {
        unset.push(`\${${variable}}`)
        by.unresolved(variable, text)
      }
    }
    entries.set(name, { settings: substitute(settings, telling), source: file, unset })
  }
  const outside = fromVariable(by.variable(overridesVariable))
  for (const [name, settings] of Object.entries(outside)) entries.set(name, { settings, source: overridesVariable })
  for (const [name, settings] of Object.entries(overrides)) {
    entries.set(name, { settings, source: 'the option dataSources' })
  }
  return [...entries].map(([name, { settings, source, unset = [] }]) => ({
    name,
    source,
    unset,
    settings: checked(name, settings, source, check)
  }))
}

function fromVariable (text: string | undefined): Record<string, unknown> {
  if (text === undefined || text === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    if (isRecord(value)) return value
  } catch (error) {
    throw new InvalidConfigError(overridesVariable, `must be JSON: ${(error as Error).message}`)
  }
  throw new InvalidConfigError(overridesVariable, 'must be a JSON object of data source settings by name')
}

function checked (
  name: string, settings: unknown, source: string, check: CheckKeys
): DataSourceConfig['settings'] {
  if (!isRecord(settings)) throw new InvalidConfigError(source, `data source "${name}" must be an object`)
  const { connector, url } = settings
  // Code may hand the connector over itself.
  if (typeof connector === 'function' || isRecord(connector)) {
    return { ...settings, name, connector: connector as unknown as string }
  }
  check(`${source}: data source "${name}"`, settings, DataSourceVocabulary)
  if (connector === undefined && typeof url === 'string') return { ...settings, name, connector: 'sql' }
  if (typeof connector === 'string' && connector !== '') return { ...settings, name, connector }
  throw new InvalidConfigError(source, `data source "${name}" needs a "connector", such as "memory" or "sql"`)
}
