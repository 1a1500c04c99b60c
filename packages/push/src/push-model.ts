/** Gives models the methods of a manager, and the one route that there is (PU-27). */
import type { ModelClass, RemoteMethodOptions } from '@fastback/core'
import { closeRowMethods, ownRemoteMethod, setRemoteMethod } from '@fastback/core/remote'
import type { PushManager } from './push-manager.js'

const names = [
  'notifyById', 'notifyByQuery', 'notify', 'notifyMany', 'configureApplication', 'configureProvider', 'feedback'
] as const

const send: RemoteMethodOptions = {
  isStatic: true,
  description: 'Sends a notification to the installations of a condition',
  accepts: [
    { arg: 'deviceQuery', type: 'object', description: 'Which installations; {} means all', http: { source: 'query' } },
    { arg: 'notification', type: 'object', description: 'The notification', http: { source: 'body' } },
    { arg: 'options', type: 'object', http: 'optionsFromRequest' }
  ],
  http: { verb: 'post', path: '/' },
  accessType: 'EXECUTE',
  returns: { arg: 'result', type: 'object' }
}

const webKey: RemoteMethodOptions = {
  isStatic: true,
  description: 'The key that browsers subscribe with',
  accepts: [{ arg: 'appId', type: 'string', required: true, http: { source: 'query' } }],
  http: { verb: 'get', path: '/web-key' },
  accessType: 'READ',
  returns: { arg: 'publicKey', type: 'string' }
}

/** Puts the methods on a model of the data source. */
export function mixIn (Model: ModelClass, manager: PushManager): void {
  closeRowMethods(Model)
  const define = (name: string, value: unknown): void => {
    // What the application put there is its own.
    if (Object.hasOwn(Model, name)) return
    Object.defineProperty(Model, name, { value, writable: true, configurable: true, enumerable: true })
  }
  for (const name of names) {
    // Who calls it sees by its parameters that it may call back.
    define(name, (...args: unknown[]) => (manager[name] as (...args: unknown[]) => unknown).call(manager, ...args))
  }
  define('webKey', async (appId: string) => await manager.webKey(appId))
  for (const [name, route] of Object.entries({ notifyByQuery: send, webKey })) {
    if (ownRemoteMethod(Model, name) === undefined) setRemoteMethod(Model, name, route)
  }
}
