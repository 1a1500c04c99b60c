/** Loads an application folder to look at it: nothing listens, and no row of its databases is read or written. */
import { createServer, readConfiguration, type Server } from '@fastback/boot'

export interface LoadOptions {
  /** Name of the environment. Default: NODE_ENV, else `development`. */
  readonly env?: string | undefined
}

/**
 * Boots the folder with every data source in memory, so that boot scripts may create rows and databases need not be
 * there. Stop it afterwards.
 * @throws the coded errors of `@fastback/boot` and `@fastback/core`
 */
export async function loadApplication (dir: string, options: LoadOptions = {}): Promise<Server> {
  const { dataSources } = await readConfiguration(dir, options)
  const inMemory = Object.fromEntries(dataSources.map(({ name }) => [name, { connector: 'memory' }]))
  return await createServer(dir, { ...options, dataSources: inMemory, log: false })
}

/** Loads the folder, hands it over, and stops it. */
export async function withApplication<T> (
  dir: string,
  options: LoadOptions,
  use: (server: Server) => T | Promise<T>
): Promise<T> {
  const server = await loadApplication(dir, options)
  try {
    return await use(server)
  } finally {
    await server.stop()
  }
}
