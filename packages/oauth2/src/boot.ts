/**
 * What `@fastback/boot` finds here (`@fastback/oauth2/boot`): the models, the component under both of its names,
 * `authenticate` for middleware.json and `app.oauth2Provider`. Boot loads this for every folder: what a provider is
 * made of is loaded when one is set up.
 */
import type { BootExtension, MiddlewareUse } from '@fastback/core'
import type { FastifyInstance } from 'fastify'
import { NoProviderError } from './errors.js'
import { protect, waiting, type FolderApplication as Application } from './folder-host.js'
import { oauth2Models } from './models/index.js'
import type { Provider } from './provider.js'

async function setUp (app: Application, options: unknown): Promise<Provider> {
  const { folderProvider } = await import('./folder-provider.js')
  const provider = folderProvider(app, options)
  // Boot scripts use the models in the next line.
  await app.registry.core.connect()
  return provider
}

function authenticate (app: Application, use: MiddlewareUse): void {
  if (app.oauth2 !== undefined) protect(app.oauth2, use)
  else waiting(app).push(use)
}

export const boot = {
  models: oauth2Models,
  components: { '@fastback/oauth2': setUp, 'loopback-component-oauth2': setUp },
  middleware: { '@fastback/oauth2#authenticate': authenticate, 'loopback-component-oauth2#authenticate': authenticate },
  methods: { oauth2Provider: setUp },

  /** Before any other: it says who asks. */
  async register (fastify, { app }) {
    const { oauth2 } = app as Application
    const [use] = waiting(app as Application)
    if (use !== undefined) throw new NoProviderError(use.written)
    if (oauth2 === undefined) return
    const { startProvider } = await import('./set-up.js')
    await startProvider(fastify, oauth2)
  },

  addsRoutes: app => (app as Application).oauth2 !== undefined
} satisfies BootExtension

/**
 * Sets a provider up, as `loopback-component-oauth2` did, in a boot script or for a Fastify instance with
 * `@fastback/core`.
 *
 * ```js
 * const provider = await oAuth2Provider(app, { dataSource: 'db' })
 * provider.authenticate(['/api/orders'], { scope: 'orders' })
 * ```
 * @param app the application of a boot script, or a Fastify instance
 * @param options those of the plugin
 * @throws as the plugin
 */
export async function oAuth2Provider (app: object, options: unknown): Promise<Provider> {
  if ('fastify' in app) return await setUp(app as Application, options)
  const fastify = app as FastifyInstance
  const [{ createProvider, startProvider }, { fastifyHost }] = await Promise.all([
    import('./set-up.js'),
    import('./host.js')
  ])
  const provider = createProvider(fastifyHost(fastify), options)
  await fastify.registry.migrateAttached()
  await startProvider(fastify, provider)
  return provider
}
