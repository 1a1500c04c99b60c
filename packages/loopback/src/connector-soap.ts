/** `@fastback/loopback/connector-soap`: stands for the package `loopback-connector-soap`. */
import { connectorModule, type ConnectorModule } from '@fastback/boot/server'

/**
 * What `require('loopback-connector-soap')` gets.
 *
 * ```js
 * const stock = loopback.createDataSource({ connector: require('loopback-connector-soap'), wsdl: './stock.wsdl' })
 * ```
 */
export const soapModule: ConnectorModule = connectorModule('loopback-connector-soap')

export default soapModule
