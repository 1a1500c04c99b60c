/** The routes of shared classes, for code that describes an API. */
import { joinPaths, RestClass, type RestMethod, type RestOptionsOfAdapter, type RoutedClass, type RoutedMethod } from './rest-class.js'

/** A route as descriptions of an API list it. */
export interface ListedRoute {
  readonly verb: string
  readonly path: string
  /** `Note.find` */
  readonly method: string
  readonly [key: string]: unknown
}

/**
 * Lists what REST calls, by class or by route; what is shared now.
 *
 * ```js
 * app.remotes().handler('rest').adapter.allRoutes().map(({ verb, path }) => `${verb} ${path}`) // ['post /Notes', …]
 * ```
 */
export class RestRoutes<M extends RoutedMethod> {
  constructor (
    readonly remotes: { classes (): Array<RoutedClass<M>> }, public options: RestOptionsOfAdapter = {}
  ) {}

  getClasses (): Array<RestClass<M>> {
    return this.remotes.classes().map(sharedClass => new RestClass(sharedClass, this.options))
  }

  /** Every route, with the path of its class in front. */
  allRoutes (): ListedRoute[] {
    return this.getClasses().flatMap(({ routes, methods }) => routes.flatMap(({ path: base }) =>
      methods.flatMap(({ sharedMethod, routes: own }) =>
        own.map(({ verb, path }) => listed(sharedMethod, verb, joinPaths(base, path))))))
  }

  /** The method of this name, `Note.find`, where it is shared now. */
  getRestMethodByName (name: string): RestMethod<M> | undefined {
    return this.getClasses().flatMap(({ methods }) => methods).find(({ fullName }) => fullName === name)
  }
}

function listed (method: RoutedMethod, verb: string, path: string): ListedRoute {
  const { description, notes, documented, stringName, accepts, returns, errors, http } = method
  const some = <T>(list: readonly T[]): readonly T[] | undefined => list.length === 0 ? undefined : list
  const values = { accepts: some(accepts), returns: some(returns), errors: some(errors) }
  return { verb, path, description, notes, documented, method: stringName, ...values, http }
}
