/** Everything that a folder's files say, read and merged for an environment. */
import type { Settings as SettingValues } from './load/app-config.js'
import { loadAppConfig } from './load/app-config.js'
import { keyCheck } from './load/check-keys.js'
import { loadComponentConfig, type ComponentConfigs } from './load/component-config.js'
import { loadDataSources, type DataSourceConfig, type DataSourceOverrides } from './load/data-sources.js'
import { Folder, type GivenConfiguration } from './load/folder.js'
import { loadMiddlewareConfig, type MiddlewareConfigs } from './load/middleware-config.js'
import { loadModelConfig, type ModelConfigs } from './load/model-config.js'
import { substitute, type Substitution } from './load/substitute.js'
import { perform, type Steps } from './steps.js'
import { fileOfVariables } from './errors.js'

export interface ConfigurationOptions {
  /** Name of the environment. Default: NODE_ENV, else `development`. */
  readonly env?: string | undefined
  /** Win over the environment and config.json. */
  readonly host?: string | undefined
  readonly port?: number | string | undefined
  /**
   * Settings by name that replace (or add to) those of datasources.json and of the environment variable
   * FASTBACK_DATASOURCES.
   */
  readonly dataSources?: DataSourceOverrides | undefined
  /** What code gives in place of files. */
  readonly given?: GivenConfiguration | undefined
}

export interface Configuration {
  readonly folder: Folder
  readonly env: string
  readonly settings: SettingValues
  readonly dataSources: readonly DataSourceConfig[]
  readonly models: ModelConfigs
  readonly middleware: MiddlewareConfigs
  readonly components: ComponentConfigs
  /** What should be told once there is a log. */
  readonly warnings: readonly string[]
}

/** The name of the environment: the one given, else NODE_ENV, else `development`. */
export function environment (given: string | undefined): string {
  const { NODE_ENV: set } = process.env
  return given ?? (set === undefined || set === '' ? 'development' : set)
}

/**
 * Everything that a folder's files say, read and merged for an environment; nothing is run.
 *
 * ```js
 * const { settings, dataSources, warnings } = await readConfiguration('my-app', { env: 'production' })
 * ```
 * @param dir the application folder, or its folder `server`
 * @throws FBK_BOOT_FOLDER, FBK_BOOT_INVALID_JSON, FBK_BOOT_INVALID_CONFIG, FBK_BOOT_MERGE and the errors of single
 * files
 */
export async function readConfiguration (dir: string, options: ConfigurationOptions = {}): Promise<Configuration> {
  return await perform(configurationSteps(dir, options))
}

/** Of all settings these are secrets, or name servers and may carry their passwords. */
const secretSettings = ['bus', 'cursorSecret']

const withVariables = (settings: SettingValues, by: Substitution): SettingValues =>
  Object.fromEntries(secretSettings.flatMap(name =>
    settings[name] === undefined ? [] : [[name, substitute(settings[name], by)]]))

/** The same in steps, which need not wait where no file is an ES module. */
export function * configurationSteps (dir: string, options: ConfigurationOptions = {}): Steps<Configuration> {
  const folder = Folder.locate(dir, options.given)
  const variables = process.env
  const env = environment(options.env)
  const settings = yield * loadAppConfig(folder, { env, variables, host: options.host, port: options.port })
  const warnings: string[] = []
  const by: Substitution = {
    setting: name => (Object.hasOwn(settings, name) ? settings[name] : undefined),
    variable: name => variables[name],
    unresolved: (name, text) => {
      warnings.push(`"${text}" stands for nothing: there is no environment variable and no setting "${name}". ` +
        `Set it, ${fileOfVariables()}`)
    }
  }
  const check = keyCheck(settings.modelDefinitions, message => { warnings.push(message) })
  return {
    folder,
    env,
    settings: { ...settings, ...withVariables(settings, by) },
    dataSources: yield * loadDataSources(folder, env, by, check, options.dataSources),
    models: yield * loadModelConfig(folder, env, check),
    middleware: yield * loadMiddlewareConfig(folder, env, by, check),
    components: yield * loadComponentConfig(folder, env, by),
    warnings
  }
}
