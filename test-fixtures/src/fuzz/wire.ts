/** HTTP/1.1 by hand over a socket: clients that check what they send cannot say what attackers say. */
import { connect, type Socket } from 'node:net'
import { bytesOf, type WireRequest } from './wire-request.js'

export interface Answer {
  /** 0: no response. */
  readonly status: number
  /** Names in small letters; of repeated ones all values, separated by `, `. */
  readonly headers: Readonly<Record<string, string>>
  /** Header block as it came. */
  readonly head: string
  readonly body: Buffer
  readonly milliseconds: number
  /** Why there is no (whole) answer; undefined when there is. */
  readonly failure?: 'time' | 'closed' | 'left' | undefined
  /** Bytes behind the response that no request asked for. */
  readonly surplus?: string | undefined
}

/** Milliseconds after which a response is given up. */
const patience = 10_000
/** Milliseconds that a client stays that leaves early, or that listens to a stream. */
const visit = 4

interface Parsed {
  readonly status: number
  readonly headers: Record<string, string>
  readonly head: string
  readonly body: Buffer
  readonly end: number
  readonly complete: boolean
  readonly closes: boolean
}

export class Connection {
  #socket: Socket | undefined

  constructor (readonly port: number, readonly host = '127.0.0.1') {}

  /**
   * Sends one request and waits for its response. Never rejects.
   * @param stream the response does not end by itself: it is listened to for a moment
   */
  async send (request: WireRequest, stream = false): Promise<Answer> {
    // Closed by the server since the last response.
    if (this.#socket?.writable === false || this.#socket?.destroyed === true) this.close()
    const kept = this.#socket !== undefined
    const answer = await this.#exchange(request, stream)
    // A server may close a kept connection at any time: that is no response to this request.
    return kept && answer.failure === 'closed' && answer.status === 0 ? await this.#exchange(request, stream) : answer
  }

  close (): void {
    this.#socket?.destroy()
    this.#socket = undefined
  }

  #exchange (request: WireRequest, stream: boolean): Promise<Answer> {
    const started = performance.now()
    const socket = this.#socket ??= connect({ port: this.port, host: this.host, noDelay: true })
    return new Promise(resolve => {
      let received: Buffer = Buffer.alloc(0)
      const finish = (parsed: Parsed | undefined, failure?: Answer['failure']): void => {
        clearTimeout(timer)
        socket.removeAllListeners('data').removeAllListeners('close').removeAllListeners('error').on('error', () => {})
        const surplus =
          parsed !== undefined && parsed.complete && received.length > parsed.end
            ? received.toString('latin1', parsed.end, parsed.end + 500)
            : undefined
        // After an upgrade that nobody wanted Node's parser falls silent at the next request that is no HTTP.
        const spoilt = request.broken === true || request.headers.some(([name]) => name === 'upgrade')
        if (failure !== undefined || parsed?.closes !== false || surplus !== undefined || spoilt) this.close()
        const { status = 0, headers = {}, head = '', body = Buffer.alloc(0) } = parsed ?? {}
        resolve({
          status,
          headers,
          head,
          body,
          milliseconds: performance.now() - started,
          failure,
          surplus: request.broken === true ? undefined : surplus
        })
      }
      const leave = (): void => { finish(parse(received, request.verb, true), 'left') }
      let timer = setTimeout(() => { finish(undefined, 'time') }, patience)
      if (request.broken === true) {
        clearTimeout(timer)
        timer = setTimeout(leave, visit)
      }
      let listening = false
      socket.on('data', chunk => {
        received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
        const parsed = parse(received, request.verb, false)
        if (parsed === undefined) return
        if (parsed.complete) finish(parsed)
        else if (!listening && (stream || isStream(parsed.headers['content-type']))) {
          listening = true
          clearTimeout(timer)
          timer = setTimeout(leave, visit)
        }
      })
      socket.on('error', () => {})
      socket.on('close', () => {
        if (this.#socket === socket) this.#socket = undefined
        const parsed = parse(received, request.verb, true)
        finish(parsed, parsed?.complete === true ? undefined : 'closed')
      })
      socket.write(bytesOf(request, `${this.host}:${this.port}`))
    })
  }
}

/** Another route may have been reached than the one that was meant. */
const isStream = (type = ''): boolean => type.startsWith('text/event-stream') || type.includes('boundary=NL')

const headEnd = Buffer.from('\r\n\r\n')

/** @param ended no more bytes will come */
function parse (received: Buffer, verb: string, ended: boolean): Parsed | undefined {
  let from = 0
  for (;;) {
    const at = received.indexOf(headEnd, from)
    if (at === -1) return undefined
    const head = received.toString('latin1', from, at)
    const status = Number(head.slice(9, 12))
    from = at + 4
    if (status >= 200 || status === 101) return withBody(received, from, head, status, verb, ended)
  }
}

function withBody (received: Buffer, from: number, head: string, status: number, verb: string, ended: boolean): Parsed {
  const headers: Record<string, string> = Object.create(null) as Record<string, string>
  for (const line of head.split('\r\n').slice(1)) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    const value = line.slice(colon + 1).trim()
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`
  }
  const closes = headers.connection?.toLowerCase() === 'close'
  const whole = (body: Buffer, end: number, complete = true): Parsed => ({
    status,
    headers,
    head,
    body,
    end,
    complete,
    closes
  })
  if (verb === 'HEAD' || status === 204 || status === 304 || status === 101) return whole(Buffer.alloc(0), from)
  if (headers['transfer-encoding']?.toLowerCase().includes('chunked') === true) return chunks(received, from, whole)
  if (headers['content-length'] !== undefined) {
    const end = from + Number(headers['content-length'])
    return whole(received.subarray(from, end), end, received.length >= end)
  }
  return whole(received.subarray(from), received.length, ended)
}

function chunks (
  received: Buffer,
  from: number,
  whole: (body: Buffer, end: number, complete?: boolean) => Parsed
): Parsed {
  const parts: Buffer[] = []
  for (let at = from; ;) {
    const line = received.indexOf('\r\n', at)
    const size = line === -1 ? NaN : parseInt(received.toString('latin1', at, line), 16)
    if (Number.isNaN(size) || line + 2 + size + 2 > received.length) {
      return whole(Buffer.concat(parts), received.length, false)
    }
    parts.push(received.subarray(line + 2, line + 2 + size))
    at = line + 2 + size + 2
    if (size === 0) return whole(Buffer.concat(parts), at)
  }
}
