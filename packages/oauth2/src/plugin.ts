import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { fastifyHost } from './host.js'
import type { OAuth2Options } from './options-schema.js'
import { createProvider, startProvider } from './set-up.js'
import './types.js'

async function oauth2Plugin (fastify: FastifyInstance, options: OAuth2Options): Promise<void> {
  const { prefix, logLevel, logSerializers, ...own } = options as OAuth2Options & Record<string, unknown>
  const provider = createProvider(fastifyHost(fastify), own)
  await fastify.registry.migrateAttached()
  await startProvider(fastify, provider)
}

/**
 * OAuth 2.0 for a Fastify application with `@fastback/core`: the endpoints of an authorization server, and the guard of
 * a resource server. Register it before `@fastback/auth`, `@fastback/acl` and `@fastback/rest`, and before any route
 * that it is to guard. Paths of its endpoints are whole; it takes no `prefix`. The provider is `app.oauth2`.
 *
 * ```js
 * await app.register(core, { dataSources: { db: { connector: memoryConnector } } })
 * await app.register(oauth2, { dataSource: 'db' })
 * app.oauth2.authenticate(['/api/orders'], { scope: 'orders' })
 * await app.register(auth, { dataSource: 'db' })
 * ```
 * @param options `dataSource` (needed where tokens are kept here) and those of the README
 * @throws FBK_OAUTH2_INVALID_OPTIONS, FBK_OAUTH2_UNKNOWN_MODEL and others of the table in the README
 */
export const oauth2 = fp(oauth2Plugin, {
  name: '@fastback/oauth2',
  fastify: '5.x',
  dependencies: ['@fastback/core'],
  decorators: { fastify: ['registry'] }
})
export default oauth2
