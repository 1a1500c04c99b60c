/** Token endpoint (oauth2.md, section 7). */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { authenticateClient } from '../clients/authenticate-client.js'
import { mayUse, type Client } from '../clients/client.js'
import { InvalidRequest, UnauthorizedClient, UnsupportedGrantType } from '../errors.js'
import { deviceGrant, jwtBearer, type GrantType } from '../grant-types.js'
import { clientCredentialsGrant } from '../grants/client-credentials.js'
import { jwtBearerGrant } from '../grants/jwt-bearer.js'
import { runGrant } from '../grants/run-grant.js'
import { wishesOf, type Wishes } from '../grants/wishes.js'
import { allowOrigin } from '../http/cors.js'
import { formOf } from '../http/forms.js'
import type { Parameters } from '../http/parameters.js'
import type { Provider } from '../provider.js'
import type { Issued } from '../stores/tokens.js'

export function tokenEndpoint (provider: Provider) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    provider.dpop?.giveNonce(reply)
    const body = formOf(request)
    // Only resources may be several (RFC 8707).
    if (provider.settings.indicators === undefined) body.refuseRepeated()
    else body.refuseRepeatedBut('resource')
    const client = mayGoWithout(body, request) ? undefined : await authenticateClient(provider, request, body)
    if (client !== undefined) allowOrigin(request, reply, client)
    const grantType = checkGrantType(provider, body, client)
    try {
      const wishes = await wishesOf(provider, request, reply, body, client)
      const issued = await run(provider, request, client, grantType, body, wishes)
      provider.emit('grant.success', { client: client?.id, grantType })
      return reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' }).send(answer(issued))
    } catch (error) {
      provider.emit('grant.error', { client: client?.id, grantType, error })
      throw error
    }
  }
}

/** An assertion of the JWT bearer grant says who the client is. */
const mayGoWithout = (body: Parameters, { headers }: FastifyRequest): boolean =>
  body.get('grant_type') === jwtBearer &&
  headers.authorization === undefined &&
  body.get('client_secret') === undefined &&
  body.get('client_assertion') === undefined

/** There is no token request of the implicit grant. */
type AskedGrant = Exclude<GrantType, 'implicit'>

function checkGrantType ({ settings: { grants } }: Provider, body: Parameters, client: Client | undefined): AskedGrant {
  const grantType = body.require('grant_type') as AskedGrant | 'implicit'
  if (grantType === 'implicit' || !grants.has(grantType)) {
    throw new UnsupportedGrantType('The grant_type is not supported.')
  }
  if (client === undefined) return grantType
  if (!mayUse(client, grantType) || (grantType === 'client_credentials' && client.isPublic)) {
    throw new UnauthorizedClient('The client may not use this grant.')
  }
  return grantType
}

async function run (
  provider: Provider, request: FastifyRequest, client: Client | undefined, grantType: AskedGrant, body: Parameters,
  wishes: Wishes
): Promise<Issued> {
  if (grantType === jwtBearer) return await jwtBearerGrant(provider, request, body, client, wishes)
  if (client === undefined) throw new InvalidRequest('The client is missing.')
  switch (grantType) {
    case deviceGrant: {
      const { device } = provider.extensions
      if (device === undefined) throw new UnsupportedGrantType('The grant_type is not supported.')
      return await device.grant(request, client, body, wishes)
    }
    case 'client_credentials': return await clientCredentialsGrant(provider, client, body, wishes)
    case 'password':
      provider.warnOnce(
        `password ${client.id}`,
        `OAuth: the client "${client.id}" uses the password grant, which RFC 9700 forbids`
      )
      return await runGrant(provider, request, client, grantType, body, wishes)
    case 'authorization_code': case 'refresh_token':
      return await runGrant(provider, request, client, grantType, body, wishes)
  }
}

const answer = ({ accessToken, refreshToken, expiresIn, scopes, extra, tokenType, idToken }: Issued): object => ({
  ...extra,
  access_token: accessToken,
  token_type: tokenType,
  expires_in: expiresIn,
  scope: scopes.join(' '),
  ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
  ...(idToken === undefined ? {} : { id_token: idToken })
})
