/**
 * `@fastback/connector-rest/service`: what a connector is made with whose operations another description says: requests
 * with their observers, answers and errors as those of templates.
 */
export { Service } from '../service.js'
export type { Exchange } from '../exchange.js'
export { clientSettings } from '../settings.js'
export { invalidPathValue, upstreamError } from '../errors.js'
export { remoteCallOf, type RemoteCall } from '../remote-call.js'
export type { RestRequest } from '../request.js'
export type { RestResponse } from '../response.js'
export type { ServiceCallback, ServiceFunction } from '../functions.js'
