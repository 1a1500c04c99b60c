/** Makes Fastify routes of planned ones. */
import type { FastifyInstance } from 'fastify'
import { RemoteRoute, type RouteSettings } from '../handlers/remote-route.js'
import type { ModelPlan, PlannedRoute } from './plan.js'

/** What the configuration of every route says about its method; access control, documentation and others go by it. */
export interface RouteMethod {
  /** Model name. */
  readonly model: string
  readonly method: PlannedRoute['method']
  /**
   * Name of the path parameter that holds the id of the model's row; undefined for methods that are not about one row.
   */
  readonly idArgument: string | undefined
}

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
      handler: remote.handle
    })
  }
}

function routeMethod ({ method, path }: PlannedRoute): RouteMethod {
  return { model: method.modelName, method, idArgument: /^\/:id(?:\/|$)/.test(path) ? 'id' : undefined }
}
