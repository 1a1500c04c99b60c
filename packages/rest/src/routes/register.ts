/** Makes Fastify routes of planned ones. */
import { METHODS } from 'node:http'
import type { RouteMethod } from '@fastback/core'
import { instrumentOf, nearest } from '@fastback/core/remote'
import type { FastifyInstance } from 'fastify'
import { deprecationOf } from '../deprecation/deprecated-route.js'
import { givenModel } from '../handlers/direct.js'
import { RemoteRoute } from '../handlers/remote-route.js'
import type { RouteSettings } from '../handlers/route-settings.js'
import { UnknownVerbError } from '../errors/startup-errors.js'
import { keyStoreFor } from '../idempotency/key-store.js'
import { idempotencyOf } from '../idempotency/methods.js'
import { onceHandler } from '../idempotency/once.js'
import type { ModelPlan, PlannedRoute } from './plan.js'

export function registerRoutes (scope: FastifyInstance, plan: ModelPlan, settings: RouteSettings): void {
  const heads = new Set(plan.routes.filter(({ verbs }) => verbs.includes('HEAD')).map(({ url }) => url))
  for (const route of plan.routes) {
    demandVerbs(scope, route)
    const remote = new RemoteRoute(route.method, route, settings)
    const deprecation = deprecationOf(route.method, givenModel(route.method) ?? route.method.model, settings.registry)
    scope.route({
      ...(deprecation === undefined ? {} : { preHandler: deprecation }),
      method: [...route.verbs],
      url: route.url,
      // A route of its own responses HEAD where there is one; elsewhere it is answered as GET.
      exposeHeadRoute: !heads.has(route.url),
      config: { sharedMethod: routeMethod(route) },
      handler: told(remote, onceIfKeyed(remote))
    })
  }
}

/** Verbs that Fastify does not have from the beginning are those that HTTP has. */
function demandVerbs (scope: FastifyInstance, { verbs, method }: PlannedRoute): void {
  for (const verb of verbs) {
    if (scope.supportedMethods.includes(verb)) continue
    if (!METHODS.includes(verb)) throw new UnknownVerbError(`${method.modelName}.${method.fullName}`, verb, nearest(verb, METHODS))
    scope.addHttpMethod(verb, { hasBody: true })
  }
}

/** Requests with a key for their repeats take another way, where the route takes keys. */
function onceIfKeyed (remote: RemoteRoute): Handle {
  const { handle, method, http: { verb }, settings } = remote
  const { registry, idempotency, isInBatch = none } = settings
  const limits = idempotencyOf(method, verb, idempotency)
  const store = limits === undefined ? undefined : keyStoreFor(registry, method.model.dataSource, limits)
  return limits === undefined || store === undefined
    ? handle
    : onceHandler(method, limits, store, handle, {
      isExempt: isInBatch, isPlainWrite: request => remote.isPlainWrite(request)
    })
}

const none = (): boolean => false

/** Who wants to be told of calls is asked for once. */
function told ({ method: { fullName, modelName }, settings: { registry } }: RemoteRoute, handle: Handle): Handle {
  const around = instrumentOf(registry)
  if (around === undefined) return handle
  const step = { kind: 'method', name: `${modelName}.${fullName}`, model: modelName } as const
  // It may await the handler (`respondAtOnce`).
  return (request, reply) => around(step, () => handle(request, reply) ?? reply)
}

type Handle = RemoteRoute['handle']

function routeMethod ({ method, path }: PlannedRoute): RouteMethod {
  return { model: method.modelName, method, idArgument: /^\/:id(?:\/|$)/.test(path) ? 'id' : undefined }
}
