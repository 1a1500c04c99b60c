/** The routes of an authorization server. */
import type { FastifyInstance } from 'fastify'
import { allowProofs } from '../http/cors.js'
import { jsonErrors, pageErrors, readForms, readJson } from '../http/forms.js'
import type { Provider } from '../provider.js'
import { authorizationEndpoint } from './authorize.js'
import { decisionEndpoint } from './decision.js'
import { introspectionEndpoint } from './introspect.js'
import { loginEndpoint, loginPageEndpoint, logoutEndpoint } from './login.js'
import { metadataEndpoint, metadataPath } from './metadata.js'
import { factorPages } from './second-factor.js'
import { revocationEndpoint } from './revoke.js'
import { tokenEndpoint } from './token.js'

/**
 * Registers the endpoints, in contexts of their own: no parser and no error handler of the application sees their
 * requests.
 */
export async function endpoints (scope: FastifyInstance, { provider }: { provider: Provider }): Promise<void> {
  requireHttps(scope, provider)
  await scope.register(backChannel, { provider })
  await scope.register(frontChannel, { provider })
  for (const extension of Object.values(provider.extensions)) {
    await scope.register(async inner => { await extension.register(inner) })
  }
  if (provider.openId === undefined) return
  const { openIdEndpoints } = await import('../openid/endpoints.js')
  await scope.register(openIdEndpoints, { openId: provider.openId })
}

/** The pages for second factors, registered when the users of the provider have some. */
export async function factorEndpoints (scope: FastifyInstance, { provider }: { provider: Provider }): Promise<void> {
  requireHttps(scope, provider)
  await scope.register(factorPages, { provider })
}

function requireHttps (scope: FastifyInstance, provider: Provider): void {
  if (provider.settings.requireHttps) {
    scope.addHook('onRequest', async (request, reply) => {
      if (request.protocol !== 'https') {
        return await reply.code(403).send({ error: 'invalid_request', error_description: 'The endpoint needs https.' })
      }
    })
  } else scope.addHook('onRequest', warnOfHttp(provider))
}

function warnOfHttp (provider: Provider) {
  return (request: { protocol: string, hostname: string }, _reply: unknown, done: () => void): void => {
    if (request.protocol !== 'https' && !/^(127\.|localhost$|\[?::1)/.test(request.hostname)) {
      provider.warnOnce('http', 'OAuth: requests come without https; tokens and passwords can be read on their way')
    }
    done()
  }
}

async function backChannel (scope: FastifyInstance, { provider }: { provider: Provider }): Promise<void> {
  const { paths, issuer } = provider.settings
  readForms(scope)
  scope.setErrorHandler(jsonErrors(provider))
  if (paths.token !== undefined) scope.post(paths.token, tokenEndpoint(provider))
  if (paths.token !== undefined && provider.dpop !== undefined) allowProofs(scope, paths.token)
  if (paths.revoke !== undefined) scope.post(paths.revoke, revocationEndpoint(provider))
  if (paths.introspect !== undefined) scope.post(paths.introspect, introspectionEndpoint(provider))
  if (paths.metadata !== undefined) scope.get(metadataPath(paths.metadata, issuer), metadataEndpoint(provider))
}

async function frontChannel (scope: FastifyInstance, { provider }: { provider: Provider }): Promise<void> {
  const { paths, loginPage } = provider.settings
  readForms(scope)
  scope.setErrorHandler(pageErrors(provider))
  if (paths.authorize !== undefined) {
    const authorize = authorizationEndpoint(provider)
    scope.get(paths.authorize, { exposeHeadRoute: false }, authorize)
    scope.post(paths.authorize, authorize)
  }
  if (paths.decision !== undefined) scope.post(paths.decision, decisionEndpoint(provider))
  if (paths.logout !== undefined) scope.post(paths.logout, logoutEndpoint(provider))
  provider.openId?.logins.register(scope)
  if (paths.login === undefined) return
  if (loginPage === '/login' && !scope.hasRoute({ method: 'GET', url: loginPage })) {
    scope.get(loginPage, { exposeHeadRoute: false }, loginPageEndpoint(provider))
  }
  await scope.register(async login => {
    readJson(login)
    login.post(paths.login as string, loginEndpoint(provider))
  })
}
