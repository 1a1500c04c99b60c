/** The end of connections when a server stops. */
import type { ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** Connections of a server that are open. */
export interface OpenConnections {
  /**
   * Takes no further connections, and tells those that are open with their next response that it is their last one (RFC
   * 9112, section 9.6). Waits until all are closed, or `drainTime` is over.
   */
  leave (): Promise<void>

  /** To be called for each request before it is answered: some responses are sent at once. */
  responding (socket: Socket, response: ServerResponse): void
}

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
  // The newest answer of each connection. It is the last to be sent: when it has gone out, so have those before it.
  const open = new Map<Socket, ServerResponse | undefined>()
  let leaving: Promise<void> | undefined
  let gone = (): void => {}
  server.on('connection', (socket: Socket) => {
    open.set(socket, undefined)
    socket.once('close', () => {
      open.delete(socket)
      if (open.size === 0) gone()
    })
  })
  fastify.addHook('preClose', async () => {
    for (const [socket, response] of open) if (response === undefined || response.writableFinished) socket.destroy()
    if (limit === 0 || (open.size === 0 && !server.listening)) return
    const timer = setTimeout(() => { server.closeAllConnections() }, limit).unref()
    // It would keep the entire application in memory.
    server.once('close', () => { clearTimeout(timer) })
  })

  const leave = async (): Promise<void> => {
    // Clients that have connected and were not looked at yet are taken: closing would cut them.
    await turn()
    // HTTP's own `close` cuts connections between two requests, on which the next one may be under way.
    NetServer.prototype.close.call(server)
    for (const response of open.values()) {
      if (response?.headersSent === false) response.shouldKeepAlive = false
    }
    if (open.size === 0) return
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, drainTime)
      gone = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
  return {
    leave: () => (leaving ??= leave()),
    responding (socket, response) {
      if (leaving !== undefined) response.shouldKeepAlive = false
      if (open.has(socket)) open.set(socket, response)
    }
  }
}
