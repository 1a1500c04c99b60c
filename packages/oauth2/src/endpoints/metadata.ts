/** Authorization server metadata (RFC 8414). */
import { findRows, withoutEndSlashes } from '@fastback/core/remote'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { endpointUrl } from '../issuer.js'
import type { Provider } from '../provider.js'

export function metadataEndpoint (provider: Provider) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const document = await describe(provider, provider.issuerOf(request))
    return reply.headers({ 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=300' }).send(document)
  }
}

/** What is empty or switched off is left out (O-258). */
async function describe ({ settings, models, openId, extensions }: Provider, issuer: string): Promise<object> {
  const { paths, grants, jwtAlgorithms } = settings
  const url = (path: string | undefined): string | undefined =>
    path === undefined ? undefined : endpointUrl(issuer, path)
  const scopes = await findRows(models.Scope.compiled, { fields: ['scope'], order: 'scope' }, { notify: false })
  const responseTypes = paths.authorize === undefined
    ? []
    : [...(grants.has('authorization_code') ? ['code'] : []), ...(grants.has('implicit') ? ['token'] : [])]
  const confidential = settings.keysOnly ? ['private_key_jwt'] : ['client_secret_basic', 'client_secret_post', 'private_key_jwt']
  const authentication = (name: string, path: string | undefined, methods: string[]): object =>
    path === undefined
      ? {}
      : {
          [`${name}_endpoint_auth_methods_supported`]: methods,
          [`${name}_endpoint_auth_signing_alg_values_supported`]: jwtAlgorithms
        }
  const document = {
    issuer,
    authorization_endpoint: url(paths.authorize),
    token_endpoint: url(paths.token),
    response_types_supported: responseTypes,
    response_modes_supported: responseTypes.length === 0 ? [] : ['query', 'fragment', 'form_post'],
    grant_types_supported: [...grants],
    scopes_supported: scopes.map(({ scope }) => scope),
    code_challenge_methods_supported: responseTypes.includes('code') ? ['S256'] : [],
    ...authentication('token', paths.token, [...confidential, ...settings.keysOnly ? [] : ['none']]),
    revocation_endpoint: url(paths.revoke),
    ...authentication('revocation', paths.revoke, [...confidential, ...settings.keysOnly ? [] : ['none']]),
    introspection_endpoint: url(paths.introspect),
    ...authentication('introspection', paths.introspect, confidential),
    authorization_response_iss_parameter_supported: responseTypes.length === 0 ? undefined : true,
    service_documentation: settings.serviceDocumentation,
    ...Object.assign({}, ...Object.values(extensions).map(extension => extension.metadata(issuer))) as object,
    ...openId?.metadata(issuer, scopes.map(({ scope }) => String(scope))),
    jwks_uri: url(paths.jwks),
    dpop_signing_alg_values_supported: settings.dpop?.algorithms
  }
  return Object.fromEntries(Object.entries(document).filter(([, value]) => value !== undefined &&
    !(Array.isArray(value) && value.length === 0)))
}

/** With an issuer that has a path, the well-known part stands between host and path (O-259). */
export function metadataPath (path: string, issuer: string | undefined): string {
  const below = issuer === undefined ? '' : withoutEndSlashes(new URL(issuer).pathname)
  return path.startsWith('/.well-known/') ? path + below : path
}
