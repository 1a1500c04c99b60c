/** The end of connections when a server stops. */
import { connectionsOf, type OpenConnections } from '@fastback/core/remote'
import type { FastifyInstance } from 'fastify'

export interface ConnectionLimits {
  /** Milliseconds for what was begun, after which its connections are closed, too; 0: none. */
  readonly requestTimeout: number
  /** Milliseconds that open connections have for one more request. */
  readonly drainTime: number
}

/**
 * What was begun is answered before the server stops; connections on which nothing is being answered do not hold it up
 * (security.md, S-59). Node itself closes those that are between two requests, and would wait for ever for those that
 * never sent one, or half of one.
 */
export function closeConnections (
  fastify: FastifyInstance, { requestTimeout: limit, drainTime }: ConnectionLimits
): OpenConnections {
  const { server } = fastify
  const connections = connectionsOf(server, drainTime)
  fastify.addHook('preClose', async () => {
    connections.closeIdle()
    if (limit === 0 || (connections.size === 0 && !server.listening)) return
    const timer = setTimeout(() => { server.closeAllConnections() }, limit).unref()
    // It would keep the entire application in memory.
    server.once('close', () => { clearTimeout(timer) })
  })
  return connections
}
