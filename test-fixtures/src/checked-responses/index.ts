/**
 * Holds the responses of a server against its own API description, as they pass by. `command.js` does it for a command
 * that serves.
 */
export { checkAnswer, type Answer, type Verdict } from './response.js'
export { checkingProxy, type CheckingProxyOptions } from './checking-proxy.js'
export { Description, type Document as ApiDocument } from './description.js'
