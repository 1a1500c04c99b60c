/** Where a registry's models are published: kept with the registry, for anyone who documents its routes. */
import type { ModelRegistry, SharedMethod } from '@fastback/core'
import { describeRoutes, type DescribedRoute } from './routes/describe.js'
import type { Conventions } from './routes/conventions.js'
import type { ModelPlan } from './routes/plan.js'

export interface PublishedModels {
  /** Path that all routes begin with; empty when they are at the root. */
  readonly prefix: string
  readonly plans: readonly ModelPlan[]
  readonly conventions: Conventions
}

const kPublished = Symbol('fastback.restMounts')

const publishedOf = (registry: ModelRegistry): PublishedModels[] => registry.slot(kPublished, () => [])

export function recordPublished (registry: ModelRegistry, mount: PublishedModels): void {
  const all = publishedOf(registry)
  // An application whose models have changed is mounted again.
  const same = all.findIndex(({ prefix }) => prefix === mount.prefix)
  if (same === -1) all.push(mount)
  else all[same] = mount
}

/** A described route, with the prefix that it is below, and what holds for all routes there. */
export interface PublishedRoute extends DescribedRoute {
  readonly prefix: string
  readonly conventions: Conventions
}

/**
 * All routes of a registry's models, as data: methods, verbs, paths, schemas of arguments, bodies and answers.
 *
 * ```js
 * await app.ready()
 * restRoutes(app.registry).map(({ verb, prefix, path }) => `${verb} ${prefix}${path}`) // ['POST /api/Notes', …]
 * ```
 */
export function restRoutes (registry: ModelRegistry): PublishedRoute[] {
  return publishedOf(registry).flatMap(({ prefix, plans, conventions }) =>
    plans.flatMap(plan => describeRoutes(plan, registry, conventions).map(route => ({ ...route, prefix, conventions })))
  )
}

/** A method of a model, and where clients call it. */
export interface RoutedMethod {
  readonly method: SharedMethod
  /** In capitals; several share a path. */
  readonly verbs: readonly string[]
  /** With the prefix, and `:name` for parameters. */
  readonly path: string
}

/**
 * Which methods have routes, without their schemas, which take their time to be made.
 *
 * ```js
 * routedMethods(app.registry).map(({ verbs, path }) => `${verbs[0]} ${path}`) // ['POST /api/Notes', …]
 * ```
 */
export const routedMethods = (registry: ModelRegistry): RoutedMethod[] =>
  publishedOf(registry).flatMap(({ prefix, plans }) =>
    plans.flatMap(({ routes }) => routes.map(({ method, verbs, url }) => ({ method, verbs, path: prefix + url }))))
