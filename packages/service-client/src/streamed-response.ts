import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { mayHaveBody, tooLarge, unpacked } from './response.js'
import type { Deadline } from './deadline.js'
import type { Headers } from './headers.js'

/**
 * A response below 300 as it comes; others whole, as they say what went wrong.
 * @throws ResponseError; what undici and sockets throw
 */
export async function streamed (
  dispatcher: Dispatcher, options: Dispatcher.DispatchOptions & { path: string }, limit: number, deadline: Deadline
): Promise<{ statusCode: number, headers: Headers, body: Readable | Buffer }> {
  const controller = new AbortController()
  deadline.stopWith(reason => { controller.abort(reason) })
  const response = await dispatcher.request({ ...options, signal: controller.signal })
  const { statusCode } = response
  const headers = response.headers as Headers
  const body = mayHaveBody(options.method, statusCode) ? unpacked(response.body, headers) : response.body
  return { statusCode, headers, body: statusCode < 300 ? body : await collect(body, limit) }
}

/** All bytes of a body. */
async function collect (body: Readable, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > limit) throw tooLarge(limit)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}
