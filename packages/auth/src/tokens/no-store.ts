/** Responses that hold a token's text are kept by nobody (security.md, S-52). */
import type { ModelRegistry } from '@fastback/core'
import { extendsModel, sharedMethodOf } from '@fastback/core/remote'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'

/**
 * Marks the responses of all methods that give rows of a token model: a row just made shows its token. To be called
 * before the routes are registered.
 */
export function markTokensUncacheable (app: FastifyInstance): void {
  app.addHook('onRoute', (route: RouteOptions) => {
    if (sharedMethodOf(route)?.returns.some(({ type }) => isTokenModel(app.registry, [type].flat()[0])) !== true) return
    route.preHandler = [...[route.preHandler ?? []].flat(), noStore]
  })
}

function isTokenModel ({ models }: ModelRegistry, name: unknown): boolean {
  const Model = typeof name === 'string' && Object.hasOwn(models, name) ? models[name] : undefined
  return Model !== undefined && extendsModel(Model, 'AccessToken')
}

function noStore (_request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  reply.header('cache-control', 'no-store')
  done()
}
