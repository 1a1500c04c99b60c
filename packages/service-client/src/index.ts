/**
 * `@fastback/service-client`: the HTTP client of service connectors.
 *
 * ```js
 * const client = new ServiceClient(readClientSettings(settings, 'weather'), { dataSource: 'weather', log })
 * const { statusCode, body } = await client.request({ name: 'byCity', method: 'GET', url: 'https://api.example/oslo' })
 * ```
 */
export { ServiceClient } from './service-client.js'
export { isCalledUnasked } from './called-unasked.js'
export { authorizationOf, hasHeader } from './headers.js'
export { readClientSettings, type ServiceClientSettings } from './settings.js'
export type { CallSignal, HttpMethod, ServiceCall, ServiceClientContext, ServiceResponse } from './call.js'
export type { Headers } from './headers.js'
export type { ServiceTrace } from './tracing.js'
export { badGateway, gatewayTimeout, ServiceError } from './errors.js'
