/** Responses that scripts of other origins may read. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Client } from '../clients/client.js'

/**
 * Lets a client's own pages read the response (`allowedOrigins` of its record). Forms without headers of their own are
 * sent without a preflight request, which could not say whose it is.
 */
export function allowOrigin ({ headers: { origin } }: FastifyRequest, reply: FastifyReply, client: Client): void {
  if (client.allowedOrigins.length === 0) return
  reply.header('vary', 'origin')
  if (origin !== undefined && client.allowedOrigins.includes(origin)) {
    reply.header('access-control-allow-origin', origin)
    if (reply.hasHeader('dpop-nonce')) reply.header('access-control-expose-headers', 'dpop-nonce')
  }
}

/**
 * Lets pages send proofs of keys, which are headers of their own (RFC 9449). Who may read a response is said there.
 */
export function allowProofs (scope: FastifyInstance, path: string): void {
  scope.options(path, async (_request, reply) => await reply.code(204).headers({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'authorization, dpop',
    'access-control-max-age': '7200'
  }).send())
}
