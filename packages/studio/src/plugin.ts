import { checkOptions, definitionChangesIn, graphqlEndpointIn, withoutEndSlashes } from '@fastback/core/remote'
import { dataRoutes } from '@fastback/admin/host'
import { callersByMethod } from '@fastback/explorer/host'
import type { ModelRegistry } from '@fastback/core'
import { servePage, uiFiles, viewNames, type PageConfig, type ViewName } from '@fastback/ui'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { studioAccess } from './access.js'
import { recordActivity } from './activity/record.js'
import { activityRoutes } from './activity/routes.js'
import { guarded, type PartRoutes, type StudioContext } from './context.js'
import { InvalidOptionsError, MissingRegistryError } from './errors.js'
import { sendHome } from './home.js'
import { changesRoutes, modelsRoutes } from './models/routes.js'
import { pathOf, StudioSchema, type StudioOptions } from './options.js'
import { peopleRoutes } from './people/routes.js'
import { rightsRoutes } from './rights/routes.js'

/**
 * Serves the studio at `/studio`: the data of the context's models, their API, definitions and rights, and what the
 * application does, on one page. Data and API are read with the token of who logged in; the other parts are for users
 * in `roles`, and with `NODE_ENV=development`, which `fastback serve --watch` sets, for a browser on its own machine.
 * With `NODE_ENV=production` it is there only with `enabled: true`.
 *
 * Register it after `@fastback/auth` and `@fastback/acl` and before `@fastback/rest`, so that it sees the requests of
 * its routes.
 *
 * ```js
 * await app.register(studio, { home: true })
 * await app.register(rest, { prefix: '/api' })
 * // GET /studio/
 * ```
 * @throws FBK_STUDIO_INVALID_OPTIONS, FBK_STUDIO_MISSING_REGISTRY; at start FBK_ADMIN_INVALID_OPTIONS for a title that
 * no model has
 */
export const studio = fp(async (app: FastifyInstance, options: StudioOptions): Promise<void> => {
  if (!app.hasDecorator('registry')) throw new MissingRegistryError()
  watchRequests(app, app.registry, options)
  await serveStudio(app, options)
}, { name: '@fastback/studio', fastify: '5.x' })

/**
 * What sees the requests of the whole application: it comes before what answers them.
 * @throws FBK_STUDIO_INVALID_OPTIONS
 */
export function watchRequests (app: FastifyInstance, registry: ModelRegistry, options: StudioOptions): void {
  const { prefix = '', home = false, parts = {} } = checkOptions(StudioSchema, options, InvalidOptionsError)
  const path = pathOf(options)
  if (path === undefined) return
  if (home) sendHome(app, prefix + path)
  if (parts.activity !== false) recordActivity(app, registry, options)
}

/** The page, and what it reads. */
export async function serveStudio (app: FastifyInstance, options: StudioOptions): Promise<void> {
  const path = pathOf(options)
  if (path === undefined) {
    app.log.info('the studio is not served in production: the option "enabled" switches it on')
    return
  }
  const prefix = withoutEndSlashes((options.prefix ?? '') + path)
  await app.register(async scope => { addRoutes(scope, options) }, { prefix })
}

interface Part {
  /** For who may see the studio. */
  readonly seeing?: PartRoutes
  /** For who develops the application. */
  readonly developing?: PartRoutes
}

/** Data and API are read through the application's own routes. */
const partRoutes: Readonly<Record<ViewName, Part>> = {
  data: {},
  api: {},
  models: { seeing: modelsRoutes, developing: changesRoutes },
  rights: { seeing: rightsRoutes },
  activity: { seeing: activityRoutes }
}

function addRoutes (app: FastifyInstance, options: StudioOptions): void {
  const { title, basePath, parts = {}, roles = ['admin'] } = options
  const { registry } = app
  const views = viewNames.filter(name => parts[name] !== false)
  const access = studioAccess(registry, { roles, development: process.env.NODE_ENV === 'development' })
  const context: StudioContext = { registry, access, options }
  dataRoutes(app, options)
  guarded(app, context, 'mustSee', scope => {
    scope.get('/callers.json', async () => await callersByMethod(registry))
    for (const name of views) partRoutes[name].seeing?.(scope, context)
  })
  guarded(app, context, 'mustDevelop', scope => {
    peopleRoutes(scope, context)
    for (const name of views) partRoutes[name].developing?.(scope, context)
  })
  app.get('/ui.json', async (request, reply): Promise<PageConfig> => {
    reply.header('cache-control', 'no-store')
    const development = access.isDeveloper(request)
    const { address } = graphqlEndpointIn(registry)
    return {
      ...(title === undefined ? {} : { title }),
      views,
      development,
      ...(address === undefined ? {} : { graphql: address }),
      changes: development && parts.models !== false && definitionChangesIn(registry).by !== undefined
    }
  })
  servePage(app, uiFiles(), { basePath })
}
