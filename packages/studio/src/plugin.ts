import { checkOptions, withoutEndSlashes } from '@fastback/core/remote'
import { dataRoutes } from '@fastback/admin/host'
import { callersByMethod } from '@fastback/explorer/host'
import { servePage, uiFiles, type PageConfig, type ViewName } from '@fastback/ui'
import type { FastifyInstance } from 'fastify'
import plugin from 'fastify-plugin'
import { studioAccess } from './access.js'
import { InvalidOptionsError, MissingRegistryError } from './errors.js'
import { sendHome } from './home.js'
import { pathOf, StudioSchema, type StudioOptions } from './options.js'

/**
 * Serves the studio at `/studio`: the data of the context's models, their API, definitions and rights, and what the
 * application does, on one page. Data and API are read with the token of who logged in; the other parts are for users
 * in `roles`, and while the application is developed for a browser on its own machine. With `NODE_ENV=production` it is
 * there only with `enabled: true`.
 *
 * Wrapped with `fastify-plugin`, as `/` of the server is the caller's context; its routes are below `prefix` nonetheless.
 *
 * ```js
 * await app.register(rest, { prefix: '/api' })
 * await app.register(studio, { home: true })
 * // GET /studio/
 * ```
 * @throws FBK_STUDIO_INVALID_OPTIONS, FBK_STUDIO_MISSING_REGISTRY; at start FBK_ADMIN_INVALID_OPTIONS for a title that
 * no model has
 */
export const studio = plugin(async (app: FastifyInstance, options: StudioOptions): Promise<void> => {
  checkOptions(StudioSchema, options, InvalidOptionsError)
  if (!app.hasDecorator('registry')) throw new MissingRegistryError()
  const path = pathOf(options)
  if (path === undefined) {
    app.log.info('the studio is not served in production: the option "enabled" switches it on')
    return
  }
  const prefix = withoutEndSlashes((options.prefix ?? '') + path)
  if (options.home === true) sendHome(app, prefix)
  await app.register(async scope => { addRoutes(scope, options) }, { prefix })
}, { name: '@fastback/studio', fastify: '5.x' })

const order: readonly ViewName[] = ['data', 'api', 'models', 'rights', 'activity']

function addRoutes (app: FastifyInstance, options: StudioOptions): void {
  const { title, basePath, parts = {}, roles = ['admin'] } = options
  const views = order.filter(name => parts[name] !== false)
  const access = studioAccess(app.registry, { roles, development: process.env.NODE_ENV !== 'production' })
  dataRoutes(app, options)
  app.get('/callers.json', async (request, reply) => {
    await access.mustSee(request, reply)
    return callersByMethod(app.registry)
  })
  app.get('/ui.json', async (request, reply): Promise<PageConfig> => {
    reply.header('cache-control', 'no-store')
    return { ...(title === undefined ? {} : { title }), views, development: access.isDeveloper(request) }
  })
  servePage(app, uiFiles(), { basePath })
}
