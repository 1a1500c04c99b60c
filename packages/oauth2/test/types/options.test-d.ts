/**
 * Options of the plugin. Checked by `tsc` alone (`npm run types`): every line below fails to compile when a type is not
 * what it should be.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { oauth2, type FailureStore, type TokenRequest } from '@fastback/oauth2'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false
const expect = <T extends true>(): T | undefined => undefined
const use = (..._values: unknown[]): void => {}
declare const app: FastifyInstance
declare const store: FailureStore

async function right (): Promise<void> {
  await app.register(oauth2, { dataSource: 'db' })
  await app.register(oauth2, {
    dataSource: 'db',
    supportedGrantTypes: ['authorizationCode', 'refreshToken'],
    profile: 'oauth2.1',
    requirePkce: 'all',
    bearerMethods: ['header', 'body'],
    ttl: { code: 60, token: 3600 },
    loginPath: false,
    session: { secret: 'a secret of thirty-two characters', sameSite: 'strict' },
    rateLimit: { max: 5, window: 60, store },
    jwtAlgorithms: ['RS256', 'EdDSA'],
    defaultScope: ['orders'],
    generateToken: request => {
      expect<Equal<typeof request, TokenRequest>>()
      return `${request.grant}-${request.client.id}`
    },
    getTTL: (kind, _clientId, _owner, scopes) => kind === 'code' ? 60 : scopes.length,
    checkAccessToken: async (request, token) => {
      expect<Equal<typeof request, FastifyRequest>>()
      return token === 'x' ? { accessToken: { id: token } } : null
    },
    authenticate: [{ paths: ['/api'], options: { scope: 'orders', session: false } }],
    resourceMetadata: { authorizationServers: ['https://id.example'] }
  })
  await app.register(oauth2, { authorizationServer: false, rateLimit: false, ttl: 60, resourceMetadata: true })
  app.oauth2.authenticate(['/api'], { scope: 'orders', allScopes: true })
}

async function wrong (): Promise<void> {
  // @ts-expect-error no such option
  await app.register(oauth2, { datasource: 'db' })
  // @ts-expect-error a data source, or its name
  await app.register(oauth2, { dataSource: 5 })
  // @ts-expect-error no such grant
  await app.register(oauth2, { supportedGrantTypes: ['authorization_code'] })
  // @ts-expect-error none of its words
  await app.register(oauth2, { profile: 'oauth2' })
  // @ts-expect-error none of its words
  await app.register(oauth2, { requirePkce: true })
  // @ts-expect-error none of its words
  await app.register(oauth2, { bearerMethods: ['cookie'] })
  // @ts-expect-error no such algorithm
  await app.register(oauth2, { jwtAlgorithms: ['HS256'] })
  // @ts-expect-error no such algorithm
  await app.register(oauth2, { jwtAlgorithm: 'none' })
  // @ts-expect-error no such member
  await app.register(oauth2, { ttl: { refresh: 60 } })
  // @ts-expect-error a path, or false
  await app.register(oauth2, { tokenPath: true })
  // @ts-expect-error none of its words
  await app.register(oauth2, { session: { sameSite: 'none' } })
  // @ts-expect-error no such member
  await app.register(oauth2, { rateLimit: { timeWindow: 60 } })
  // @ts-expect-error no store
  await app.register(oauth2, { rateLimit: { store: 'redis' } })
  // @ts-expect-error there are no storage adapters
  await app.register(oauth2, { models: {} })
  // @ts-expect-error it gives a text, or an object with one
  await app.register(oauth2, { generateToken: () => 5 })
  // @ts-expect-error no such member of a request for a token
  await app.register(oauth2, { generateToken: ({ clientId }) => clientId })
  // @ts-expect-error it is told the kind first
  await app.register(oauth2, { getTTL: (clientId: number) => clientId })
  // @ts-expect-error it gives a promise
  await app.register(oauth2, { checkAccessToken: () => true })
  // @ts-expect-error paths are needed
  await app.register(oauth2, { authenticate: [{ options: { scope: 'orders' } }] })
  // @ts-expect-error no such member
  await app.register(oauth2, { authenticate: [{ paths: '/api', options: { scop: 'orders' } }] })
  // @ts-expect-error no such member
  app.oauth2.authenticate('/api', { scop: 'orders' })
}
use(right, wrong)
