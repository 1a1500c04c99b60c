import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { fastifyHost } from './host.js'
import type { OAuth2Options } from './options.js'
import { createProvider, startProvider } from './set-up.js'
import './types.js'

/**
 * OAuth 2.0 for a Fastify application with `@fastback/core`: `await app.register(oauth2, { dataSource: 'db' })`, before
 * `@fastback/auth`, `@fastback/acl` and `@fastback/rest`, and before any route that it is to guard. Paths of its
 * endpoints are whole; it takes no `prefix`.
 * @throws FBK_OAUTH2_…
 */
async function oauth2Plugin (fastify: FastifyInstance, options: OAuth2Options): Promise<void> {
  const { prefix, logLevel, logSerializers, ...own } = options as OAuth2Options & Record<string, unknown>
  const provider = createProvider(fastifyHost(fastify), own)
  await fastify.registry.migrateAttached()
  await startProvider(fastify, provider)
}

export const oauth2 = fp(oauth2Plugin, {
  name: '@fastback/oauth2',
  fastify: '5.x',
  dependencies: ['@fastback/core'],
  decorators: { fastify: ['registry'] }
})
export default oauth2
