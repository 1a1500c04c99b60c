import { connectorByName } from '@fastback/boot/server'
import type { ConnectorFactory, ModelRegistry } from '@fastback/core'

/**
 * Gives the models of an application that was loaded to be looked at no rows: what its definitions say can be told
 * without its databases, which may have no tables yet.
 *
 * ```js
 * useEmptyStores(application.registry)
 * ```
 */
export function useEmptyStores (registry: ModelRegistry): void {
  // Applications in code know no connector by its name.
  const empty = registry.defineDataSource('fastback: no rows', { connector: connectorByName('memory') as ConnectorFactory })
  for (const Model of Object.values(registry.models)) {
    if (Model.dataSource !== undefined && Model.dataSource !== null) registry.attach(Model, empty)
  }
}
