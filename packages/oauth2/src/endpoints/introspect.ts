/** Introspection (RFC 7662). */
import type { Row } from '@fastback/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { authenticateClient } from '../clients/authenticate-client.js'
import type { Client } from '../clients/client.js'
import { InvalidClient } from '../errors.js'
import { allowOrigin } from '../http/cors.js'
import { formOf } from '../http/forms.js'
import type { Provider } from '../provider.js'
import { boundTo } from '../resource/access.js'
import { isLive, isRefreshable } from '../stores/tokens.js'

const inactive = { active: false }

export function introspectionEndpoint (provider: Provider) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const body = formOf(request)
    body.refuseRepeated()
    const client = await authenticateClient(provider, request, body)
    if (client.isPublic) throw new InvalidClient('The client authentication failed.', 'a public client')
    allowOrigin(request, reply, client)
    const answer = await introspect(provider, client, body.require('token'), provider.issuerOf(request))
    return reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' }).send(answer)
  }
}

async function introspect (
  { tokens, grants, users, clients, openId, settings, jwtTokens }: Provider,
  client: Client,
  token: string,
  iss: string
): Promise<object> {
  const access = await tokens.find(token)
  const row = access ?? (await tokens.findRefresh(token))
  if (row === undefined || (row.appId !== client.id && !client.isResourceServer)) return inactive
  if (access === undefined ? !isRefreshable(row) || (await grants.isRevoked(String(row.grantId))) : !isLive(row)) {
    return inactive
  }
  const owner = row.userId === undefined || row.userId === null ? undefined : await users.byId(row.userId)
  if (
    (owner === undefined && row.userId !== undefined && row.userId !== null) ||
    (await clients.find(String(row.appId))) === undefined
  ) {
    return inactive
  }
  return {
    active: true,
    ...(access === undefined ? describeRefresh(row) : describeAccess(row)),
    client_id: row.appId,
    iat: seconds(row.issuedAt),
    iss,
    ...(settings.indicators === undefined && jwtTokens === undefined ? {} : { aud: audienceIn(row, iss) }),
    ...describeOwner(owner, row),
    // Who the user is for the client; another that asks about its tokens reads the id (OI-71).
    ...(owner !== undefined && row.appId === client.id ? openId?.ownerFor(client, users.idOf(owner)) : undefined)
  }
}

const seconds = (date: unknown): number => Math.floor((date as Date).getTime() / 1000)

const describeAccess = (row: Row): object => {
  const { jkt } = boundTo(row)
  return {
    scope: (row.scopes as string[]).join(' '),
    exp: seconds(row.expiredAt),
    ...(jkt === undefined ? { token_type: 'Bearer' } : { token_type: 'DPoP', cnf: { jkt } })
  }
}

/** One is a text, as in a token (OI-172). */
function audienceIn (row: Row, issuer: string): string | readonly string[] {
  const { audience } = boundTo(row)
  return audience.length > 1 ? audience : audience[0] ?? issuer
}

const describeRefresh = (row: Row): object =>
  ({ scope: (row.originalScopes as string[]).join(' '), exp: seconds(row.refreshTokenExpiredAt) })

const describeOwner = (owner: Row | undefined, { userId }: Row): object =>
  owner === undefined ? {} : { sub: String(userId), username: owner.username ?? owner.email ?? String(userId) }
