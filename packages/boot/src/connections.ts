/** The end of connections when a server stops. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * What was begun is answered before the server stops; connections on which nothing is being answered do not hold it up
 * (security.md, S-59). Node itself closes those that are between two requests, and would wait for ever for those that
 * never sent one, or half of one.
 * @param limit milliseconds for what was begun, after which its connections are closed, too; 0: none
 */
export function closeConnections (fastify: FastifyInstance, limit: number): void {
  const { server } = fastify
  // The newest answer of each connection. It is the last to be sent: when it has gone out, so have those before it.
  const open = new Map<Socket, ServerResponse | undefined>()
  server.on('connection', (socket: Socket) => {
    open.set(socket, undefined)
    socket.once('close', () => { open.delete(socket) })
  })
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    if (open.has(socket)) open.set(socket, response)
  })
  fastify.addHook('preClose', async () => {
    // Connections whose last request ends after the closing began would otherwise stay open for their whole time.
    server.keepAliveTimeout = 1
    for (const [socket, response] of open) if (response === undefined || response.writableFinished) socket.destroy()
    if (limit > 0) setTimeout(() => { server.closeAllConnections() }, limit).unref()
  })
}
