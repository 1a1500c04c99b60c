/** Answers to what Node's HTTP parser refuses: there is no request yet, and no reply, only a socket. */
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { RequestError } from '@fastback/core'
import { errorBody, type ErrorHandlerOptions } from '@fastback/rest'

const refusals: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The address and the headers of the request are too large.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions of the request are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.']
}

/** 431 for headers or an address beyond Node's limit, 408 for what comes too slowly, 400 for what is no HTTP: in the shape of all errors. */
export function clientErrorHandler ({ rootProperty, ...options }: ErrorHandlerOptions = {}) {
  const root = rootProperty ?? 'error'
  return ({ code = '' }: Error & { code?: string }, socket: Socket): void => {
    // Nobody is there to read an answer.
    if (code === 'ECONNRESET' || socket.destroyed) return
    const [status, message] = refusals[code] ?? [400, 'The request is no HTTP.']
    // An answer that was begun cannot become another one.
    if (socket.writable && socket.bytesWritten === 0) socket.write(answer(status, message))
    socket.destroySoon()
  }

  function answer (status: number, message: string): string {
    const phrase = STATUS_CODES[status] as string
    const body = errorBody(new RequestError(status, message, { name: `${phrase.replaceAll(' ', '')}Error` }), { ...options, debug: false })
    const text = JSON.stringify(root === false ? body : { [root]: body })
    return `HTTP/1.1 ${status} ${phrase}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(text)}\r\n` +
      `X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n${text}`
  }
}
