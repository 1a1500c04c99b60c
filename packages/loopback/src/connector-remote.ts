/** `@fastback/loopback/connector-remote`: stands for the package `loopback-connector-remote`. */
import { connectorModule, type ConnectorModule } from '@fastback/boot/server'

/**
 * What `require('loopback-connector-remote')` gets, and `loopback.Remote`.
 *
 * ```js
 * const hall = loopback.createDataSource({ connector: loopback.Remote, url: 'https://hall.example/api' })
 * ```
 */
export const remoteModule: ConnectorModule = connectorModule('loopback-connector-remote')

export default remoteModule
