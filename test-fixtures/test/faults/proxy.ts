/** What stands between a client and a server, and does what networks do. */
import { createServer, connect, type AddressInfo, type Socket } from 'node:net'
import type { Test } from 'tap'

export interface Proxy {
  readonly port: number
  /** `pass`, `refuse`: anyone who connects is cut off; `stall`: nothing comes through in either direction. */
  mode: 'pass' | 'refuse' | 'stall'
  cut (): void
}

/** A way to a server that can be cut, closed and stopped up. */
export async function proxyTo (t: Test, host: string, port: number): Promise<Proxy> {
  const sockets = new Set<Socket>()
  const server = createServer(client => {
    if (proxy.mode === 'refuse') {
      client.destroy()
      return
    }
    const upstream = connect(port, host)
    for (const [from, to] of [[client, upstream], [upstream, client]] as const) {
      sockets.add(from)
      from.on('data', chunk => { if (proxy.mode !== 'stall') to.write(chunk) })
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  })
  await new Promise<void>(resolve => { server.listen(0, '127.0.0.1', resolve) })
  const cut = (): void => { for (const socket of sockets) socket.destroy() }
  const proxy: Proxy = { port: (server.address() as AddressInfo).port, mode: 'pass', cut }
  t.teardown(() => {
    cut()
    server.close()
  })
  return proxy
}
