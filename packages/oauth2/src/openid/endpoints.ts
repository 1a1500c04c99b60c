/** The routes that OpenID Connect adds. */
import { withoutEndSlashes } from '@fastback/core/remote'
import type { FastifyInstance } from 'fastify'
import { metadataEndpoint, metadataPath } from '../endpoints/metadata.js'
import { jsonErrors, readForms } from '../http/forms.js'
import type { OpenId } from './openid.js'
import type { SigningKeys } from './signing-keys.js'
import { userinfoEndpoint, userinfoErrors } from './userinfo.js'

/** Registers them, each group in a context of its own. */
export async function openIdEndpoints (scope: FastifyInstance, { openId }: { openId: OpenId }): Promise<void> {
  await scope.register(documents, { openId })
  await scope.register(userinfo, { openId })
}

/** Discovery and the key set: anybody may read them, from any page. */
async function documents (scope: FastifyInstance, { openId }: { openId: OpenId }): Promise<void> {
  const { provider, keys } = openId
  const { paths, issuer } = provider.settings
  scope.setErrorHandler(jsonErrors(provider))
  for (const path of configurationPaths(paths.configuration as string, issuer)) {
    scope.get(path, metadataEndpoint(provider))
  }
  serveKeySet(scope, paths.jwks as string, keys)
}

/** Registers the route of the key set (OI-30). */
export function serveKeySet (scope: FastifyInstance, path: string, keys: SigningKeys): void {
  scope.get(path, async (_request, reply) => {
    const set = JSON.stringify(await keys.publicSet())
    return await reply.headers({
      'content-type': 'application/jwk-set+json',
      'access-control-allow-origin': '*',
      'cache-control': `public, max-age=${keys.maxAge}`
    }).send(set)
  })
}

/**
 * Where the configuration is: appended to an issuer with a path, and where RFC 8414 has it (OI-10).
 *
 * ```js
 * configurationPaths('/.well-known/openid-configuration', 'https://op.example/a')
 * // ['/a/.well-known/openid-configuration', '/.well-known/openid-configuration/a']
 * ```
 */
function configurationPaths (path: string, issuer: string | undefined): string[] {
  const below = issuer === undefined ? '' : withoutEndSlashes(new URL(issuer).pathname)
  return [...new Set([below + path, metadataPath(path, issuer)])]
}

const anyOrigin = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'www-authenticate' }

async function userinfo (scope: FastifyInstance, { openId }: { openId: OpenId }): Promise<void> {
  const { provider } = openId
  const path = provider.settings.paths.userinfo
  if (path === undefined) return
  readForms(scope)
  scope.setErrorHandler(userinfoErrors(provider))
  // No cookie counts here: a page of another origin needs the token (OI-80).
  scope.addHook('onRequest', async (_request, reply) => { reply.headers(anyOrigin) })
  const endpoint = userinfoEndpoint(openId)
  scope.get(path, endpoint)
  scope.post(path, endpoint)
  scope.options(path, async (_request, reply) => await reply.code(204).headers({
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': provider.dpop === undefined ? 'authorization' : 'authorization, dpop',
    'access-control-max-age': '7200'
  }).send())
}
