/** `@fastback/rest/calls`: calls of shared methods through their routes, for other ways into an application. */
export { callFault } from './call-fault.js'
export { routeCalls, type RouteCalls, type CalledRoute, type CallsOfRequest, type RouteArguments } from './route-calls.js'
export type { InnerResponse, InnerStream } from './inner-calls.js'
export { mayFillIn } from '../hooks/fill-in.js'
export { errorOf } from './error-of.js'
export { parseJson } from '../parse/json.js'
