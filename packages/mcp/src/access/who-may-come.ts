/** Who may send requests: OAuth tokens for this endpoint, tokens of the application, and pages that are named. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { InvalidOptionsError } from '../errors.js'
import type { Settings } from '../options.js'
import { invalidRequest, otherOrigin, tokenNeeded } from './request-errors.js'

/** What is used of `app.oauth2`. */
interface OAuthProvider {
  readonly settings: {
    readonly resourceServer: boolean
    readonly issuer: string | undefined
    readonly resourceMetadata: object | undefined
  }
  authenticate (paths: string, options: { resource: string, scope?: string | string[] }): void
}

type WithProvider = FastifyInstance & { readonly oauth2?: OAuthProvider }

/**
 * Adds what looks at each request before its body is read.
 * @param path that of the endpoint, with the prefix
 * @throws FBK_MCP_INVALID_OPTIONS
 */
export function guardEndpoint (app: FastifyInstance, path: string, settings: Settings): void {
  const provider = providerOf(app, settings)
  const { anonymous, origins } = settings
  if (provider === undefined) {
    const name = (['resource', 'scope'] as const).find(name => settings[name] !== undefined)
    if (name !== undefined) {
      throw new InvalidOptionsError(`the option "${name}" needs @fastback/oauth2, and "oauth" that is not false.`)
    }
  } else {
    if (anonymous === true) {
      throw new InvalidOptionsError('"anonymous" and OAuth exclude each other: set "oauth" to false, or leave it out.')
    }
    protect(provider, path, settings)
  }
  const readsTokens = app.hasRequestDecorator('accessToken')
  const needsToken = provider === undefined && !(anonymous ?? !readsTokens)
  app.addHook('onRequest', (request, reply, done) => {
    try {
      mustBeKnownPage(request, origins)
      if (request.url.includes('?')) throw invalidRequest('The address takes no query: tokens are sent in the header Authorization.')
      if (needsToken) mustHaveToken(request, reply)
      done()
    } catch (error) {
      done(error as Error)
    }
  })
}

/** Undefined where OAuth is off. */
function providerOf (app: WithProvider, { oauth }: Settings): OAuthProvider | undefined {
  const provider = app.oauth2?.settings.resourceServer === true ? app.oauth2 : undefined
  if (oauth === true && provider === undefined) {
    throw new InvalidOptionsError('"oauth" needs @fastback/oauth2 as a resource server: register it before.')
  }
  return oauth === false ? undefined : provider
}

/** Only tokens for this very endpoint: those for others, who may be strangers, are refused (RFC 8707). */
function protect (provider: OAuthProvider, path: string, { resource, scope }: Settings): void {
  const { issuer, resourceMetadata } = provider.settings
  if (resourceMetadata === undefined) {
    throw new InvalidOptionsError('clients find the authorization server by its option "resourceMetadata": set it in @fastback/oauth2.')
  }
  const own = issuer === undefined ? undefined : issuer.replace(/\/$/, '') + path
  const wanted = resource ?? own
  if (wanted === undefined) {
    throw new InvalidOptionsError('"resource" is needed: the address of this endpoint, as clients see it. (Or set "issuer" in @fastback/oauth2.)')
  }
  if (own !== undefined && wanted !== own) {
    throw new InvalidOptionsError(`"resource" is "${wanted}", but clients are told that this endpoint is "${own}".`)
  }
  provider.authenticate(path, { resource: wanted, ...(scope === undefined ? {} : { scope }) })
}

/**
 * Browsers send an origin, and send it where a name was made to lead here (DNS rebinding): the header `Host` says
 * nothing then. So pages are named.
 */
function mustBeKnownPage ({ headers: { origin } }: FastifyRequest, allowed: readonly string[]): void {
  if (origin !== undefined && !allowed.includes(origin)) throw otherOrigin(origin)
}

/** @throws RequestError 401, with the challenge */
function mustHaveToken (request: FastifyRequest, reply: FastifyReply): void {
  const { accessToken } = request as FastifyRequest & { readonly accessToken?: unknown }
  if (accessToken !== undefined && accessToken !== null) return
  const fault = request.headers.authorization === undefined ? '' : ', error="invalid_token"'
  reply.header('www-authenticate', `Bearer realm="mcp"${fault}`)
  throw tokenNeeded()
}
