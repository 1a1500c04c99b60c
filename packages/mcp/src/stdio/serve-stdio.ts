/**
 * Messages over stdio. Each line is a request to the endpoint of the application, without a socket: what holds for
 * agents over HTTP holds here, and there is no second way to a method.
 */
import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { ErrorCode, type JSONRPCMessage, type RequestId } from '@modelcontextprotocol/sdk/types.js'
import type { FastifyInstance } from 'fastify'
import { LineTooLongError } from '../errors.js'

export interface StdioOptions {
  /** Where the endpoint is: `prefix` and `path` of the plugin. Default: `/mcp`. */
  readonly path?: string | undefined
  /** The header `Authorization` of each message, as requests to the endpoint have it. Default: none. */
  readonly authorization?: string | undefined
  /** Default: the standard input of the process. */
  readonly input?: Readable | undefined
  /** Default: the standard output of the process. */
  readonly output?: Writable | undefined
  /** Bytes of a line: a longer one ends the connection. Default: 10,485,760. */
  readonly maxLine?: number | undefined
  /** Messages that are worked on at once; further ones wait. Default: 20. */
  readonly atOnce?: number | undefined
  /** Milliseconds that calls which began may take after the end. Default: 10,000. */
  readonly grace?: number | undefined
  /** Ends the connection, as the end of the input does. */
  readonly signal?: AbortSignal | undefined
  /** Gets faults that no response has: lines that are no messages, and errors of the server. */
  readonly onError?: ((error: Error) => void) | undefined
}

/**
 * Serves the endpoint of `mcp` in the application to the program that started this process: JSON-RPC, a message in each
 * line. Returns when the input has ended or the signal ends it, and what began has its response.
 *
 * ```js
 * await app.register(mcp, { tools: { Note: ['find'] } })
 * await app.register(rest, { prefix: '/api' })
 * await serveStdio(app, { authorization: `Bearer ${token}` })
 * await app.close()
 * ```
 * @param app it is made ready, and need not listen
 * @throws FBK_MCP_LINE_TOO_LONG
 */
export async function serveStdio (app: FastifyInstance, options: StdioOptions = {}): Promise<void> {
  const { input = process.stdin, output = process.stdout, maxLine = 10_485_760, atOnce = 20, grace = 10_000 } = options
  const { signal, onError = () => {} } = options
  await app.ready()
  const respond = responder(app, options)
  const transport = new StdioServerTransport(input, output, { maxBufferSize: maxLine })
  const open = new Set<Promise<void>>()
  let reads = true
  transport.onerror = onError
  transport.onmessage = message => {
    const call = respond(message)
      .then(async response => { if (response !== undefined) await transport.send(response) })
      .catch(onError)
      .finally(() => {
        open.delete(call)
        if (reads && open.size < atOnce) input.resume()
      })
    open.add(call)
    if (open.size >= atOnce) input.pause()
  }
  const end = await ended(transport, input, output, signal)
  reads = false
  transport.onclose = () => {}
  await transport.close()
  if (end === 'output') return
  await within(grace, Promise.all(open))
  if (end === 'line') throw new LineTooLongError(maxLine)
}

/** What has ended: a transport closes by itself only where a line is too long. */
async function ended (
  transport: StdioServerTransport, input: Readable, output: Writable, signal: AbortSignal | undefined
): Promise<'input' | 'output' | 'line'> {
  return await new Promise((resolve, reject) => {
    const done = (): void => { resolve('input') }
    for (const event of ['end', 'close', 'error']) input.once(event, done)
    // The client does not read any more. The listener stays: each write that was under way fails by itself.
    output.on('error', () => { resolve('output') })
    transport.onclose = () => { resolve('line') }
    if (signal?.aborted === true) done()
    else signal?.addEventListener('abort', done, { once: true })
    transport.start().catch(reject)
  })
}

async function within (milliseconds: number, something: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  await Promise.race([something, new Promise(resolve => { timer = setTimeout(resolve, milliseconds) })])
  clearTimeout(timer)
}

/** What gives the response to a message; undefined to one that has none. */
function responder (
  app: FastifyInstance, { path = '/mcp', authorization, onError = () => {} }: StdioOptions
): (message: JSONRPCMessage) => Promise<JSONRPCMessage | undefined> {
  const headers = {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    ...(authorization === undefined ? {} : { authorization })
  }
  return async message => {
    const id = 'method' in message && 'id' in message ? message.id : undefined
    const payload = written(message)
    try {
      if (payload === undefined) return id === undefined ? undefined : failure(id, ErrorCode.ParseError, 'The message is nested too deeply.')
      const { statusCode, body } = await app.inject({ method: 'POST', url: path, headers, payload })
      return id === undefined ? undefined : responseOf(id, statusCode, body)
    } catch (error) {
      onError(error as Error)
      return id === undefined ? undefined : failure(id, ErrorCode.InternalError, 'Internal server error')
    }
  }
}

/** The message as the endpoint reads it; undefined for one whose nesting is deeper than the stack. */
function written (message: JSONRPCMessage): string | undefined {
  try {
    return JSON.stringify(message)
  } catch {
    return undefined
  }
}

/** What did not get as far as the message has no id: here there is one, so the client need not wait. */
function responseOf (id: RequestId, status: number, body: string): JSONRPCMessage {
  const given = JSON.parse(body) as { readonly jsonrpc?: unknown }
  return given.jsonrpc === '2.0'
    ? { ...given, id } as JSONRPCMessage
    : failure(id, -32_000, `The server refused the message: ${status}`, given)
}

const failure = (id: RequestId, code: number, message: string, data?: unknown): JSONRPCMessage =>
  ({ jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } })
