/** The end of connections when a server stops. */
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Node keeps the answer that is being made on its socket. */
type HttpSocket = Socket & { _httpMessage?: unknown }

/**
 * What was begun is answered before the server stops; connections on which nothing is being answered do not hold it up
 * (security.md, S-59). Node itself closes those that are between two requests, and would wait for ever for those that
 * never sent one, or half of one.
 * @param limit milliseconds for what was begun, after which its connections are closed, too; 0: none
 */
export function closeConnections (fastify: FastifyInstance, limit: number): void {
  const { server } = fastify
  const open = new Set<HttpSocket>()
  server.on('connection', (socket: HttpSocket) => {
    open.add(socket)
    socket.once('close', () => { open.delete(socket) })
  })
  fastify.addHook('preClose', async () => {
    // Connections whose last request ends after the closing began would otherwise stay open for their whole time.
    server.keepAliveTimeout = 1
    for (const socket of open) if (socket._httpMessage === undefined || socket._httpMessage === null) socket.destroy()
    if (limit > 0) setTimeout(() => { server.closeAllConnections() }, limit).unref()
  })
}
