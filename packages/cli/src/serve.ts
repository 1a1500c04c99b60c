/** `fastback serve`: an application folder, listening. */
import { createServer, type Server, type ServerOptions } from '@fastback/boot'
import { AddressInUseError } from './errors.js'

export interface ServeOptions extends ServerOptions {}

export interface Served {
  readonly server: Server
  /** `http://127.0.0.1:3000` */
  readonly url: string
  /** Where the REST API begins. */
  readonly apiUrl: string
  /** Where the explorer is; undefined without one. */
  readonly explorerUrl: string | undefined
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
 * @throws FBK_CLI_ADDRESS_IN_USE; the coded errors of `@fastback/boot` and `@fastback/core`
 */
export async function serve (dir: string, options: ServeOptions = {}): Promise<Served> {
  const server = await createServer(dir, options)
  let url: string
  try {
    url = await server.start()
  } catch (error) {
    await server.stop()
    throw (error as { code?: unknown }).code === 'EADDRINUSE'
      ? inUse(error as { port?: number; address?: string })
      : error
  }
  const explorer = server.app.get('loopback-component-explorer') as { mountPath: string } | undefined
  return {
    server,
    url,
    apiUrl: url + String(server.app.get('restApiRoot')),
    explorerUrl: explorer === undefined ? undefined : url + explorer.mountPath,
    close: () => server.stop()
  }
}

const inUse = ({ port, address }: { port?: number; address?: string }): Error =>
  new AddressInUseError(String(port), address === undefined ? '' : ` of ${address}`)
