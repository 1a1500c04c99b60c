/** Responses that scripts of other origins may read. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Client } from '../clients/client.js'

/**
 * Lets a client's own pages read the response (`allowedOrigins` of its record). Forms without headers of their own are
 * sent without a preflight request, which could not say whose it is; no other request needs to come from a browser
 * here.
 */
export function allowOrigin ({ headers: { origin } }: FastifyRequest, reply: FastifyReply, client: Client): void {
  if (client.allowedOrigins.length === 0) return
  reply.header('vary', 'origin')
  if (origin !== undefined && client.allowedOrigins.includes(origin)) {
    reply.header('access-control-allow-origin', origin)
  }
}
