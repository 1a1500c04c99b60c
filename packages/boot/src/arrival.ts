/** What every request meets first, before any code of the application. */
import type { FastifyInstance } from 'fastify'
import { lengthFault } from './client-error.js'
import { isNextOfConnection, whenNextOfConnection } from './pipelining.js'
import type { LogLender } from './request-log.js'

export interface Arrival {
  /** The header that responses have their request's id in; undefined: none. */
  readonly idHeader: string | undefined
  /** Gives requests their log, where Fastify does not. */
  readonly lendLog: LogLender | undefined
}

/**
 * Adds the first hook of a server. It is one for all of this: Fastify's way from one hook to the next costs a request
 * that comes alone as much as what each of them does.
 */
export function meetRequests (fastify: FastifyInstance, { idHeader, lendLog }: Arrival): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    lendLog?.(request, reply)
    if (idHeader !== undefined) reply.header(idHeader, request.id)
    if (isNextOfConnection(request, reply)) done(lengthFault(request))
    else whenNextOfConnection(reply, () => { done(lengthFault(request)) })
  })
}
