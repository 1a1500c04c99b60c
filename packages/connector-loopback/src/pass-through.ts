/** `dataSource.connector` for application code: ours, with every other member of the legacy connector. */
import type { Connector } from '@fastback/core'
import type { LegacyConnector } from './legacy/connector.js'

/** Optional members of our contract: where ours has none, the legacy connector's must not show through. */
const contract: ReadonlySet<PropertyKey> = new Set([
  'transactions', 'text', 'sets', 'together', 'units', 'keyValue', 'modelBase', 'joined'
])

/**
 * A connector that has its own members and, beneath them, those of the legacy one: `connector.execute(sql, params,
 * callback)`, `connector.observe('before execute', …)`, `connector.collection(name)`. Their `this` is their connector.
 */
export function passThrough<T extends Connector> (own: T, legacy: () => LegacyConnector | undefined): T {
  const bound = new WeakMap<object, unknown>()
  const bind = (method: unknown, target: object): unknown => {
    if (typeof method !== 'function') return method
    let found = bound.get(method)
    if (found === undefined) bound.set(method, found = Object.assign(method.bind(target), method))
    return found
  }
  return new Proxy(own, {
    get (target, key) {
      if (key in target || contract.has(key)) return bind(Reflect.get(target, key, target), target)
      const beneath = legacy()
      return beneath === undefined ? undefined : bind(beneath[key as string], beneath)
    },
    // Every legacy connector gets observers, also one that is not there yet: they are its own.
    has: (target, key) => key in target || key === 'observe' || key in (legacy() ?? {}),
    set (target, key, value) {
      const beneath = legacy()
      return Reflect.set(key in target || beneath === undefined ? target : beneath, key, value)
    }
  })
}
