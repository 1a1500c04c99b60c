/** Which models the page has in its menu: those whose rows the caller may list, by the rules of access control. */
import type { ModelRegistry } from '@fastback/core'
import { accessReviewIn } from '@fastback/core/remote'
import { restRoutes } from '@fastback/rest'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { publishedModels } from './facts.js'

/**
 * Names of the published models whose `find` the caller may call. Rules that fail to decide without a request of their
 * own leave their model in: asking it will tell.
 *
 * ```js
 * await modelsToRead(app.registry, undefined, request, reply) // ['Note', 'Author']
 * ```
 */
export async function modelsToRead (
  registry: ModelRegistry, restApiRoot: string | undefined, request: FastifyRequest, reply: FastifyReply
): Promise<string[]> {
  const { mayCall } = accessReviewIn(registry)
  const published = publishedModels(registry, restApiRoot)
  const lists = new Set(restRoutes(registry).map(({ method }) => method)
    .filter(({ fullName, model }) => fullName === 'find' && published.has(model)))
  const named = await Promise.all([...lists].map(async method => {
    const may = await mayCall?.(method, request, reply).catch((error: unknown) => {
      request.log.warn({ err: error, model: method.modelName }, 'whether a model may be read cannot be said')
      return true
    }) ?? true
    return may ? [method.modelName] : []
  }))
  return named.flat()
}
