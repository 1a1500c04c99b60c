/**
 * What a token must have for routes of a model, for who leads to its rows by other ways: include, conditions, routes of
 * relations, rows within data. What its scopes do not open by the model's own route, they open by none (security.md,
 * S-147).
 */
import { defaultScopes, isInScope } from '@fastback/auth/service'
import type { MaybePromise, ModelClass, ModelInstance, ModelRegistry, SharedMethod } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import { pathDemandsIn, type PathDemand } from '@fastback/core/remote'
import { refusal } from '../errors.js'

interface ReachedRoute {
  readonly method: SharedMethod
  readonly verb: string
  readonly path: string
}

/** A route as Fastify is given it. */
interface GivenRoute { readonly method: string | readonly string[], readonly url: string }

/** What reads of rows are judged as, whichever method does them. */
const reading: readonly string[] = ['findById', 'find']

export class Reach {
  readonly #routes: Map<string, ReachedRoute[]>
  readonly #demands: () => Iterable<PathDemand>

  constructor (readonly registry: ModelRegistry, routes?: Map<string, ReachedRoute[]>) {
    this.#routes = routes ?? new Map<string, ReachedRoute[]>()
    // Code of the application takes no path.
    this.#demands = routes === undefined ? () => pathDemandsIn(registry) : () => []
  }

  /** The same for calls in the process: scopes of methods count, and no path is taken. */
  get inProcess (): Reach {
    return new Reach(this.registry, this.#routes)
  }

  /** Called for each route of a shared method. */
  add (method: SharedMethod, { method: verbs, url }: GivenRoute): void {
    if (method.relation !== undefined || method.nested !== undefined) return
    const routes = this.#routes.get(method.modelName) ?? []
    this.#routes.set(method.modelName, routes)
    const [verb = 'GET'] = [verbs].flat().filter(each => each !== 'HEAD' && each !== 'OPTIONS')
    routes.push({ method, verb, path: url })
  }

  /**
   * @param id of the row, where one is meant
   * @throws RequestError as for a method that is denied, for a token that does not open the model's own routes
   */
  mustRead (Model: ModelClass, token: ModelInstance | null, id?: unknown): MaybePromise<void> {
    return chain(this.reads(Model, token), isOpen => {
      if (!isOpen) throw refusal(Model, token !== null, id)
    })
  }

  /** Whether a token opens the routes that read single rows of a model, or its lists. */
  reads (Model: ModelClass, token: ModelInstance | null): MaybePromise<boolean> {
    return this.opens(Model, reading, token)
  }

  /**
   * Whether a token opens a method: the first of these names that has routes, and one of its routes. Where none has,
   * the rules of the model say all.
   */
  opens (Model: ModelClass, names: readonly string[], token: ModelInstance | null): MaybePromise<boolean> {
    const routes = this.#routesOf(Model, names)
    return routes.length === 0 || this.#some(routes, 0, token)
  }

  #routesOf (Model: ModelClass, names: readonly string[]): readonly ReachedRoute[] {
    const all = this.#routes.get(Model.modelName) ?? []
    for (const name of names) {
      const found = all.filter(({ method }) => method.model === Model && isCalled(method, name))
      if (found.length > 0) return found
    }
    return []
  }

  #some (routes: readonly ReachedRoute[], at: number, token: ModelInstance | null): MaybePromise<boolean> {
    const route = routes[at]
    if (route === undefined) return false
    return chain(this.#isOpen(route, token), isOpen => isOpen || this.#some(routes, at + 1, token))
  }

  #isOpen ({ method, verb, path }: ReachedRoute, token: ModelInstance | null): MaybePromise<boolean> {
    if (!isInScope(token, method.accessScopes ?? defaultScopes)) return false
    return every([...this.#demands()], demand => demand({ verb, path, token }))
  }
}

const isCalled = ({ name, fullName, aliases }: SharedMethod, wanted: string): boolean =>
  name === wanted || fullName === wanted || aliases.includes(wanted)

function every (
  [demand, ...others]: readonly PathDemand[], ask: (demand: PathDemand) => MaybePromise<boolean>
): MaybePromise<boolean> {
  return demand === undefined ? true : chain(ask(demand), isMet => isMet && every(others, ask))
}
