/** Loads an application folder: nothing listens, and its models have their data in memory. */
import { createServer, errors, readConfiguration, scratchStores } from '@fastback/boot'
import type { DataSource } from '@fastback/core'
import type { ExplorerOptions } from '@fastback/explorer'
import type { LoadedApplication, LoadOptions, StoreOptions } from './application.js'
import { chosenStores } from './chosen-stores.js'
import { isMadeAtStart } from './made-at-start.js'

/** Where the real data source stands beside the one in memory. */
const stored = (name: string): string => `${name} (stored)`

/**
 * Boots the folder with every data source in memory, so that boot scripts may create rows and databases need not be
 * there; what keeps files has an empty folder that is removed in the end. The stores that are asked for stand beside;
 * no boot script finds them, and their tables stay as they are.
 * @throws FBK_CLI_UNKNOWN_DATA_SOURCE; the coded errors of `@fastback/boot` and `@fastback/core`
 */
export async function loadFolder (
  dir: string,
  { stores: wanted, ...options }: LoadOptions & StoreOptions
): Promise<LoadedApplication> {
  const configuration = await readConfiguration(dir, options)
  const names = chosenStores(configuration.dataSources.map(({ name }) => name), wanted)
  const { dataSources, remove } = scratchStores(configuration)
  for (const { name, settings } of configuration.dataSources) {
    if (names.includes(name)) dataSources[stored(name)] = { ...settings, migrate: 'none' }
  }
  const server = await createServer(dir, { ...options, dataSources, log: false }).catch((error: unknown) => {
    remove()
    const wanted = configuration.dataSources.filter(({ name }) => names.includes(name))
    throw errors.namingUnset(error, wanted.flatMap(({ unset }) => unset))
  })
  const { fastify, app } = server
  const { registry } = fastify
  return {
    fastify,
    registry,
    explorer: (app.get('loopback-component-explorer') ?? {}) as ExplorerOptions,
    stores: new Map(names.map(name => [name, registry.dataSources[stored(name)] as DataSource])),
    makesTables (wanted) {
      const given = configuration.dataSources.find(({ name }) => name === wanted)
      return isMadeAtStart(registry.dataSources[stored(wanted)], given?.settings.migrate)
    },
    useStores () {
      for (const Model of Object.values(registry.models)) {
        const name = Model.dataSource?.name
        if (name !== undefined && registry.dataSources[stored(name)] !== undefined) registry.attach(Model, stored(name))
      }
    },
    async close () {
      await server.stop()
      remove()
    }
  }
}
