/** Registries of models that belong to no application: each model builder and each data source has one of its own. */
import { adaptConnector, connectorByName, folderDefaults, watchReplication } from '@fastback/boot/server'
import { ModelRegistry } from '@fastback/core'
import { bluebirdOf, programFolders } from '../own-libraries.js'

export function createRegistry (): ModelRegistry {
  const registry = new ModelRegistry({ listsRoots: false, settings: { ...folderDefaults } })
  registry.promises = bluebirdOf(programFolders())
  registry.connectors.lookUp = name => connectorByName(name)
  registry.connectors.adapt = adaptConnector
  watchReplication(registry)
  return registry
}
