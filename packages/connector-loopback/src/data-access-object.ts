/** Functions that a connector has for the models attached to it: `connector.DataAccessObject`. */
import type { ModelClass, RemoteMethodOptions } from '@fastback/core'
import type { DataAccessObject, LegacyConnector } from './legacy/connector.js'

type Shared = ((...args: unknown[]) => unknown) & RemoteMethodOptions & { readonly shared?: boolean }

/** What a function says about itself, for `remoteMethod`. */
const described = [
  'accepts', 'returns', 'http', 'description', 'notes', 'accessType', 'accessScopes', 'errors', 'documented', 'rest'
]

/** Puts the functions of a connector on a model, and publishes those that are `shared`. */
export function mixIn (Model: ModelClass, connector: LegacyConnector): void {
  const given = connector.getDataAccessObject
  const functions = typeof given === 'function'
    ? given.call(connector) as DataAccessObject | undefined
    : connector.DataAccessObject
  if (functions === undefined || functions === null) return
  mixInEach(Model, functions, Model, '')
  if (functions.prototype !== undefined) mixInEach(Model, functions.prototype, Model.prototype, 'prototype.')
}

function mixInEach (Model: ModelClass, from: object, to: object, prefix: string): void {
  for (const name in from) {
    const method = (from as Record<string, unknown>)[name]
    if (typeof method !== 'function' || name === 'constructor') continue
    Object.defineProperty(to, name, { value: method, writable: true, configurable: true, enumerable: true })
    if ((method as Shared).shared === true) Model.remoteMethod(`${prefix}${name}`, optionsOf(method as Shared))
  }
}

function optionsOf (method: Shared): RemoteMethodOptions {
  return Object.fromEntries(described.filter(key => method[key] !== undefined).map(key => [key, method[key]]))
}
