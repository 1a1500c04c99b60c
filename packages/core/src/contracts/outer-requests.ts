/**
 * On whose behalf a request is made that has no socket: an operation of a batch, a call of GraphQL or of an agent. Kept
 * with the registry: who makes such requests and who checks tokens need not know each other.
 */
import type { FastifyRequest } from 'fastify'
import type { ModelRegistry } from '../registry.js'

interface Kept {
  readonly sources: Set<OuterRequestOf>
}

/** Gives the request on whose behalf another one is made; undefined for one that came by itself. */
export type OuterRequestOf = (request: FastifyRequest) => FastifyRequest | undefined

const kOuter = Symbol('fastback.outerRequests')

const keptIn = (registry: ModelRegistry): Kept => registry.slot(kOuter, () => ({ sources: new Set() }))

/**
 * Adds one who makes requests on behalf of others.
 *
 * ```js
 * const remove = addOuterRequests(app.registry, ({ raw }) => calls.get(raw)?.outer)
 * ```
 * @returns what removes it
 */
export function addOuterRequests (registry: ModelRegistry, source: OuterRequestOf): () => void {
  const { sources } = keptIn(registry)
  sources.add(source)
  return () => { sources.delete(source) }
}

/**
 * The request on whose behalf one is made; undefined for one that came by itself.
 *
 * ```js
 * const outer = outerRequest(app.registry, request)
 * ```
 */
export function outerRequest (registry: ModelRegistry, request: FastifyRequest): FastifyRequest | undefined {
  for (const source of keptIn(registry).sources) {
    const found = source(request)
    if (found !== undefined) return found
  }
}
