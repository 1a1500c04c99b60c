import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * A port of this machine that nobody listens at, for what has to know its port before it listens, or must find nobody
 * there. Servers that can say where they listen take port 0 instead.
 * @returns {Promise<number>}
 * @example
 * const port = await freePort()
 */
export async function freePort () {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  server.close()
  await once(server, 'close')
  return port
}
