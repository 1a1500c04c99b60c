/** `fastback routes`: what an application answers. */
import { isPublic, sharedMethodsOf } from '@fastback/core/remote'
import { restRoutes } from '@fastback/rest'
import type { ApplicationSource, LoadOptions } from './application.js'
import { withApplication } from './load-application.js'

export interface Route {
  /** In capitals. */
  readonly verb: string
  /** With `:name` for parameters. */
  readonly path: string
  /** `Note.find`, `Note.prototype.patchAttributes`: as access rules and hooks name it. */
  readonly method: string
  /** `READ`, `WRITE`, `EXECUTE` … as the method declares it. */
  readonly accessType: string | undefined
  readonly description: string | undefined
}

/**
 * The REST routes of an application's published models, by model in the order of the configuration. Express routes of
 * boot scripts are not among them.
 *
 * ```js
 * for (const { verb, path } of await listRoutes('my-app')) console.log(verb, path)
 * ```
 * @param source a folder, a module that exports an application, or the application
 * @throws the coded errors of `@fastback/boot` and `@fastback/core`
 */
export async function listRoutes (source: ApplicationSource, options: LoadOptions = {}): Promise<Route[]> {
  return (await routesOf(source, options)).routes
}

export interface Routes {
  readonly routes: Route[]
  /** Public models that have something to call, and no route. */
  readonly unreachable: readonly string[]
  /** Models with routes, but none with an id in its path: their ids are several properties, by model. */
  readonly compound: Readonly<Record<string, readonly string[]>>
}

/** The routes, and the public models that none leads to. */
export async function routesOf (source: ApplicationSource, options: LoadOptions): Promise<Routes> {
  return await withApplication(source, options, ({ registry }) => {
    const published = restRoutes(registry)
    const reached = new Set(published.map(({ method }) => method.model))
    return {
      routes: published.map(({ prefix, verb, path, method }) => ({
        verb,
        path: prefix + path,
        method: `${method.modelName}.${method.fullName}`,
        accessType: method.accessType,
        description: method.description
      })),
      unreachable: Object.values(registry.models)
        .filter(Model => isPublic(Model) === true && !reached.has(Model) && sharedMethodsOf(Model).length > 0)
        .map(({ modelName }) => modelName),
      compound: Object.fromEntries([...reached]
        .map(Model => [Model.modelName, Model.definition.idNames()] as const)
        .filter(([, names]) => names.length > 1))
    }
  })
}
