/** `@fastback/loopback/connector-rest`: stands for the package `loopback-connector-rest`. */
import { connectorModule, type ConnectorModule } from '@fastback/boot/server'

/**
 * What `require('loopback-connector-rest')` gets.
 *
 * ```js
 * const weather = loopback.createDataSource({ connector: require('loopback-connector-rest'), operations })
 * ```
 */
export const restModule: ConnectorModule = connectorModule('loopback-connector-rest')

export default restModule
