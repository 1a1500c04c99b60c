/** What the parts of the studio share. */
import { RequestError, type ModelClass, type ModelRegistry } from '@fastback/core'
import { createErrorHandler } from '@fastback/rest'
import type { FastifyInstance } from 'fastify'
import type { StudioAccess } from './access.js'
import type { StudioOptions } from './options.js'

export interface StudioContext {
  readonly registry: ModelRegistry
  readonly access: StudioAccess
  readonly options: StudioOptions
}

/** Adds routes of one part to a context of its own. */
export type PartRoutes = (scope: FastifyInstance, context: StudioContext) => void

/**
 * Routes for who may see the studio, or, with `mustDevelop`, for who develops the application: nobody else gets to
 * their handlers, whatever they send (security.md, S-129).
 */
export function guarded (
  app: FastifyInstance, context: StudioContext, guard: 'mustSee' | 'mustDevelop', routes: PartRoutes
): void {
  app.register(async scope => {
    scope.setErrorHandler(createErrorHandler())
    scope.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store')
      await context.access[guard](request, reply)
    })
    routes(scope, context)
  })
}

/** @throws RequestError 404 */
export function modelNamed (registry: ModelRegistry, name: string): ModelClass {
  const Model = Object.hasOwn(registry.models, name) ? registry.models[name] : undefined
  if (Model === undefined) throw new RequestError(404, 'There is no such model', { code: 'MODEL_NOT_FOUND' })
  return Model
}
