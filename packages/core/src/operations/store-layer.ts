/** What stands between a model's operations and its store. */
import type { Connector } from '../data-source/connector.js'

/**
 * The store with functions in the place of its own.
 *
 * ```js
 * withFunctions(connector, { deleteAll () { throw new Error('Nothing is deleted here.') } })
 * ```
 * @param own those functions; JSON text that the store would write itself, past them, is not had unless `own` brings
 * `text` as well
 */
export function withFunctions (connector: Connector, own: Partial<Connector>): Connector {
  return new Proxy(connector, {
    get (target, key) {
      if (Object.hasOwn(own, key)) return own[key as keyof Connector]
      if (key === 'text') return undefined
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) as unknown : value
    }
  })
}
