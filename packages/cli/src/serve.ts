/** `fastback serve`: an application folder, listening. */
import { createServer, type Server, type ServerOptions } from '@fastback/boot'
import { definitionChangesIn } from '@fastback/core/remote'
import { AddressInUseError, HostError } from './errors.js'
import type { Addresses } from './start-line.js'

export interface ServeOptions extends ServerOptions {}

export interface Served extends Addresses {
  readonly server: Server
  /** Answers what was begun, then closes everything. */
  close (): Promise<void>
}

/**
 * Boots a folder and listens. Signals are left to the caller (`stopOnSignals` of `@fastback/boot`).
 *
 * ```js
 * const { url, close } = await serve('my-app', { port: 0 })
 * ```
 * @param options.port default: PORT in the environment, config.json, 3000; 0 for any free port
 * @throws FBK_CLI_ADDRESS_IN_USE, FBK_CLI_HOST; the coded errors of `@fastback/boot` and `@fastback/core`
 */
export async function serve (dir: string, options: ServeOptions = {}): Promise<Served> {
  const server = await createServer(dir, options)
  try {
    return servedBy(server, await server.start())
  } catch (error) {
    await server.stop()
    throw failure(error, options)
  }
}

export interface ProcessOptions extends ServeOptions {
  /** Whether the process is replaced when files change. Default: false. */
  readonly watched?: boolean | undefined
}

/** What `fastback serve` has beyond `serve`. */
export interface Launched extends Served {
  /** Names of LoopBack's packages that code of the folder asked for, and that led to Fastback. */
  readonly mapped: readonly string[]
}

/**
 * Serves a folder with the whole process, as `node .` in it would: its own server file runs, the working directory is
 * the folder's, and LoopBack's names lead here.
 * @throws as `serve`; FBK_LOOPBACK_NOT_STARTED; what the folder's own server file throws
 */
export async function serveProcess (dir: string, options: ProcessOptions = {}): Promise<Launched> {
  const { launch } = await import('@fastback/loopback/launch')
  try {
    const { url, mapped, ...server } = await launch(dir, options)
    await takeChanges(server, dir, options)
    return { ...servedBy(server, url), mapped }
  } catch (error) {
    throw failure(error, options)
  }
}

/** While an application is developed, its studio may change the files of its definitions. */
async function takeChanges ({ app, fastify }: Server, dir: string, options: ProcessOptions): Promise<void> {
  const { watched = false, env, processes = 1 } = options
  if (app.get('@fastback/studio') === undefined || process.env.NODE_ENV !== 'development' || processes > 1) return
  const { folderChanges } = await import('./studio/definition-changes.js')
  definitionChangesIn(fastify.registry).by = folderChanges(dir, { restarts: watched, env })
}

function servedBy (server: Server, url: string): Served {
  const explorer = server.app.get('loopback-component-explorer') as { mountPath: string } | undefined
  const admin = server.app.get('@fastback/admin') as { path: string } | undefined
  const studio = server.app.get('@fastback/studio') as { path: string } | undefined
  return {
    server,
    url,
    apiUrl: url + String(server.app.get('restApiRoot')),
    explorerUrl: explorer === undefined ? undefined : url + explorer.mountPath,
    adminUrl: admin === undefined ? undefined : url + admin.path,
    studioUrl: studio === undefined ? undefined : url + studio.path,
    close: () => server.stop()
  }
}

/** What of the machine is in the way, said by the setting that can be changed. */
function failure (error: unknown, { host }: ServeOptions): unknown {
  const { code, port, address, hostname } = error as NodeJS.ErrnoException & Readonly<Record<'port' | 'address' | 'hostname', string | undefined>>
  if (code === 'EADDRINUSE') return new AddressInUseError(String(port), address === undefined ? '' : ` of ${address}`)
  if (code !== undefined && unknownHost.has(code)) {
    const written = hostname ?? address
    const place = host !== undefined ? '--host' : process.env.HOST === written ? 'HOST in the environment' : '"host" in config.json'
    return new HostError(String(written), code, place)
  }
  return error
}

const unknownHost: ReadonlySet<string> = new Set(['ENOTFOUND', 'EADDRNOTAVAIL', 'EAI_AGAIN'])
