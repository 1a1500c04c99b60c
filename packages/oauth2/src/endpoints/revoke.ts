/** Revocation (RFC 7009). */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { authenticateClient } from '../clients/authenticate-client.js'
import { allowOrigin } from '../http/cors.js'
import { formOf } from '../http/forms.js'
import type { Provider } from '../provider.js'

export function revocationEndpoint (provider: Provider) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const body = formOf(request)
    body.refuseRepeated()
    const client = await authenticateClient(provider, request, body)
    allowOrigin(request, reply, client)
    // Hints are not needed: both look-ups are by key.
    await revoke(provider, client.id, body.require('token'))
    return reply.header('cache-control', 'no-store').send({})
  }
}

/** Unknown tokens and those of other clients are left alone. */
async function revoke ({ tokens, grants }: Provider, clientId: string, token: string): Promise<void> {
  const access = await tokens.find(token)
  if (access !== undefined) {
    if (access.appId === clientId) await tokens.revoke(access.id)
    return
  }
  const refresh = await tokens.findRefresh(token)
  if (refresh?.appId === clientId) await grants.revoke(String(refresh.grantId))
}
