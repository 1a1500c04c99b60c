/** Makes Fastify routes of planned ones. */
import type { RouteMethod } from '@fastback/core'
import { instrumentOf } from '@fastback/core/remote'
import type { FastifyInstance } from 'fastify'
import { RemoteRoute, type RouteSettings } from '../handlers/remote-route.js'
import type { ModelPlan, PlannedRoute } from './plan.js'

export function registerRoutes (scope: FastifyInstance, plan: ModelPlan, settings: RouteSettings): void {
  const heads = new Set(plan.routes.filter(({ verbs }) => verbs.includes('HEAD')).map(({ url }) => url))
  for (const route of plan.routes) {
    const remote = new RemoteRoute(route.method, route, settings)
    scope.route({
      method: [...route.verbs],
      url: route.url,
      // A route of its own answers HEAD where there is one; elsewhere it is answered as GET.
      exposeHeadRoute: !heads.has(route.url),
      config: { sharedMethod: routeMethod(route) },
      handler: handlerOf(remote)
    })
  }
}

/** Who wants to be told of calls is asked for once. */
function handlerOf ({ handle, method: { fullName, modelName }, settings: { registry } }: RemoteRoute): Handle {
  const told = instrumentOf(registry)
  if (told === undefined) return handle
  const step = { kind: 'method', name: `${modelName}.${fullName}`, model: modelName } as const
  return (request, reply) => told(step, () => handle(request, reply))
}

type Handle = RemoteRoute['handle']

function routeMethod ({ method, path }: PlannedRoute): RouteMethod {
  return { model: method.modelName, method, idArgument: /^\/:id(?:\/|$)/.test(path) ? 'id' : undefined }
}
