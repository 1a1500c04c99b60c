/** Logins of a Fastify application with `@fastback/core`. */
import { installAuthModels } from '@fastback/auth'
import { installModels } from '@fastback/core/remote'
import type { FastifyInstance, RouteHandlerMethod } from 'fastify'
import fp from 'fastify-plugin'
import { addEndpoints } from './endpoints.js'
import { InvalidOptionsError } from './errors.js'
import { showUser } from './fastify-user.js'
import { loadFrom } from './folder-host.js'
import { installEntry, prepareEntry } from './install.js'
import { Logins } from './logins.js'
import type { OAuthLogin } from './oauth-login.js'
import type { LoginHost } from './login-host.js'
import { loginModels } from './models/index.js'
import type { LoginOptions } from './settings.js'
import { fastifyVisit, type Visit } from './visit.js'

interface Route { readonly method: 'get' | 'post', readonly path: string, readonly handle: (visit: Visit) => Promise<void> }

const bodyLimit = 262_144

async function loginPlugin (fastify: FastifyInstance, given: LoginOptions): Promise<void> {
  const { prefix, logLevel, logSerializers, ...options } = given as LoginOptions & Record<string, unknown>
  const { registry } = fastify
  installAuthModels(registry)
  installModels(registry, loginModels)
  const routes: Route[] = []
  const logins = Logins.of(fastifyHost(fastify, routes), {
    exchangePath: '/auth/exchange',
    // The pages of an OAuth provider have that path already.
    logoutPath: fastify.hasRoute({ method: 'POST', url: '/logout' }) ? '/auth/logout' : '/logout',
    accountPath: '/auth/account-data',
    ...options
  })
  const { providers = {} } = options
  if (typeof providers !== 'object' || Array.isArray(providers)) throw new InvalidOptionsError('"providers" is an object here.')
  await logins.prepare()
  for (const [name, entry] of Object.entries(providers)) {
    const added = logins.add(name, entry)
    installEntry(logins, added, Promise.resolve(await prepareEntry(logins, added)))
  }
  addEndpoints(logins)
  fastify.decorate('logins', logins)
  showUser(fastify, logins, true)
  await fastify.register(async scope => { serve(scope, routes, logins) })
}

function fastifyHost (fastify: FastifyInstance, routes: Route[]): LoginHost {
  const { registry } = fastify
  return {
    registry,
    model: name => registry.findModel(name),
    attach: (Model, dataSource) => { registry.attach(Model, dataSource, { public: false }) },
    dataSources: () => Object.keys(registry.dataSources),
    load: name => loadFrom([process.cwd()], name),
    get oauth2 () { return fastify.hasDecorator('oauth2') ? (fastify as unknown as { oauth2: OAuthLogin }).oauth2 : undefined },
    isNew: true,
    route: (method, path, handle) => { routes.push({ method, path, handle }) }
  }
}

/** In a context of their own, which reads forms. */
function serve (scope: FastifyInstance, routes: readonly Route[], logins: Logins): void {
  const form = 'application/x-www-form-urlencoded'
  if (scope.hasContentTypeParser(form)) scope.removeContentTypeParser(form)
  scope.addContentTypeParser(form, { parseAs: 'string', bodyLimit }, (_request, text, done) => {
    const fields: Record<string, string | string[]> = {}
    for (const [name, value] of new URLSearchParams(text as string)) {
      fields[name] = name in fields ? [fields[name] as string, value].flat() : value
    }
    done(null, fields)
  })
  for (const { method, path, handle } of routes) {
    const handler: RouteHandlerMethod = async (request, reply) => {
      await handle(fastifyVisit(request, reply, logins.settings.origin))
      return reply
    }
    scope.route({ method: method === 'get' ? 'GET' : 'POST', url: path, exposeHeadRoute: false, bodyLimit, handler })
  }
}

/**
 * Logins by accounts of third parties. Register it after `@fastback/core` and `@fastback/oauth2`, and before
 * `@fastback/auth`, `@fastback/acl` and `@fastback/rest`. Each provider has the paths `/auth/<name>` and
 * `/auth/<name>/callback`.
 *
 * ```js
 * await app.register(login, {
 *   secret: process.env.LOGIN_SECRET,
 *   providers: { google: { clientId: process.env.GOOGLE_ID, clientSecret: process.env.GOOGLE_SECRET, session: true } }
 * })
 * ```
 * @param options `providers` by name, and those of the README
 * @throws FBK_LOGIN_INVALID_OPTIONS, FBK_LOGIN_INVALID_PROVIDER, FBK_LOGIN_PACKAGE_MISSING, FBK_LOGIN_UNKNOWN_MODEL
 */
export const login = fp(loginPlugin, {
  name: '@fastback/login',
  fastify: '5.x',
  dependencies: ['@fastback/core'],
  decorators: { fastify: ['registry'] }
})
export default login

declare module 'fastify' {
  interface FastifyInstance {
    /** Set by `@fastback/login`. */
    logins: Logins
  }
}
