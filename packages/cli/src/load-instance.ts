/** Looks at an application that code made: its plugins are loaded, and its `onReady` hooks do not run. */
import type { DataSource } from '@fastback/core'
import { explorerOptionsOf } from '@fastback/explorer'
import type { FastifyInstance } from 'fastify'
import type { LoadedApplication, StoreOptions } from './application.js'
import { chosenStores } from './chosen-stores.js'
import { NoRegistryError } from './errors.js'
import { isMadeAtStart } from './made-at-start.js'

/**
 * Waits for the plugins, which define the models and make the routes. Data sources are opened in `onReady`, so that
 * none is open then, unless the application's own code has used one; those that are asked for are opened here, without
 * a look at their tables. `close` closes what was opened here, and leaves the application to its maker.
 * @throws FBK_CLI_NO_REGISTRY, FBK_CLI_UNKNOWN_DATA_SOURCE; the coded errors of the connectors
 */
export async function loadInstance (
  fastify: FastifyInstance,
  { stores: wanted }: StoreOptions
): Promise<LoadedApplication> {
  await fastify.after()
  if (!fastify.hasDecorator('registry')) throw new NoRegistryError()
  const { registry } = fastify
  // What relations need of their models is there from now on.
  registry.close()
  const opened: DataSource[] = []
  const stores = new Map<string, DataSource>()
  const close = async (): Promise<void> => {
    for (const dataSource of opened) await dataSource.disconnect()
  }
  try {
    for (const name of chosenStores(Object.keys(registry.dataSources), wanted)) {
      const dataSource = registry.dataSources[name] as DataSource
      if (!dataSource.connected) opened.push(dataSource)
      await dataSource.connect()
      stores.set(name, dataSource)
    }
  } catch (error) {
    await close()
    throw error
  }
  return {
    fastify,
    registry,
    explorer: explorerOptionsOf(registry) ?? {},
    stores,
    makesTables: name => isMadeAtStart(stores.get(name), stores.get(name)?.settings.migrate),
    useStores () {},
    close
  }
}
