/**
 * `@fastback/connector-loopback`: connectors that were made for LoopBack 3 (`loopback-connector-*`, community ones, a
 * folder's own), run by Fastback.
 *
 * ```js
 * registry.defineDataSource('erp', { connector: loopbackConnector(require('loopback-connector-rest')), baseURL: '…' })
 * ```
 */
import type { ConnectorContext, ConnectorFactory, DataSourceSettings } from '@fastback/core'
import { LegacyDataSource } from './legacy/data-source.js'
import { LoopbackConnector } from './loopback-connector.js'
import type { LoopbackConnectorClass, LoopbackConnectorModule } from './module.js'
import { Opening } from './opening.js'
import { passThrough } from './pass-through.js'
import { Store } from './store.js'

export * as errors from './errors.js'
export { isLoopbackConnector } from './module.js'
export type { LoopbackConnectorClass, LoopbackConnectorModule } from './module.js'
export type { LegacyConnector } from './legacy/connector.js'
export type { LoopbackConnector } from './loopback-connector.js'

/**
 * The connector factory of a module with `initialize(dataSource, callback)`, or of a class that is a connector.
 *
 * ```js
 * const rest = loopbackConnector(require('loopback-connector-rest'))
 * await app.register(core, { dataSources: { geo: { connector: rest, operations: [ … ] } }, … })
 * ```
 * @throws FBK_CONNECTOR_INITIALIZE, from the factory, when the connector cannot be made
 */
export function loopbackConnector (module: LoopbackConnectorModule | LoopbackConnectorClass): ConnectorFactory {
  return (settings: DataSourceSettings, context: ConnectorContext): LoopbackConnector => {
    const dataSource = new LegacyDataSource(context.dataSource, settings)
    const opening = new Opening(module, dataSource, settings)
    opening.begin()
    return passThrough(new LoopbackConnector(new Store(opening, dataSource)), () => dataSource.complete)
  }
}

export default loopbackConnector
