/**
 * On whose behalf a request is made that has no socket: an operation of a batch, a call of GraphQL or of an agent. Kept
 * with the registry: who makes such requests and who checks tokens need not know each other.
 */
import type { FastifyRequest } from 'fastify'
import type { ModelRegistry } from '../registry.js'

interface Kept {
  /** Each gives the request that what runs is a part of, before it has come to its route. */
  readonly sources: Set<() => FastifyRequest | undefined>
}

const kOuter = Symbol('fastback.outerRequests')

const keptIn = (registry: ModelRegistry): Kept => registry.slot(kOuter, () => ({ sources: new Set() }))

/**
 * Adds one who makes requests on behalf of others.
 *
 * ```js
 * const remove = addOuterRequests(app.registry, () => calls.current?.outer)
 * ```
 * @returns what removes it
 */
export function addOuterRequests (registry: ModelRegistry, source: () => FastifyRequest | undefined): () => void {
  const { sources } = keptIn(registry)
  sources.add(source)
  return () => { sources.delete(source) }
}

/**
 * The request on whose behalf the one is made that is just coming in; undefined for one that came by itself. Ask in a
 * hook `onRequest`.
 *
 * ```js
 * const outer = outerRequest(app.registry)
 * ```
 */
export function outerRequest (registry: ModelRegistry): FastifyRequest | undefined {
  for (const source of keptIn(registry).sources) {
    const found = source()
    if (found !== undefined) return found
  }
}
