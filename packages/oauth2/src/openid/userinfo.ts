/** The userinfo endpoint (OI-76 to OI-80, OI-85). */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { InsufficientScope, InvalidRequest, InvalidToken, Unauthorized } from '../errors.js'
import { failureOf } from '../http/forms.js'
import { Parameters } from '../http/parameters.js'
import type { Provider } from '../provider.js'
import { boundTo } from '../resource/access.js'
import { isFor } from '../resource/audience.js'
import { headerToken, isDpop } from '../resource/bearer.js'
import { challenge } from '../resource/challenge.js'
import { isLive } from '../stores/tokens.js'
import { contextOf } from './context.js'
import type { OpenId } from './openid.js'
import type { SigningAlgorithm } from './options.js'

/** `typ` of a signed response: no id_token (OI-270). */
const kind = 'userinfo+jwt'

export function userinfoEndpoint (openId: OpenId) {
  const { provider } = openId
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const token = tokenOf(request, provider.dpop !== undefined)
    const row = await provider.tokens.find(token)
    if (row === undefined || !isLive(row)) throw unusable()
    const { jkt, audience } = boundTo(row)
    if (provider.dpop !== undefined) await provider.dpop.checkAtResource(request, reply, token, jkt)
    else if (jkt !== undefined) throw unusable()
    if (!isFor(audience, [], provider.issuerOf(request))) throw new InvalidToken('The token is for another resource.')
    const client = await provider.clients.find(row.appId)
    if (client === undefined) throw unusable()
    const hasUser = row.userId !== undefined && row.userId !== null
    // A deleted user's tokens are worth nothing, whatever they cover (OI-79).
    const user = hasUser ? await provider.users.byId(row.userId) : undefined
    if (hasUser && user === undefined) throw unusable()
    if (user === undefined || !row.scopes.includes('openid')) throw new InsufficientScope(['openid'])
    const claims = await openId.userinfo({ client, user, context: contextOf(row), scopes: row.scopes })
    reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' })
    const alg = client.row.userinfoSignedResponseAlg as SigningAlgorithm | null | undefined
    if (alg === undefined || alg === null) return reply.send(claims)
    const signed = { ...claims, iss: provider.issuerOf(request), aud: client.id }
    const text = await openId.keys.sign(signed, { alg, typ: kind })
    return reply.header('content-type', 'application/jwt').send(text)
  }
}

const unusable = (): InvalidToken => new InvalidToken('The token is unknown, has expired, or was revoked.')

/** The token of the header, or of a form; one in the query is never taken. */
function tokenOf (request: FastifyRequest, withDpop: boolean): string {
  const form = request.body instanceof Parameters ? request.body : undefined
  const query = Parameters.ofQuery(request.url)
  const inHeader = headerToken(request.headers.authorization, withDpop)
  const inForm = form?.get('access_token')
  const ways = [inHeader, inForm, query.get('access_token')].filter(token => token !== undefined)
  if (ways.length > 1 || form?.repeated.has('access_token') === true) {
    throw new InvalidRequest('The token was sent more than once.')
  }
  const token = inHeader ?? inForm
  if (token === undefined) throw new Unauthorized('A bearer token is needed.')
  return token
}

/** Errors with a challenge, as any resource has them (OI-78). */
export function userinfoErrors (provider: Provider) {
  return (thrown: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const error = failureOf(provider, request, thrown)
    reply.code(error.statusCode).headers({ 'cache-control': 'no-store', pragma: 'no-cache' })
    if (error.statusCode < 500) {
      reply.header('www-authenticate', challenge(error, {
        realm: provider.issuerOf(request),
        algorithms: provider.settings.dpop?.algorithms,
        byDpop: isDpop(request.headers.authorization)
      }))
    }
    reply.send(error.toJSON())
  }
}
