/**
 * What clients that know only a resource may read of it (RFC 9728): which authorization server gives out its tokens,
 * and which scopes it asks for. Every guarded path is a resource: its description names the very address that the
 * client used.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { InvalidRequest } from '../errors.js'
import { endpointUrl } from '../issuer.js'
import type { Provider } from '../provider.js'
import { formsOf } from './paths.js'

const base = '/.well-known/oauth-protected-resource'

export const isResourceMetadata = (path: string): boolean => path === base || path.startsWith(`${base}/`)

/**
 * Where the description of the resource that a request is for stands. The path comes from outside: no quote of it gets
 * into a header.
 */
export function resourceMetadataUrl (request: FastifyRequest, issuer: string): string {
  const url = request.raw.url ?? '/'
  const { pathname } = URL.canParse(url, issuer) ? new URL(url, issuer) : { pathname: '/' }
  return endpointUrl(issuer, pathname === '/' ? base : base + pathname)
}

/** The routes. */
export async function resourceMetadata (scope: FastifyInstance, { provider }: { provider: Provider }): Promise<void> {
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    reply.header('access-control-allow-origin', '*')
    const found = describe(provider, request)
    if (found === undefined) {
      return await reply.code(404).send(new InvalidRequest('Nothing here needs a token.').toJSON())
    }
    return await reply.header('cache-control', 'public, max-age=300').send(found)
  }
  scope.get(base, answer)
  scope.get(`${base}/*`, answer)
}

/** Undefined: no rule covers the path. The server as a whole is described where any path is guarded. */
function describe (provider: Provider, request: FastifyRequest): object | undefined {
  const { settings, guard } = provider
  const issuer = provider.issuerOf(request)
  const path = new URL(request.raw.url as string, issuer).pathname.slice(base.length)
  const scopes = guard.scopesOf(path === '' ? undefined : formsOf(path, guard.paths))
  if (scopes === undefined) return undefined
  return {
    resource: endpointUrl(issuer, path),
    authorization_servers: settings.resourceMetadata?.authorizationServers ?? [issuer],
    ...(scopes.length === 0 ? {} : { scopes_supported: scopes }),
    bearer_methods_supported: [...settings.bearerMethods],
    ...(settings.serviceDocumentation === undefined ? {} : { resource_documentation: settings.serviceDocumentation })
  }
}
