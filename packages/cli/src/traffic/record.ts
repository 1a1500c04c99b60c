/** `fastback record`: a proxy that passes every request on and writes down what passes. */
import { createWriteStream, existsSync, mkdirSync } from 'node:fs'
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { once } from 'node:events'
import { pipeline, Transform } from 'node:stream'
import { AddressInUseError, RecordingExistsError, TargetError } from '../errors.js'
import { Collector } from './body.js'
import { recordingFile, type Exchange, type RecordingHead } from './exchange.js'
import { Masks } from './masks.js'

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

/** RFC 9110, section 7.6.1: these are between two neighbours. */
const hopByHop = ['connection', 'keep-alive', 'proxy-authenticate', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade']

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
  const send = target.protocol === 'https:' ? httpsRequest : httpRequest
  const masks = new Masks(mask)
  const sockets = new Set<Socket>()
  let [arrived, recorded, failed] = [0, 0, 0]

  const server = createServer((incoming, reply) => {
    const number = ++arrived
    const sent = new Collector(maxBody)
    const { method = 'GET', url = '/' } = incoming
    const headers = { ...withoutHops(incoming), ...chunked(incoming), host: target.host }
    const outgoing = send(target, { method, path: pathAt(target, url), headers })
    let begun = false
    const broken = (): void => {
      failed++
      outgoing.destroy()
      if (reply.headersSent) reply.destroy()
      else unreachable(reply, target)
    }
    outgoing.once('error', () => { if (!begun) broken() })
    outgoing.once('response', answer => {
      begun = true
      const received = new Collector(maxBody)
      const keep = (): void => {
        recorded++
        const { statusCode: status = 0, headers } = answer
        const streams = /event-stream/i.test(headers['content-type'] ?? '')
        const exchange: Exchange = {
          number,
          method,
          path: masks.path(url),
          request: masks.message({ headers: headersOf(incoming), body: sent.body(kindOf(incoming, 'request')) }),
          response: masks.message({ status, headers: headersOf(answer), body: streams ? undefined : received.body(kindOf(answer, 'response')) })
        }
        lines.write(JSON.stringify(exchange) + '\n')
      }
      reply.writeHead(answer.statusCode ?? 502, answer.statusMessage, withoutHops(answer))
      reply.flushHeaders()
      pipeline(answer, tap(received), reply, error => {
        // Streams of events end when the client has enough of them.
        if (error == null || /event-stream/i.test(answer.headers['content-type'] ?? '')) keep()
        else failed++
        outgoing.destroy()
      })
    })
    pipeline(incoming, tap(sent), outgoing, error => {
      if (error != null && !begun && !reply.headersSent && !reply.destroyed) broken()
    })
  })
  server.on('upgrade', (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
    const outgoing = send(target, { method: 'GET', path: pathAt(target, incoming.url ?? '/'), headers: { ...incoming.headers, host: target.host } })
    const end = (): void => { socket.destroy() }
    outgoing.once('upgrade', (answer, far, farHead) => {
      const fields = Object.entries(answer.headers).map(([name, value]) => `${name}: ${String(value)}\r\n`).join('')
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${fields}\r\n`)
      socket.write(farHead)
      far.write(head)
      pipeline(socket, far, socket, end)
    })
    outgoing.once('response', end)
    outgoing.once('error', end)
    socket.once('error', () => { outgoing.destroy() })
    outgoing.end()
  })
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
  const { address, port: chosen } = server.address() as AddressInfo
  return {
    url: `http://${address.includes(':') ? `[${address}]` : address}:${chosen}`,
    file,
    get recorded () { return recorded },
    get failed () { return failed },
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

/** @throws FBK_CLI_TARGET */
export function targetOf (text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw new TargetError(text)
  return url
}

/** The path of a request behind the one that the target begins with. */
export const pathAt = ({ pathname }: URL, path: string): string => pathname.replace(/\/$/, '') + path

/** The headers that a message has. */
export const headersOf = ({ headers }: IncomingMessage): Record<string, string | string[]> =>
  Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => value === undefined ? [] : [[name, value]]))

function withoutHops (message: IncomingMessage): Record<string, string | string[]> {
  const named = String(message.headers.connection ?? '').toLowerCase().split(',').map(name => name.trim())
  const between = [...hopByHop, ...named]
  return Object.fromEntries(Object.entries(headersOf(message)).filter(([name]) => !between.includes(name)))
}

/** Node gives bodies of DELETE no frame by itself. */
const chunked = ({ headers }: IncomingMessage): Record<string, string> =>
  headers['transfer-encoding'] === undefined ? {} : { 'transfer-encoding': 'chunked' }

const kindOf = ({ headers }: IncomingMessage, of: 'request' | 'response') =>
  ({ type: headers['content-type'], encoding: headers['content-encoding'], of })

const tap = (collector: Collector): Transform => new Transform({
  transform (chunk: Buffer, _encoding, done) {
    collector.add(chunk)
    done(null, chunk)
  }
})

function unreachable (reply: ServerResponse, { host }: URL): void {
  reply.writeHead(502, { 'content-type': 'application/json; charset=utf-8' })
  reply.end(JSON.stringify({
    error: { statusCode: 502, name: 'Error', code: 'FBK_CLI_NO_ANSWER', message: `${host} did not respond. Is it running?` }
  }))
}
