/** The response of a handler, before it is sent; and the part of it that is stored for repeats. */
import { isPromise } from '@fastback/core/connector'
import type { FastifyReply } from 'fastify'
import { commonHeaders } from '../handlers/send.js'

/** What a handler gave: text or bytes to send, nothing, or `isSent` where it wrote the response itself. */
export interface HandlerResult {
  readonly payload: unknown
  readonly isSent: boolean
}

/**
 * Calls a handler, and gives what it would have sent. Nothing is sent meanwhile: the work must be committed first, and
 * the client is not to hear of what is rolled back.
 */
export function resultOfHandler (reply: FastifyReply, handle: () => unknown): Promise<HandlerResult> {
  // A member of its own over that of the class, taken away again.
  const own = reply as { send?: unknown }
  const called = new Promise<HandlerResult>((resolve, reject) => {
    // By way of a variable, as V8 puts a function literal that is assigned to a member among its old objects.
    const send = (payload: unknown): FastifyReply => {
      resolve({ payload, isSent: false })
      return reply
    }
    own.send = send
    const take = (value: unknown): void => {
      const isGiven = value !== reply && value !== undefined
      if (isGiven) resolve({ payload: value, isSent: false })
      else if (reply.sent) resolve({ payload: undefined, isSent: true })
    }
    const result = handle()
    if (isPromise(result)) result.then(take, reject)
    else take(result)
  })
  return called.finally(() => { delete own.send })
}

/**
 * The same of a handler that waits for nothing.
 * @throws TypeError where it does; what the handler throws
 */
export function resultAtOnce (reply: FastifyReply, handle: () => unknown): HandlerResult {
  const own = reply as { send?: unknown }
  let result: HandlerResult | undefined
  const send = (payload: unknown): FastifyReply => {
    result = { payload, isSent: false }
    return reply
  }
  own.send = send
  try {
    const value = handle()
    if (isPromise(value)) value.catch(() => {})
    else if (value !== reply && value !== undefined) result = { payload: value, isSent: false }
    if (result === undefined) throw new TypeError('A plain write has its response at once.')
    return result
  } finally {
    delete own.send
  }
}

/** The status, headers and body of a response that was sent. */
export interface StoredResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Null: none; undefined: there was one, and it is not stored. */
  readonly body: string | null | undefined
}

/** Headers that say something of the body or the row. Others are of one response: cookies, dates, limits. */
const storedHeaders = ['content-type', 'location', 'content-location', 'etag', 'last-modified', 'link', 'cache-control']

/** @param maxLength bytes of a body that is stored */
export function storedResponse (
  reply: FastifyReply, { payload, isSent }: HandlerResult, maxLength: number
): StoredResponse {
  const headers: Record<string, string> = {}
  for (const name of storedHeaders) {
    const value = reply.getHeader(name)
    if (value !== undefined) headers[name] = String(value)
  }
  const body = isSent ? undefined : payload === undefined || payload === null ? null : textOf(payload, headers)
  // Nobody is to store it: it may hold a token (security.md, S-52).
  const isSecret = headers['cache-control']?.includes('no-store') === true
  const isShort = typeof body !== 'string' || Buffer.byteLength(body) <= maxLength
  return { status: reply.statusCode, headers, body: isShort && !isSecret ? body : undefined }
}

/** Long JSON goes out as bytes. What is no text is not stored. */
function textOf (payload: unknown, headers: Readonly<Record<string, string>>): string | undefined {
  if (typeof payload === 'string') return payload
  return Buffer.isBuffer(payload) && /json/.test(headers['content-type'] ?? '') ? payload.toString() : undefined
}

/** Sends a stored response once more. */
export function sendAgain (
  reply: FastifyReply, { status, headers, body }: StoredResponse & { body: string | null }
): FastifyReply {
  return commonHeaders(reply.code(status).headers(headers).header('idempotency-replayed', 'true'))
    .send(body ?? undefined)
}
