import type { SharedMethod } from '@fastback/core'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** What role resolvers read of a request. The parts that LoopBack's had stand beside Node's own. */
export function remotingContext (request: FastifyRequest, reply: FastifyReply, method: SharedMethod): object {
  const { params, query, body, accessToken } = request
  const req = Object.create(
    request.raw,
    Object.getOwnPropertyDescriptors({ params, query, body, accessToken: accessToken ?? undefined })
  ) as object
  return {
    req,
    res: reply.raw,
    request,
    reply,
    method,
    methodString: `${method.modelName}.${method.fullName}`,
    args: { ...(query as object), ...(params as object) }
  }
}
