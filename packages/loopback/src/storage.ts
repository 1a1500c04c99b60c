/** `@fastback/loopback/storage`: stands for the package `loopback-component-storage`. */
import { connectorModule, type ConnectorModule } from '@fastback/boot/server'
import { StorageService } from '@fastback/storage'

/**
 * What `require('loopback-component-storage')` gets: a connector, and the service for code without an application.
 *
 * ```js
 * app.dataSource('docs', { connector: require('loopback-component-storage'), provider: 'filesystem', root: './docs' })
 * ```
 */
export const storageModule: ConnectorModule & { readonly StorageService: typeof StorageService } = { ...connectorModule('loopback-component-storage'), StorageService }

export default storageModule
export { StorageService }
