/**
 * What paths of an application ask of tokens beside the rules of models, such as scopes of OAuth. Kept with the
 * registry: who guards paths and who leads to the rows of a model by another path (include, routes of relations) need
 * not know each other (security.md, S-147).
 */
import type { MaybePromise } from '../maybe-promise.js'
import type { ModelRegistry } from '../registry.js'

/** A path that would have been taken, and whose token would have been sent there. */
export interface DemandedPath {
  /** In capitals. */
  readonly verb: string
  /** From the root of the server, with `:name` for parameters. */
  readonly path: string
  /** Null: none. */
  readonly token: unknown
}

/** Whether the token opens the path; true as well where nothing is asked there. */
export type PathDemand = (asked: DemandedPath) => MaybePromise<boolean>

const kDemands = Symbol('fastback.pathDemands')

/**
 * Those that guard paths of a registry's application.
 *
 * ```js
 * pathDemandsIn(app.registry).add(({ path, token }) => !path.startsWith('/api/Orders') || token !== null)
 * ```
 */
export const pathDemandsIn = (registry: Pick<ModelRegistry, 'slot'>): Set<PathDemand> =>
  registry.slot<Set<PathDemand>>(kDemands, () => new Set())
