/** One request to one receiver. Redirects are not followed, and of a response only its status counts. */
import { request as http, type RequestOptions } from 'node:http'
import { request as https } from 'node:https'
import type { Outgoing } from '@fastback/core/outgoing'
import { retryAfterOf } from './retry.js'

/** Bytes of a response that are read, and thrown away. */
const limit = 4096

/** How a request ended. Of errors only their kind: what the other side says is never stored or logged. */
export interface Outcome {
  readonly status?: number
  readonly error?: string
  /** Milliseconds. */
  readonly retryAfter?: number
}

export interface Message {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const known: Readonly<Record<string, string>> = {
  // As a name that leads nowhere: what names of the own network lead to is nobody's business.
  FBK_CORE_FORBIDDEN_ADDRESS: 'HOST_NOT_FOUND',
  ENOTFOUND: 'HOST_NOT_FOUND',
  EAI_AGAIN: 'HOST_NOT_FOUND',
  ECONNREFUSED: 'CONNECTION_REFUSED',
  ECONNRESET: 'CONNECTION_LOST',
  EPIPE: 'CONNECTION_LOST',
  ETIMEDOUT: 'TIMEOUT'
}

const isOfCertificate = (code: string): boolean => /^(?:CERT_|ERR_TLS_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/.test(code)

function kindOf (error: unknown, isLate: boolean): string {
  const code = String((error as { code?: unknown }).code ?? '')
  if (isLate) return 'TIMEOUT'
  return known[code] ?? (isOfCertificate(code) ? 'CERTIFICATE' : 'REQUEST_FAILED')
}

/** @param signal ends the request: the application closes */
export async function post (
  outgoing: Outgoing, { url, headers, body }: Message, { timeout, signal }: { timeout: number, signal: AbortSignal }
): Promise<Outcome> {
  const address = new URL(url)
  const isPlain = address.protocol === 'http:'
  const late = AbortSignal.timeout(timeout)
  const options: RequestOptions = {
    method: 'POST',
    agent: isPlain ? outgoing.http : outgoing.https,
    signal: AbortSignal.any([signal, late]),
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'user-agent': 'fastback-webhooks',
      ...headers
    }
  }
  return await new Promise(resolve => {
    const failed = (error: unknown): void => { resolve({ error: kindOf(error, late.aborted) }) }
    try {
      const request = (isPlain ? http : https)(address, options, response => {
        const { statusCode: status = 0, headers: { 'retry-after': after } } = response
        const retryAfter = retryAfterOf(after)
        const outcome = { status, ...(retryAfter === undefined ? {} : { retryAfter }) }
        let size = 0
        response.on('data', (part: Buffer) => {
          size += part.length
          if (size > limit) response.destroy()
        })
        response.on('error', () => { resolve(outcome) })
        response.on('close', () => { resolve(outcome) })
      })
      request.on('error', failed)
      request.end(body)
    } catch (error) { failed(error) }
  })
}
