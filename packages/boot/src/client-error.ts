/**
 * Responses to what reaches no route: what Node's HTTP parser refuses (there is no request yet, and no reply, only a
 * socket), and expectations that nobody meets.
 */
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { RequestError } from '@fastback/core'
import { errorBody, type ErrorHandlerOptions } from '@fastback/rest'

const refusals: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The address and the headers of the request are too large.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions of the request are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.']
}

/**
 * 431 for headers or an address beyond Node's limit, 408 for what comes too slowly, 400 for what is no HTTP: in the
 * shape of all errors.
 */
export function clientErrorHandler ({ rootProperty, ...options }: ErrorHandlerOptions = {}) {
  const answer = answerMaker({ rootProperty, ...options })
  return ({ code = '' }: Error & { code?: string }, socket: Socket): void => {
    // Nobody is there to read a response.
    if (code === 'ECONNRESET' || socket.destroyed) return
    const [status, message] = refusals[code] ?? [400, 'The request is no HTTP.']
    // A response that was begun cannot become another one; those before it, on a connection that was kept, are over.
    const begun = (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage?.headersSent === true
    if (socket.writable && !begun) socket.write(headAndBody(status, answer(status, message)))
    socket.destroySoon()
  }
}

/**
 * For Node's event `checkExpectation`: 417 for an `Expect` that is not `100-continue`, whose body is not waited for.
 */
export function expectationHandler (options: ErrorHandlerOptions = {}) {
  const text = answerMaker(options)(417, 'The header Expect may only say 100-continue.')
  return (_request: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(417, headersOf(text)).end(text)
  }
}

/**
 * Why a request is refused whose transfer coding leaves open where it ends. Node's parser does so, too, but only after
 * it has handed the request on: a method that needs no body would have run by then.
 */
export function lengthFault ({ raw: { headers } }: FastifyRequest): RequestError | undefined {
  const coding = headers['transfer-encoding']
  if (coding === undefined || /(^|,)[\t ]*chunked[\t ]*$/i.test(coding)) return undefined
  return new RequestError(400, 'The transfer coding does not end with "chunked".', { name: 'BadRequestError' })
}

/** The body of a response as text. */
function answerMaker ({ rootProperty, ...options }: ErrorHandlerOptions): (status: number, message: string) => string {
  const root = rootProperty ?? 'error'
  return (status, message) => {
    const body = errorBody(
      new RequestError(status, message, { name: `${(STATUS_CODES[status] as string).replaceAll(' ', '')}Error` }),
      { ...options, debug: false }
    )
    return JSON.stringify(root === false ? body : { [root]: body })
  }
}

const headersOf = (text: string): Record<string, string> => ({
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': String(Buffer.byteLength(text)),
  'X-Content-Type-Options': 'nosniff',
  Connection: 'close'
})

const headAndBody = (status: number, text: string): string =>
  [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] as string}`,
    ...Object.entries(headersOf(text)).map(([name, value]) => `${name}: ${value}`),
    '',
    text
  ].join('\r\n')
