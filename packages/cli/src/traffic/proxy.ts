/** Passes requests on to another server, and says what passed. */
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Socket } from 'node:net'
import { pipeline, Transform } from 'node:stream'
import { TargetError } from '../errors.js'
import { Collector } from './body.js'
import type { Exchange } from './exchange.js'
import type { Masks } from './masks.js'

/** RFC 9110, section 7.6.1: these are between two neighbours. */
const hopByHop = ['connection', 'keep-alive', 'proxy-authenticate', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade']

export class RecordingProxy {
  /** How many exchanges passed, and how many did not: broken off, or without a response. */
  recorded = 0
  failed = 0
  onExchange: (exchange: Exchange) => void = () => {}
  #arrived = 0
  readonly #send: typeof httpRequest

  /** @param maxBody bytes of a body that are kept */
  constructor (readonly target: URL, readonly masks: Masks, readonly maxBody: number) {
    this.#send = target.protocol === 'https:' ? httpsRequest : httpRequest
  }

  /** Sends a request to the target, and its response to the client. */
  passOn (incoming: IncomingMessage, reply: ServerResponse): void {
    const number = ++this.#arrived
    const sent = new Collector(this.maxBody)
    const { target } = this
    const { method = 'GET', url = '/' } = incoming
    const headers = { ...withoutHops(incoming), ...chunked(incoming), host: target.host }
    const outgoing = this.#send(target, { method, path: pathAt(target, url), headers })
    let begun = false
    const broken = (): void => {
      this.failed++
      outgoing.destroy()
      if (reply.headersSent) reply.destroy()
      else unreachable(reply, target)
    }
    outgoing.once('error', () => { if (!begun) broken() })
    outgoing.once('response', response => {
      begun = true
      const received = new Collector(this.maxBody)
      reply.writeHead(response.statusCode ?? 502, response.statusMessage, withoutHops(response))
      reply.flushHeaders()
      pipeline(response, tap(received), reply, error => {
        // Streams of events end when the client has enough of them.
        if (error == null || isEventStream(response)) {
          this.recorded++
          const request = { message: incoming, body: sent }
          this.onExchange(this.#exchange(number, request, { message: response, body: received }))
        } else this.failed++
        outgoing.destroy()
      })
    })
    pipeline(incoming, tap(sent), outgoing, error => {
      if (error != null && !begun && !reply.headersSent && !reply.destroyed) broken()
    })
  }

  #exchange (number: number, request: Passed, response: Passed): Exchange {
    const { masks } = this
    const { method = 'GET', url = '/' } = request.message
    const { statusCode: status = 0 } = response.message
    return {
      number,
      method,
      path: masks.path(url),
      request: masks.message({
        headers: headersOf(request.message), body: request.body.body(kindOf(request.message, 'request'))
      }),
      response: masks.message({
        status,
        headers: headersOf(response.message),
        body: isEventStream(response.message) ? undefined : response.body.body(kindOf(response.message, 'response'))
      })
    }
  }

  /** Connects a WebSocket with the target. It passes, and is not recorded. */
  connect (incoming: IncomingMessage, socket: Socket, head: Buffer): void {
    const { target } = this
    const outgoing = this.#send(target, {
      method: 'GET', path: pathAt(target, incoming.url ?? '/'), headers: { ...incoming.headers, host: target.host }
    })
    const end = (): void => { socket.destroy() }
    outgoing.once('upgrade', (response, far, farHead) => {
      const fields = Object.entries(response.headers).map(([name, value]) => `${name}: ${String(value)}\r\n`).join('')
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${fields}\r\n`)
      socket.write(farHead)
      far.write(head)
      pipeline(socket, far, socket, end)
    })
    outgoing.once('response', end)
    outgoing.once('error', end)
    socket.once('error', () => { outgoing.destroy() })
    outgoing.end()
  }
}

/** A message of an exchange, with what of its body was kept. */
interface Passed { readonly message: IncomingMessage, readonly body: Collector }

const isEventStream = ({ headers }: IncomingMessage): boolean => /event-stream/i.test(headers['content-type'] ?? '')

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
