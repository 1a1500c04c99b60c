/**
 * Requests over one HTTP/2 session, which is opened when it is needed, and again after the other side has left or the
 * connection broke (PU-50). Only addresses of the public internet are reached (security.md, S-83).
 */
import { connect as connectHttp2, constants, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2'
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Outgoing } from '@fastback/core/outgoing'

export interface Http2Options {
  readonly outgoing: Outgoing
  /** Certificates of a service in tests. */
  readonly ca?: string | Buffer | undefined
  /** A client certificate (PU-56). */
  readonly cert?: string | Buffer | undefined
  readonly key?: string | Buffer | undefined
  readonly pfx?: string | Buffer | undefined
  readonly passphrase?: string | undefined
  /** Milliseconds for a response. Default: 15 s. */
  readonly timeout?: number
  /** Milliseconds without a request after which the connection is tried. Default: 60 s. */
  readonly pingAfter?: number
}

export interface Http2Response {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

/** A response of a push service has a few hundred bytes. */
const mostBytes = 64 * 1024

const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')

/** What went wrong with a request; `isUntouched` where the service has not begun with it. */
class StreamFault extends Error {
  constructor (reason: string, readonly isUntouched: boolean) { super(reason) }
}

export class Http2Client {
  #session: ClientHttp2Session | undefined
  /** Sessions that never came about, and the last stream that those which were left have begun with. */
  readonly #failed = new WeakSet<ClientHttp2Session>()
  readonly #lastStream = new WeakMap<ClientHttp2Session, number>()

  constructor (readonly origin: string, readonly options: Http2Options) {}

  /** @throws Error whose message is a code: `ConnectionFailed`, `ConnectionLost`, `Timeout` */
  async request (headers: Readonly<Record<string, string>>, body: string | Buffer): Promise<Http2Response> {
    const host = hostOf(new URL(this.origin))
    // An address is not looked up, so that `lookup` does not see it.
    if (isIP(host) !== 0 && !this.options.outgoing.permits(host)) throw new Error('ForbiddenAddress')
    for (let tries = 0; ; tries++) {
      try {
        return await this.#once(headers, body)
      } catch (error) {
        // What the service has not begun with is sent over the next session.
        if (!(error instanceof StreamFault) || !error.isUntouched || tries >= 2) throw error
      }
    }
  }

  close (): void {
    this.#session?.close()
    this.#session = undefined
  }

  #once (headers: Readonly<Record<string, string>>, body: string | Buffer): Promise<Http2Response> {
    return new Promise((resolve, reject) => {
      const session = (this.#session ??= this.#open())
      let stream: ClientHttp2Stream
      try {
        stream = session.request({ ':method': 'POST', ...headers })
      } catch {
        this.#leave(session)
        reject(new StreamFault('ConnectionLost', true))
        return
      }
      const chunks: Buffer[] = []
      let size = 0
      let answer: Readonly<Record<string, unknown>> | undefined
      const fail = (reason: string): void => {
        const last = this.#lastStream.get(session)
        const isUntouched = answer === undefined && (stream.rstCode === constants.NGHTTP2_REFUSED_STREAM ||
          (last !== undefined && (stream.id ?? Infinity) > last))
        reject(new StreamFault(reason, isUntouched))
      }
      stream.setTimeout(this.options.timeout ?? 15_000, () => {
        reject(new StreamFault('Timeout', false))
        stream.close(constants.NGHTTP2_CANCEL)
      })
      stream.on('response', headers => { answer = headers })
      stream.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size <= mostBytes) chunks.push(chunk)
        else stream.close(constants.NGHTTP2_CANCEL)
      })
      stream.on('error', () => { fail(this.#failed.has(session) ? 'ConnectionFailed' : 'ConnectionLost') })
      stream.on('close', () => {
        if (answer === undefined || !stream.readableEnded) fail('ConnectionLost')
        else resolve({ status: Number(answer[':status']), headers: answer, text: Buffer.concat(chunks).toString() })
      })
      stream.end(body)
    })
  }

  #open (): ClientHttp2Session {
    const session = connectHttp2(this.origin, { createConnection: url => this.#connect(url) })
    let isConnected = false
    session.on('connect', () => { isConnected = true })
    session.on('goaway', (_code, last) => {
      this.#lastStream.set(session, last ?? 0)
      this.#leave(session)
    })
    session.on('error', () => {
      if (!isConnected) this.#failed.add(session)
      this.#leave(session)
    })
    session.on('close', () => { this.#leave(session) })
    const { pingAfter = 60_000 } = this.options
    const ping = setInterval(() => {
      if (session.destroyed || session.closed) return
      session.ping(error => { if (error !== null) session.destroy() })
    }, pingAfter)
    ping.unref()
    session.on('close', () => { clearInterval(ping) })
    // An idle connection keeps no process alive; one with requests on it does.
    session.unref()
    return session
  }

  #leave (session: ClientHttp2Session): void {
    if (this.#session === session) this.#session = undefined
    if (!session.closed && !session.destroyed) session.close()
  }

  #connect (url: URL): Socket {
    const { outgoing, ca, cert, key, pfx, passphrase } = this.options
    const host = hostOf(url)
    const isSecure = url.protocol === 'https:'
    const port = Number(url.port === '' ? (isSecure ? 443 : 80) : url.port)
    const place = { host, port, lookup: outgoing.lookup }
    if (!isSecure) return connectTcp(place)
    const given = Object.entries({ ca, cert, key, pfx, passphrase }).filter(([, value]) => value !== undefined)
    return connectTls({
      ...place,
      ALPNProtocols: ['h2'],
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...Object.fromEntries(given)
    })
  }
}
