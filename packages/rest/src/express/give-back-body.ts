import type { IncomingMessage } from 'node:http'
import { stringify } from 'node:querystring'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest, RequestPayload } from 'fastify'

/**
 * A body that Express code has read already (`body-parser` in the phase `parse`) is put back for Fastify, as the text
 * of what was made of it.
 *
 * ```js
 * fastify.addHook('preParsing', giveBackBody)
 * ```
 */
export function giveBackBody (
  request: FastifyRequest,
  _reply: FastifyReply,
  payload: RequestPayload,
  done: (error: null, payload: RequestPayload) => void
): void {
  const raw = request.raw as IncomingMessage & { body?: unknown }
  const { headers } = raw
  const hadBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  if (!raw.readableEnded || !hadBody) {
    done(null, payload)
    return
  }
  const bytes = bytesOf(raw.body, headers['content-type'] ?? '')
  delete headers['content-encoding']
  delete headers['transfer-encoding']
  headers['content-length'] = String(bytes.length)
  const again = Readable.from(bytes.length === 0 ? [] : [bytes], { objectMode: false })
  done(null, Object.assign(again, { receivedEncodedLength: bytes.length }))
}

function bytesOf (body: unknown, type: string): Buffer {
  if (body === undefined) return Buffer.alloc(0)
  if (Buffer.isBuffer(body)) return body
  if (typeof body === 'string' && !type.includes('json')) return Buffer.from(body)
  if (type.startsWith('application/x-www-form-urlencoded')) return Buffer.from(formOf(body as object))
  return Buffer.from(JSON.stringify(body))
}

/** A form as text again; lists and objects in brackets, as the extended form has them. */
function formOf (body: object, prefix = ''): string {
  return Object.entries(body).map(([key, value]: [string, unknown]) => {
    const name = prefix === '' ? key : `${prefix}[${key}]`
    return value !== null && typeof value === 'object' ? formOf(value, name) : stringify({ [name]: value as string })
  }).filter(text => text !== '').join('&')
}
