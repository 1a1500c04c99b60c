/** `fastback routes`: what an application answers. */
import { restRoutes } from '@fastback/rest'
import { withApplication, type LoadOptions } from './load-application.js'

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
 * The REST routes of a folder's published models, by model in the order of the configuration. Express routes of boot
 * scripts are not among them.
 *
 * ```js
 * for (const { verb, path } of await listRoutes('my-app')) console.log(verb, path)
 * ```
 * @throws the coded errors of `@fastback/boot` and `@fastback/core`
 */
export async function listRoutes (dir: string, options: LoadOptions = {}): Promise<Route[]> {
  return await withApplication(dir, options, ({ fastify }) =>
    restRoutes(fastify.registry).map(({ prefix, verb, path, method }) => ({
      verb,
      path: prefix + path,
      method: `${method.modelName}.${method.fullName}`,
      accessType: method.accessType,
      description: method.description
    }))
  )
}
