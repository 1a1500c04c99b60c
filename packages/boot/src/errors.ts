/**
 * Errors of `@fastback/boot`: an application folder that cannot be started, or a call on the application that is no
 * longer possible. Every message names the file (relative to the folder) and the key in it.
 */
import { existsSync } from 'node:fs'
import { startUpErrors } from '@fastback/core/remote'

const startup = startUpErrors('BOOT')

/** The given path is not an application folder. */
export const FolderError = startup('FOLDER', '"%s" is not an application folder: %s')
/** A configuration file is not valid JSON; the message names the line. */
export const InvalidJsonError = startup('INVALID_JSON', '%s, line %s: %s')
/** A value in a configuration file is invalid; the message names file and key. */
export const InvalidConfigError = startup('INVALID_CONFIG', '%s: %s')
/** Two configuration files cannot be merged: their types, or the lengths of their lists, differ. */
export const MergeError = startup('MERGE', '%s: %s')
/** A script of the folder cannot be loaded, or failed. */
export const ScriptError = startup('SCRIPT', '%s: %s')
/** This version of Node.js does not run TypeScript, and there is no JavaScript next to the file. */
export const TypeScriptError = startup(
  'TYPESCRIPT',
  '%s is not loaded: this Node.js does not run TypeScript. Compile it to %s beside it, or run the folder on a Node.js that strips types (22.18 or later).'
)
/** A module that a configuration names cannot be found. */
export const ModuleNotFoundError = startup('MODULE_NOT_FOUND', '%s: "%s" cannot be found.%s')
/** model-config.json has a key that belongs in the model's definition. */
export const ModelConfigError = startup(
  'MODEL_CONFIG',
  '%s: model "%s" has "%s", which belongs in the model\'s definition (common/models/*.json).'
)
export const UnknownConfiguredModelError = startup(
  'UNKNOWN_MODEL',
  '%s: there is no definition of the model "%s" in %s.%s'
)
export const RemotingContextError = startup(
  'REMOTING_CONTEXT',
  '%s: remoting.context was removed in version 3.0. Remove it, or set it to false.'
)
export const RemotingCorsError = startup(
  'REMOTING_CORS',
  '%s: remoting.cors was removed in version 3.0. Set it to false; put "cors" in middleware.json, phase "initial".'
)
export const UnknownPhaseError = startup('UNKNOWN_PHASE', 'There is no middleware phase "%s".%s')
export const PhaseOrderError = startup(
  'PHASE_ORDER',
  'Ordering conflict: the middleware phase "%s" cannot come after "%s", because the opposite order was already given.'
)
/** An entry of middleware.json cannot be installed. */
export const MiddlewareError = startup('MIDDLEWARE', '%s: %s')
/** A component cannot be set up. */
export const ComponentError = startup('COMPONENT', '%s: component "%s" %s')
/** Code uses a property of the framework object that version 3.0 removed; the message names what to use. */
export const RemovedPropertyError = startup('REMOVED_PROPERTY', 'loopback.%s was removed in version 3.0. Use %s instead.')
/** Code calls a function that version 3.0 removed; the message names its replacement. */
export const RemovedFunctionError = startup('REMOVED_FUNCTION', '%s was removed in version 3.0. %s')
export const AuthUnavailableError = startup(
  'AUTH_UNAVAILABLE',
  'enableAuth() needs @fastback/auth and @fastback/acl, which are not there.'
)
export const TooLateError = startup(
  'TOO_LATE',
  '%s: the server has started without Express middleware; add it in a boot script or in middleware.json.'
)

/**
 * Runs one step of loading and puts the file before the message of an error that does not name it yet, so that core
 * errors about a data source or a model say where it was written.
 */
export function naming<T> (file: string, step: () => T): T {
  try {
    return step()
  } catch (error) {
    throw named(file, error)
  }
}

/** The error with the file in its message. */
export function named (file: string, error: unknown): unknown {
  if (isCoded(error) && !error.message.includes(file)) error.message = `${file}: ${error.message}`
  return error
}

/** Whether an error is one of ours, whichever package made it. */
export function isCoded (error: unknown): error is Error & { code: string } {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('FBK_')
}

/**
 * What to do about a variable that is missing, in words. A file `.env` that stands here is named, as `fastback new
 * --database` writes one.
 *
 * ```js
 * fileOfVariables() // 'or name a file that does with --env-file'
 * ```
 */
export const fileOfVariables = (): string => existsSync('.env')
  ? 'or take those of the file that is here with --env-file .env'
  : 'or name a file that does with --env-file'

/**
 * Says in the message of an error what in the settings stood for nothing: that is why they are wrong, mostly.
 *
 * ```js
 * throw namingUnset(error, ['${DATABASE_URL}'])
 * ```
 * @param unset of `Configuration.dataSources`
 */
export function namingUnset (error: unknown, unset: readonly string[]): unknown {
  if (unset.length > 0 && error instanceof Error) {
    const [first = ''] = unset
    const name = first.slice('${'.length, -1)
    error.message += `. ${unset.map(each => `"${each}"`).join(', ')} stands for nothing: set ${name} in the environment, ` +
      fileOfVariables()
  }
  return error
}
