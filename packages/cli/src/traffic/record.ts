/** `fastback record`: a proxy that passes every request on and writes down what passes. */
import { createWriteStream, existsSync, mkdirSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { once } from 'node:events'
import { AddressInUseError, RecordingExistsError } from '../errors.js'
import { recordingFile, type RecordingHead } from './exchange.js'
import { Masks } from './masks.js'
import { RecordingProxy, targetOf } from './proxy.js'

export interface RecordOptions {
  /** Where requests go: `http://localhost:3000`. A path in it comes before those of the requests. */
  readonly target: string
  /** Folder of the recording; it is made when missing. */
  readonly out: string
  /** Default: 0, any free port. */
  readonly port?: number | undefined
  /** Default: 127.0.0.1. */
  readonly host?: string | undefined
  /** Bytes of a body that are kept; of larger ones the digest is. They pass all the same. Default: 1 MiB. */
  readonly maxBody?: number | undefined
  /** Further names of headers, parameters and keys whose values are secrets. */
  readonly mask?: readonly string[] | undefined
}

export interface Recorder {
  /** Where clients send their requests now. */
  readonly url: string
  readonly file: string
  /** How many exchanges were written. */
  readonly recorded: number
  /** How many were not: broken off, or without a response. */
  readonly failed: number
  /** Ends the proxy, and writes what is open. */
  close (): Promise<void>
}

/**
 * Listens, passes requests on to the target as streams, and writes each exchange as a line of `exchanges.ndjson`. The
 * target sees its own name as `Host`. WebSockets pass and are not recorded.
 *
 * ```js
 * const recorder = await recordExchanges({ target: 'http://localhost:3000', out: 'recordings/shop' })
 * await fetch(`${recorder.url}/api/Customers`)
 * await recorder.close()
 * ```
 * @throws FBK_CLI_RECORDING_EXISTS, FBK_CLI_ADDRESS_IN_USE, FBK_CLI_TARGET when the target is no address of HTTP
 */
export async function recordExchanges (options: RecordOptions): Promise<Recorder> {
  const { out, port = 0, host = '127.0.0.1', maxBody = 1024 * 1024, mask } = options
  const target = targetOf(options.target)
  const file = recordingFile(out)
  if (existsSync(file)) throw new RecordingExistsError(out)
  const proxy = new RecordingProxy(target, new Masks(mask), maxBody)
  const server = createServer((incoming, reply) => { proxy.passOn(incoming, reply) })
  server.on('upgrade', (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
    proxy.connect(incoming, socket, head)
  })
  const sockets = new Set<Socket>()
  server.on('connection', socket => {
    sockets.add(socket)
    socket.once('close', () => { sockets.delete(socket) })
  })
  server.listen(port, host)
  await once(server, 'listening').catch((error: unknown) => {
    throw (error as { code?: unknown }).code === 'EADDRINUSE' ? new AddressInUseError(String(port), ` of ${host}`) : error
  })

  mkdirSync(out, { recursive: true })
  // Traffic is about people, even without its secrets.
  const lines = createWriteStream(file, { flags: 'wx', mode: 0o600 })
  await once(lines, 'open')
  const head: RecordingHead = { recording: 1, target: `${target.origin}${target.pathname}`, started: new Date().toISOString() }
  lines.write(JSON.stringify(head) + '\n')
  proxy.onExchange = exchange => { lines.write(JSON.stringify(exchange) + '\n') }
  const { address, port: chosen } = server.address() as AddressInfo
  return {
    url: `http://${address.includes(':') ? `[${address}]` : address}:${chosen}`,
    file,
    get recorded () { return proxy.recorded },
    get failed () { return proxy.failed },
    async close () {
      const closed = once(server, 'close')
      server.close()
      server.closeIdleConnections()
      // Streams of events have no end of their own.
      const patience = setTimeout(() => { for (const socket of sockets) socket.destroy() }, 1000)
      await closed
      clearTimeout(patience)
      lines.end()
      await once(lines, 'close')
    }
  }
}
