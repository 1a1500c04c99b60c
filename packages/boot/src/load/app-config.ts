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
  const said = (name: 'host' | 'port', given: unknown, names: readonly string[]): Said => {
    const variable = names.find(each => options.variables[each])
    const last = `npm_package_config_${name}`
    if (given !== undefined) return { value: given, by: 'the option', what: name }
    if (variable !== undefined) return { value: options.variables[variable], by: 'the environment', what: variable }
    const inFile = value[name] ?? undefined
    return inFile !== undefined || options.variables[last] === undefined
      ? { value: inFile, by: file, what: name }
      : { value: options.variables[last], by: 'the environment', what: last }
  }
  const host = hostOf(said('host', options.host, hostVariables))
  const restApiRoot = value.restApiRoot ?? '/api'
  if (typeof restApiRoot !== 'string' || !restApiRoot.startsWith('/')) {
    throw new InvalidConfigError(file, '"restApiRoot" must start with "/"')
  }
  return {
    ...value,
    env: options.env,
    ...(host === undefined ? {} : { host }),
    port: portOf(said('port', options.port, portVariables)),
    restApiRoot
  }
}

/** A setting, and what says it: the messages blame the variable where it is one. */
interface Said { readonly value: unknown, readonly by: string, readonly what: string }

/** @throws FBK_BOOT_INVALID_CONFIG */
function hostOf ({ value, by, what }: Said): string | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'string') throw new InvalidConfigError(by, `"${what}" must be text`)
  // A whole address of HTTP is the usual slip: `http://localhost:3000`.
  if (/[\s/?#@]/.test(value)) {
    throw new InvalidConfigError(by, `"${what}" must be the name or the IP address of an interface of this machine, such as "127.0.0.1" or "0.0.0.0", not "${value}"`)
  }
  return value
}

/**
 * A number where the text is one, 3000 where nothing says any; other text is the path of a socket or pipe.
 * @throws FBK_BOOT_INVALID_CONFIG
 */
function portOf ({ value: port = 3000, by, what }: Said): number | string {
  if (typeof port !== 'number' && typeof port !== 'string') {
    throw new InvalidConfigError(by, `"${what}" must be a number or text`)
  }
  const number = Number(port)
  if (Number.isNaN(number)) {
    if (/[/\\.]/.test(String(port))) return port
    throw new InvalidConfigError(by, `"${what}" must be a number from 0 to 65535, or the path of a socket, not "${port}"`)
  }
  if (Number.isInteger(number) && number >= 0 && number <= 65535) return number
  throw new InvalidConfigError(by, `"${what}" must be a number from 0 to 65535, not ${port}`)
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
