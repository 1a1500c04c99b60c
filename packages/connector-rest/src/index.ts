/**
 * `@fastback/connector-rest`: services over HTTP as data sources.
 *
 * ```js
 * const weather = registry.defineDataSource('weather', {
 *   connector: restConnector,
 *   operations: [{ template: { url: 'https://api.example/forecast/{city}' }, functions: { byCity: ['city'] } }]
 * })
 * const forecast = await weather.byCity('Oslo')
 * ```
 */
import type { ConnectorContext, ConnectorFactory, DataSourceSettings } from '@fastback/core'
import { RestConnector } from './rest-connector.js'

export * as errors from './errors.js'
export type { RestResponse } from './response.js'
export type { ServiceCallback, ServiceFunction } from './functions.js'
export type { RestRequest } from './request.js'
export type { RestConnector } from './rest-connector.js'

/**
 * Makes a connector of a service.
 *
 * ```js
 * registry.defineDataSource('stations', { connector: restConnector, baseURL: 'https://api.example', crud: true })
 * ```
 * @throws FBK_CORE_DATA_SOURCE_SETTINGS, FBK_BOOT_INVALID_CONFIG, FBK_REST_CONNECTOR_REFUSED_SETTING
 */
export const restConnector: ConnectorFactory = (
  settings: DataSourceSettings, context: ConnectorContext
): RestConnector => new RestConnector(settings, context)

export default restConnector
