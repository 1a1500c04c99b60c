/** `Role.resolvers`: the resolvers of a registry as the object that LoopBack's code reads and writes. */
import type { Resolver } from './resolver.js'

/**
 * The map as an object: reading, setting and deleting members is done to the map.
 * @param builtIn roles that are there without being registered; members of the map stand before them
 */
export function resolversRecord (
  map: Map<string, Resolver>, builtIn: Readonly<Record<string, Resolver>>
): Record<string, Resolver> {
  const read = (name: string | symbol): Resolver | undefined => typeof name === 'string'
    ? map.get(name) ?? (Object.hasOwn(builtIn, name) ? builtIn[name] : undefined)
    : undefined
  return new Proxy<Record<string, Resolver>>(Object.create(null) as Record<string, Resolver>, {
    get: (_, name) => read(name),
    has: (_, name) => read(name) !== undefined,
    set (_, name, resolver: unknown) {
      if (typeof name !== 'string' || typeof resolver !== 'function') return false
      map.set(name, resolver as Resolver)
      return true
    },
    deleteProperty: (_, name) => map.delete(String(name)) || read(name) === undefined,
    ownKeys: () => [...new Set([...Object.keys(builtIn), ...map.keys()])],
    getOwnPropertyDescriptor (_, name) {
      const value = read(name)
      return value === undefined ? undefined : { value, enumerable: true, configurable: true, writable: true }
    }
  })
}
