import type { Transform } from 'node:stream'
import type { Dispatcher } from 'undici'
import { ResponseError, headersOf, mayHaveBody, tooLarge, unpackerOf } from './response.js'
import type { Deadline } from './deadline.js'
import type { Headers } from './headers.js'

/** A response of which all bytes are there. */
export interface BufferedResponse {
  readonly statusCode: number
  readonly headers: Headers
  readonly body: Buffer
}

/**
 * Reads a response as it comes off the connection, without a stream in between: most are small, and all are bounded.
 * @throws ResponseError; what undici and sockets throw
 */
export function bufferResponse (
  dispatcher: Dispatcher, options: Dispatcher.DispatchOptions, limit: number, deadline: Deadline
): Promise<BufferedResponse> {
  return new Promise((resolve, reject) => {
    const reader = new Reader(options.method, limit, deadline, resolve, reject)
    dispatcher.dispatch(options, reader)
  })
}

class Reader implements Dispatcher.DispatchHandlers {
  readonly #chunks: Buffer[] = []
  #size = 0
  #packed = 0
  #statusCode = 0
  #headers: Headers = {}
  #unpacker: Transform | undefined
  #abort: (error?: Error) => void = () => {}

  constructor (
    readonly method: string,
    readonly limit: number,
    readonly deadline: Deadline,
    readonly resolve: (answer: BufferedResponse) => void,
    readonly reject: (error: unknown) => void
  ) {
    // From now on: it may have to wait for a connection.
    deadline.stopWith(reason => { this.#fail(reason) })
  }

  onConnect (abort: (error?: Error) => void): void {
    this.#abort = abort
    if (this.deadline.hasEnded) this.#fail(this.deadline.reason)
  }

  onHeaders (statusCode: number, raw: Buffer[]): boolean {
    if (statusCode < 200) return true
    this.#statusCode = statusCode
    this.#headers = headersOf(raw)
    if (!mayHaveBody(this.method, statusCode)) return true
    try {
      if (Number(this.#headers['content-length']) > this.limit) throw tooLarge(this.limit)
      this.#unpacker = unpackerOf(this.#headers)
    } catch (error) {
      this.#fail(error)
      return true
    }
    this.#unpacker
      ?.on('data', (chunk: Buffer) => { this.#take(chunk) })
      .on('error', error => { this.#fail(error) })
      .on('end', () => { this.#done() })
    return true
  }

  onData (chunk: Buffer): boolean {
    if (this.#unpacker === undefined) {
      this.#take(chunk)
      return true
    }
    // What is packed is not larger than what is in it, unless somebody means to fill the memory with it.
    this.#packed += chunk.length
    if (this.#packed > this.limit) this.#fail(tooLarge(this.limit))
    else this.#unpacker.write(chunk)
    return true
  }

  onComplete (): void {
    if (this.#unpacker === undefined) this.#done()
    else this.#unpacker.end()
  }

  onError (error: Error): void {
    this.#unpacker?.destroy()
    this.reject(error)
  }

  #take (chunk: Buffer): void {
    this.#size += chunk.length
    if (this.#size <= this.limit) this.#chunks.push(chunk)
    else this.#fail(tooLarge(this.limit))
  }

  /** No more of it is read. */
  #fail (reason: unknown): void {
    this.#chunks.length = 0
    this.#unpacker?.destroy()
    this.reject(reason)
    this.#abort(reason instanceof Error ? reason : new ResponseError('nobody waits for the answer'))
  }

  #done (): void {
    const [first] = this.#chunks
    const body = this.#chunks.length === 1 ? first as Buffer : Buffer.concat(this.#chunks, this.#size)
    this.resolve({ statusCode: this.#statusCode, headers: this.#headers, body })
  }
}
