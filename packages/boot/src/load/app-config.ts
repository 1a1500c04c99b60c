/** config.json: the application's settings, and those that the environment decides. */
import { InvalidConfigError, RemotingContextError, RemotingCorsError } from '../errors.js'
import { readConfig } from './config-file.js'
import { isRecord } from './is-record.js'
import type { Steps } from '../steps.js'
import type { Folder } from './folder.js'

/** Settings by name, as `app.get(name)` gives them. */
export type Settings = Record<string, unknown>

export interface AppConfigOptions {
  readonly env: string
  readonly variables: NodeJS.ProcessEnv
  /** Given by the command line or the embedding program: they win over everything. */
  readonly host?: string | undefined
  readonly port?: number | string | undefined
}

const hostVariables = ['npm_config_host', 'OPENSHIFT_SLS_IP', 'OPENSHIFT_NODEJS_IP', 'HOST', 'VCAP_APP_HOST']
const portVariables = ['npm_config_port', 'OPENSHIFT_SLS_PORT', 'OPENSHIFT_NODEJS_PORT', 'PORT', 'VCAP_APP_PORT']

/**
 * Reads config.json and adds `env`, `host`, `port` (default 3000) and `restApiRoot` (default /api) in the order of
 * behaviour.md, section 12.
 * @throws FBK_BOOT_INVALID_CONFIG, FBK_BOOT_REMOTING_CONTEXT, FBK_BOOT_REMOTING_CORS
 */
export function * loadAppConfig (folder: Folder, options: AppConfigOptions): Steps<Settings> {
  const { file, value } = yield * readConfig(folder, 'config', options.env)
  checkRemoting(value.remoting, file)
  const first = (names: string[]): string | undefined => names.map(name => options.variables[name]).find(Boolean)
  const host = options.host ?? first(hostVariables) ?? value.host ?? options.variables.npm_package_config_host
  if (host !== undefined && host !== null && typeof host !== 'string') {
    throw new InvalidConfigError(file, '"host" must be text')
  }
  const restApiRoot = value.restApiRoot ?? '/api'
  if (typeof restApiRoot !== 'string' || !restApiRoot.startsWith('/')) {
    throw new InvalidConfigError(file, '"restApiRoot" must start with "/"')
  }
  return {
    ...value,
    env: options.env,
    ...(typeof host === 'string' ? { host } : {}),
    port: portOf(
      options.port ?? first(portVariables) ?? value.port ?? options.variables.npm_package_config_port ?? 3000,
      file
    ),
    restApiRoot
  }
}

/** A number where the text is one; other text is the path of a socket or pipe. */
function portOf (port: unknown, file: string): number | string {
  if (typeof port !== 'number' && typeof port !== 'string') {
    throw new InvalidConfigError(file, '"port" must be a number or text')
  }
  const number = Number(port)
  if (Number.isNaN(number)) {
    if (/[/\\.]/.test(String(port))) return port
    throw new InvalidConfigError(file, `"port" must be a number, or the path of a socket, not "${port}"`)
  }
  if (Number.isInteger(number) && number >= 0 && number <= 65535) return number
  throw new InvalidConfigError(file, `"port" must be between 0 and 65535, not ${port}`)
}

function checkRemoting (remoting: unknown, file: string): void {
  if (remoting === undefined || remoting === null) return
  if (typeof remoting !== 'object') throw new InvalidConfigError(file, '"remoting" must be an object')
  const { context, cors } = remoting as { context?: unknown, cors?: unknown }
  if (!isOff(context)) throw new RemotingContextError(file)
  if (cors !== undefined && cors !== false && cors !== null) throw new RemotingCorsError(file)
}

/** LoopBack 2's generator wrote the setting as an object with a switch. */
function isOff (context: unknown): boolean {
  if (context === undefined || context === null || context === false) return true
  return isRecord(context) && 'enableHttpContext' in context && context.enableHttpContext === false
}
