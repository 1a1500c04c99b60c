/** `@fastback/loopback/boot`: stands for the package `loopback-boot`. */
import type { Application, GivenConfiguration } from '@fastback/boot'
import { isPromise } from '@fastback/core/connector'
import { applications } from './applications.js'
import { BootFolderError, NotAnApplicationError } from './errors.js'

/**
 * What `loopback-boot` takes in place of a folder. Lists given in code (`models`, `dataSources`, `middleware` …) stand
 * in place of the files of the same purpose.
 */
export interface BootOptions extends GivenConfiguration {
  /** The folder with the configuration files, and what relative paths start from. Default: the working directory. */
  readonly appRootDir?: string
  /** Name of the environment. Default: NODE_ENV, else `development`. */
  readonly env?: string
}

type Callback = (error?: unknown) => void

/**
 * Loads a folder into an application. Its models, data sources and middleware are there when this returns, if nothing
 * in the folder takes its time (ES modules, databases on the network).
 *
 * ```js
 * const app = loopback()
 * boot(app, __dirname, error => {
 *   if (error) throw error
 *   app.listen()
 * })
 * ```
 * @param dir the folder with the configuration files (`__dirname` of server/server.js), or what it would hold
 * @param callback called once the boot scripts are through, in a later tick of the event loop
 * @returns a promise where no callback is given
 * @throws FBK_LOOPBACK_NOT_AN_APPLICATION, FBK_LOOPBACK_BOOT_FOLDER; errors of `@fastback/boot` that name file and key,
 * where there is neither callback nor anything to wait for
 */
export function boot (app: Application, dir: string | BootOptions, callback?: Callback): Promise<void> | undefined {
  const server = applications.serverOf(app)
  if (server === undefined) throw new NotAnApplicationError()
  const { appRootDir, env, ...given } = typeof dir === 'string' ? { appRootDir: dir } as BootOptions : dir
  if (appRootDir === undefined && Object.keys(given).length === 0) throw new BootFolderError()
  const root = appRootDir ?? process.cwd()
  const { core } = app.registry
  applications.findPromises(core, [root])
  const options = { ...applications.serverOptions, given, ...(env === undefined ? {} : { env }) }
  if (callback === undefined) {
    const loading = server.load(root, options)
    const loaded = isPromise(loading) ? loading.then(() => server.loaded()) : server.loaded()
    return core.promises?.(loaded) ?? loaded
  }
  const later = (error?: unknown): void => { setImmediate(callback, error) }
  let loading
  try {
    loading = server.load(root, options)
  } catch (error) {
    later(error)
    return
  }
  if (isPromise(loading)) loading.then(() => server.loaded()).then(() => { later() }, later)
  else later()
}

export default boot
