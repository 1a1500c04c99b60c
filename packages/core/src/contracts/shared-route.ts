import type { SharedMethod } from '../interfaces/shared-method.js'

/**
 * What the configuration of every route of a shared method says about it (`config.sharedMethod`); access control,
 * documentation and others go by it. `@fastback/rest` sets it, and a hand-written route may.
 */
export interface RouteMethod {
  /** Model name. */
  readonly model: string
  readonly method: SharedMethod
  /**
   * Name of the path parameter that holds the id of the model's row; undefined for methods that are not about one row.
   */
  readonly idArgument: string | undefined
}

/**
 * The shared method of a route, in an `onRoute` hook; undefined for other routes.
 *
 * ```js
 * app.addHook('onRoute', route => {
 *   const method = sharedMethodOf(route)
 *   if (method !== undefined) console.log(method.modelName, method.fullName)
 * })
 * ```
 */
export const sharedMethodOf = (route: { readonly config?: object }): SharedMethod | undefined =>
  (route.config as { readonly sharedMethod?: RouteMethod } | undefined)?.sharedMethod?.method
