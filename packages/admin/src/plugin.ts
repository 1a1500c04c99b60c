import { checkOptions, withoutEndSlashes } from '@fastback/core/remote'
import { servePage, uiFiles, type PageConfig } from '@fastback/ui'
import type { FastifyInstance } from 'fastify'
import { dataRoutes } from './data-routes.js'
import { InvalidOptionsError, MissingRegistryError } from './errors.js'
import { AdminSchema, pathOf, type AdminOptions } from './options.js'

/**
 * Serves a page with the rows of the context's public models at `/admin`: lists, forms, users and roles. The page asks
 * the public API with the token of who logged in, and can do no more than that user. With `NODE_ENV=production` it is
 * there only with `enabled: true`.
 *
 * Not wrapped with `fastify-plugin`: it brings routes, which are below `prefix`.
 *
 * ```js
 * await app.register(rest, { prefix: '/api' })
 * await app.register(admin, { path: '/admin' })
 * // GET /admin/
 * ```
 * @throws FBK_ADMIN_INVALID_OPTIONS, FBK_ADMIN_MISSING_REGISTRY; at start FBK_ADMIN_INVALID_OPTIONS for a title that no
 * model has
 */
export async function admin (app: FastifyInstance, options: AdminOptions): Promise<void> {
  checkOptions(AdminSchema, options, InvalidOptionsError)
  if (!app.hasDecorator('registry')) throw new MissingRegistryError()
  const path = pathOf(options)
  if (path === undefined) {
    app.log.info('the admin page is not served in production: the option "enabled" switches it on')
    return
  }
  await app.register(async scope => { addRoutes(scope, options) }, { prefix: withoutEndSlashes(path) })
}

function addRoutes (app: FastifyInstance, options: AdminOptions): void {
  const { title, basePath } = options
  dataRoutes(app, options)
  app.get('/ui.json', async (_request, reply): Promise<PageConfig> => {
    reply.header('cache-control', 'no-store')
    return { ...(title === undefined ? {} : { title }), views: ['data'], development: false }
  })
  servePage(app, uiFiles(), { basePath })
}
