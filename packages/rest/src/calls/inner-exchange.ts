/**
 * A request without a connection, and its response, as Node's own objects: hooks and code of applications find what
 * they find with every request. Nothing is written to a socket, and so nothing has to be read from one.
 */
import { EventEmitter } from 'node:events'
import { IncomingMessage, ServerResponse, type OutgoingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'

/** What is sent. */
export interface InnerMessage {
  /** In capitals. */
  readonly method: string
  /** Path and query. */
  readonly url: string
  /** Names in small letters. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly remoteAddress: string
}

/** A response that has ended. */
export interface EndedResponse {
  readonly status: number
  readonly headers: OutgoingHttpHeaders
  readonly text: string
}

/** What is known of the client: there is no connection to it, and nothing waits to be written. */
class NoSocket extends EventEmitter {
  destroyed = false
  readonly writableLength = 0

  constructor (readonly remoteAddress: string) {
    super()
  }

  destroy (): this {
    this.destroyed = true
    return this
  }

  cork (): void {}
  uncork (): void {}

  setTimeout (): this {
    return this
  }
}

/** The request. Its body is there at once. */
export class InnerIncoming extends IncomingMessage {
  constructor ({ method, url, headers, body, remoteAddress }: InnerMessage) {
    super(new NoSocket(remoteAddress) as unknown as Socket)
    this.method = method
    this.url = url
    this.headers = { host: 'localhost', ...headers }
    this.httpVersion = '1.1'
    this.httpVersionMajor = 1
    this.httpVersionMinor = 1
    this.complete = true
    if (body !== undefined) {
      const bytes = Buffer.from(body)
      this.headers['content-length'] = String(bytes.length)
      this.push(bytes)
    }
    this.push(null)
    for (const name in this.headers) this.rawHeaders.push(name, this.headers[name] as string)
  }
}

type Chunk = string | Uint8Array
type Done = ((error?: Error | null) => void) | null | undefined

/** Keeps what is written to it. */
abstract class InnerResponse extends ServerResponse {
  #isClosing = false

  constructor (request: IncomingMessage) {
    super(request)
    // One without waits for the response before it on its connection.
    this.assignSocket(request.socket)
  }

  override writeHead (status: number, ...more: unknown[]): this {
    // Node keeps headers that it gets here only where there are some already.
    this.setHeader('connection', 'keep-alive')
    this.removeHeader('connection')
    super.writeHead(status, ...more as [OutgoingHttpHeaders])
    this.began()
    return this
  }

  override write (chunk: unknown, encoding?: BufferEncoding | null | Done, done?: Done): boolean {
    if (!this.headersSent) this.writeHead(this.statusCode)
    const goesOn = this.hasBody ? this.take(chunk as Chunk, textEncoding(encoding)) : true
    callLater(typeof encoding === 'function' ? encoding : done)
    return goesOn
  }

  override end (chunk?: unknown, encoding?: BufferEncoding | null | Done, done?: Done): this {
    if (this.finished) return this
    const given = typeof chunk === 'function' ? undefined : chunk
    if (!this.headersSent) this.writeHead(this.statusCode)
    if (given !== undefined && given !== null && this.hasBody) this.take(given as Chunk, textEncoding(encoding))
    this.finished = true
    this.ended()
    callLater([chunk, encoding, done].find(each => typeof each === 'function') as Done)
    this.emit('finish')
    this.destroy()
    return this
  }

  override destroy (error?: Error): this {
    if (this.#isClosing) return this
    this.#isClosing = true
    super.destroy(error)
    process.nextTick(() => {
      if (!this.finished) this.lost(error)
      this.emit('close')
    })
    return this
  }

  protected get hasBody (): boolean {
    return this.statusCode !== 204 && this.statusCode !== 304
  }

  /** Status and headers are there. */
  protected began (): void {}
  /** Takes a part of the body. @returns whether more may come at once */
  protected abstract take (chunk: Chunk, encoding: BufferEncoding): boolean
  /** All of the response is there. */
  protected abstract ended (): void
  /** It was given up before its end. */
  protected abstract lost (error: Error | undefined): void
}

const textEncoding = (encoding: BufferEncoding | null | Done): BufferEncoding =>
  typeof encoding === 'string' ? encoding : 'utf8'

function callLater (done: Done): void {
  if (typeof done === 'function') process.nextTick(done)
}

const lostResponse = (error: Error | undefined): Error =>
  error ?? Object.assign(new Error('The response was given up before its end.'), { code: 'ECONNRESET' })

/** A response that is wanted as one text. */
export class TextResponse extends InnerResponse {
  /** Most responses are one text, which is never made bytes of. */
  #text: string | undefined
  readonly #chunks: Uint8Array[] = []
  readonly #resolve: (response: EndedResponse) => void
  readonly #reject: (error: Error) => void

  constructor (
    request: IncomingMessage, resolve: (response: EndedResponse) => void, reject: (error: Error) => void
  ) {
    super(request)
    this.#resolve = resolve
    this.#reject = reject
  }

  protected override take (chunk: Chunk, encoding: BufferEncoding): boolean {
    if (typeof chunk === 'string' && encoding === 'utf8' && this.#text === undefined && this.#chunks.length === 0) {
      this.#text = chunk
      return true
    }
    if (this.#text !== undefined) this.#chunks.push(Buffer.from(this.#text))
    this.#text = undefined
    this.#chunks.push(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : Buffer.from(chunk))
    return true
  }

  protected override ended (): void {
    const text = this.#text ?? (this.#chunks.length === 0 ? '' : Buffer.concat(this.#chunks).toString())
    this.#resolve({ status: this.statusCode, headers: this.getHeaders(), text })
  }

  protected override lost (error: Error | undefined): void {
    this.#reject(lostResponse(error))
  }
}

/** A response that goes on. */
export class StreamResponse extends InnerResponse {
  readonly body: Readable
  readonly #opened: (response: StreamResponse) => void
  readonly #reject: (error: Error) => void

  /** @param opened is called when the headers are there */
  constructor (
    request: IncomingMessage, opened: (response: StreamResponse) => void, reject: (error: Error) => void
  ) {
    super(request)
    this.#opened = opened
    this.#reject = reject
    this.body = new Readable({ read: () => { this.emit('drain') } })
  }

  protected override began (): void {
    this.#opened(this)
  }

  protected override take (chunk: Chunk, encoding: BufferEncoding): boolean {
    return this.body.push(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : Buffer.from(chunk))
  }

  protected override ended (): void {
    this.body.push(null)
  }

  protected override lost (error: Error | undefined): void {
    const reason = lostResponse(error)
    this.#reject(reason)
    if (this.body.destroyed) return
    // Whoever reads it hears of it; nobody has to.
    this.body.on('error', () => {})
    this.body.destroy(reason)
  }
}
