/**
 * `@fastback/connector-soap`: SOAP services as data sources, their operations as methods of models.
 *
 * ```js
 * await app.register(core, {
 *   dataSources: { stock: { connector: soapConnector, wsdl: './stock.wsdl', remotingEnabled: true } },
 *   definitions: [{ name: 'Quote', base: 'Model', options: { dataSource: 'stock' } }]
 * })
 * const { result } = await app.models.Quote.GetPrice({ Symbol: 'ACME' })
 * ```
 */
import type { ConnectorContext, ConnectorFactory, DataSourceSettings } from '@fastback/core'
import { SoapConnector } from './soap-connector.js'

export * as errors from './errors.js'
export { SoapFault } from './message/fault.js'
export type { SoapConnector } from './soap-connector.js'
export type { SoapClient } from './client.js'
export type { SoapMethod } from './model-methods.js'
export type { CallOptions, CallResult } from './soap-service.js'
export type { Attachment } from './message/attachments.js'
export type { FaultInfo } from './message/fault.js'
export type { SoapSettings } from './settings.js'

/**
 * Makes a SOAP connector.
 *
 * ```js
 * registry.defineDataSource('stock', { connector: soapConnector, wsdl: 'https://stock.example/service?wsdl' })
 * ```
 * @param settings `wsdl` or `url`, `operations`, `security`, `remotingEnabled`; the others are in the README
 * @throws FBK_CORE_DATA_SOURCE_SETTINGS
 */
export const soapConnector: ConnectorFactory = (
  settings: DataSourceSettings, context: ConnectorContext
): SoapConnector => new SoapConnector(settings, context)

export default soapConnector
