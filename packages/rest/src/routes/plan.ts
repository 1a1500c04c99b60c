/** Which routes a model has: one per verb and path, the way LoopBack's router would choose between them. */
import type { HttpRoute, ModelClass, SharedMethod } from '@fastback/core'
import { withoutEndSlashes } from '@fastback/core/remote'
import type { RouteHttp } from '../handlers/route-settings.js'
import { modelPath, normalisePath, normalises } from './model-path.js'

/** Verbs are in capitals, the address has the model's path in front. */
export type PlannedRoute = PlannedPath<SharedMethod>

export interface ModelPlan {
  readonly Model: ModelClass
  readonly path: string
  readonly routes: readonly PlannedRoute[]
  /** Routes that another one stands for already. */
  readonly shadowed: ReadonlyArray<PlannedRoute & { readonly by: SharedMethod }>
}

/** The methods that have routes, by verb and path: of all models that share a router. */
export type TakenRoutes = Map<string, SharedMethod>

const anyVerb = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * The routes of a model. Literal parts of a path win over parameters (the router sees to that), and a method of any
 * verb (`all`) loses every verb for which another method's route matches its path, `GET /:id` included (behaviour.md,
 * section 0). Of two methods on one route the first stays, also where another model has the same path.
 */
export function planRoutes (
  Model: ModelClass,
  methods: readonly SharedMethod[],
  normaliseAll: boolean,
  taken: TakenRoutes = new Map()
): ModelPlan {
  const path = modelPath(Model, normaliseAll)
  const normalise = normalises(Model, normaliseAll)
  const declared = methods.flatMap(method =>
    method.http.map(http => ({ method, http, own: normalise ? normalisePath(http.path) : http.path }))
  )
  return { Model, path, ...planPaths(path, declared, taken) }
}

/** A method, one of its routes, and that route's path below what the method belongs to. */
export interface DeclaredPath<M> {
  readonly method: M
  readonly http: HttpRoute & { readonly verb: string }
  readonly own: string
}

/** A route that nobody else has: its verbs and its whole path. */
export interface PlannedPath<M> extends RouteHttp {
  readonly method: M
  readonly verbs: readonly string[]
  readonly url: string
}

interface PlannedPaths<M> {
  readonly routes: ReadonlyArray<PlannedPath<M>>
  readonly shadowed: ReadonlyArray<PlannedPath<M> & { readonly by: M }>
}

/** The routes below one path, as `planRoutes` chooses them for a model. */
export function planPaths<M> (
  path: string,
  declared: ReadonlyArray<DeclaredPath<M>>,
  taken: Map<string, M> = new Map()
): PlannedPaths<M> {
  const explicit = declared.filter(({ http }) => http.verb !== 'all')
  const routes: Array<PlannedPath<M>> = []
  const shadowed: Array<PlannedPath<M> & { readonly by: M }> = []
  for (const { method, http, own } of [...explicit, ...declared.filter(({ http }) => http.verb === 'all')]) {
    const wanted =
      http.verb === 'all'
        ? anyVerb.filter(
          verb => !explicit.some(other => other.http.verb.toUpperCase() === verb && covers(other.own, own))
        )
        : [http.verb.toUpperCase()]
    const url = own === '/' ? path : path + own
    const free = wanted.filter(verb => !taken.has(keyOf(verb, url)))
    const by =
      wanted.map(verb => taken.get(keyOf(verb, url))).find(each => each !== undefined) ??
      explicit.find(other => covers(other.own, own))?.method
    for (const verb of free) taken.set(keyOf(verb, url), method)
    const route = {
      method,
      verb: http.verb,
      path: own,
      status: http.status,
      errorStatus: http.errorStatus,
      url
    }
    if (free.length > 0) routes.push({ ...route, verbs: free })
    else if (by !== undefined) shadowed.push({ ...route, verbs: wanted, by })
  }
  return { routes, shadowed }
}

/** The router tells paths apart by their shape: not by the names of parameters, by case, or by a slash at the end. */
const keyOf = (verb: string, path: string): string =>
  `${verb} ${withoutEndSlashes(path.toLowerCase().replaceAll(/:\w+/g, ':'))}`

/** Whether `pattern` matches every path that `path` does. */
function covers (pattern: string, path: string): boolean {
  const parts = pattern.toLowerCase().split('/')
  const others = path.toLowerCase().split('/')
  return parts.length === others.length && parts.every((part, index) => part.startsWith(':') || part === others[index])
}
