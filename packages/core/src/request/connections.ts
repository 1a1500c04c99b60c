/** The end of connections when a server stops. */
import type { Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'

/** Connections of a server that are open. */
export interface OpenConnections {
  readonly size: number
  /**
   * Takes no further connections, and tells those that are open with their next response that it is their last one (RFC
   * 9112, section 9.6). Waits until all are closed, or `drainTime` is over.
   */
  leave (): Promise<void>

  /** To be called for each request before it is answered: some responses are sent at once. */
  responding (socket: Socket, response: ServerResponse): void

  /** Closes those on which nothing is being answered. */
  closeIdle (): void
}

const kConnections = Symbol('fastback.connections')

/**
 * The connections of a server, counted from the first call on: call it before the server listens. All callers get the
 * same ones, so that who stops the server need not know who else does.
 *
 * ```js
 * const connections = connectionsOf(app.server)
 * await connections.leave()
 * await app.close()
 * ```
 * @param drainTime milliseconds that open connections have for one more request; that of the first call counts
 */
export function connectionsOf (
  server: Server & { [kConnections]?: OpenConnections }, drainTime = 500
): OpenConnections {
  return (server[kConnections] ??= watched(server, drainTime))
}

function watched (server: Server, drainTime: number): OpenConnections {
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
    get size () { return open.size },
    leave: () => (leaving ??= leave()),
    responding (socket, response) {
      if (leaving !== undefined) response.shouldKeepAlive = false
      if (open.has(socket)) open.set(socket, response)
    },
    closeIdle () {
      for (const [socket, response] of open) if (response === undefined || response.writableFinished) socket.destroy()
    }
  }
}
