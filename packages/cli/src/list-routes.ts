/** `fastback routes`: what an application answers. */
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
  return await withApplication(source, options, ({ registry }) =>
    restRoutes(registry).map(({ prefix, verb, path, method }) => ({
      verb,
      path: prefix + path,
      method: `${method.modelName}.${method.fullName}`,
      accessType: method.accessType,
      description: method.description
    }))
  )
}
