/** Sends what a method gave. */
import { Readable } from 'node:stream'
import type { MaybePromise } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import { textOfResult } from '@fastback/core/remote'
import type { FastifyReply } from 'fastify'
import { badRequest } from '../errors/request-errors.js'
import { xmlText, type XmlOptions } from '../errors/xml.js'
import { parseFields, queryText } from '../parse/query.js'
import { jsonText, plainValue } from './json.js'
import type { Format } from './format.js'

export const jsonType = 'application/json; charset=utf-8'
const xmlType = 'application/xml; charset=utf-8'
const apiJsonType = 'application/vnd.api+json; charset=utf-8'

/** Headers of every response to somebody who is known (security.md, S-52). */
export function commonHeaders (reply: FastifyReply): FastifyReply {
  const { accessToken } = reply.request as { accessToken?: unknown }
  if (accessToken !== undefined && accessToken !== null && !reply.hasHeader('cache-control')) {
    reply.header('cache-control', 'private, no-cache')
  }
  return reply
}

/** Marks the response as JSON; the text itself is returned to Fastify. */
export function asJson (reply: FastifyReply): void {
  commonHeaders(reply).header('content-type', jsonType)
}

/** Whether somebody has answered already, through `ctx.res` or a `res` argument. */
export const isReplySent = (reply: FastifyReply): boolean => reply.sent || reply.raw.headersSent

export interface Sending {
  readonly format: Format
  /** Whether the value goes out as it is. */
  readonly file: boolean
  readonly xml?: XmlOptions | undefined
  /** Whether the rows are reached through a relation. */
  readonly reached?: boolean
  /** Whether a response without a body says of what type it would have been, as LoopBack's does. */
  readonly typesNothing?: boolean
}

/** Sends a value: JSON or XML text, a file, or nothing (204) for undefined. A status set before is kept. */
export function sendResult (
  reply: FastifyReply, value: unknown, { format, file, xml, reached = false, typesNothing = false }: Sending
): MaybePromise<FastifyReply> {
  if (value === undefined) {
    // Fastify takes the header off a response without a body; what is set beside it stays.
    if (typesNothing && isNoRedirect(reply)) {
      reply.raw.setHeader('content-type', reply.getHeader('content-type') ?? (format === 'xml' ? xmlType : jsonType))
    }
    return sendNothing(reply)
  }
  commonHeaders(reply)
  if (file) return sendFile(reply, value)
  if (format === 'xml') {
    reply.header('content-type', xmlType)
    return chain(xmlText('response', plainValue(value, reached), xml), text => reply.send(text))
  }
  const callback = format === 'jsonp' ? callbackOf(reply) : undefined
  if (callback !== undefined) return chain(jsonText(value, reached), text => sendScript(reply, callback, text ?? 'null'))
  const type = format === 'api+json' ? apiJsonType : jsonType
  return chain(bodyOf(value, reached), body =>
    body === undefined ? reply.code(204).send() : reply.header('content-type', type).send(body))
}

const isNoRedirect = ({ statusCode }: FastifyReply): boolean => statusCode < 300 || statusCode > 399

/** Texts of more bytes go out as bytes, piece by piece: V8 keeps strings of 128 kB and more on pages of their own. */
const longText = 100_000

/** Written where they are to stand: to be put together afterwards they would be copied once more. */
function bytesOf (pieces: readonly string[]): Buffer {
  const bytes = Buffer.allocUnsafe(pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0))
  let at = 0
  for (const piece of pieces) at += bytes.write(piece, at)
  return bytes
}

/** What is sent of a value; undefined for what JSON does not have. */
function bodyOf (value: unknown, reached: boolean): MaybePromise<string | Buffer | undefined> {
  const pieces = textOfResult(value)
  if (pieces === undefined) return jsonText(value, reached)
  const isLong = pieces.reduce((sum, { length }) => sum + length, 0) > longText
  return isLong ? bytesOf(pieces) : pieces.join('')
}

/** A response without a body: 204, unless another status was set. */
function sendNothing (reply: FastifyReply): FastifyReply {
  if (reply.statusCode === 200) reply.code(204)
  return commonHeaders(reply).send()
}

/** A text of JSON goes to Fastify as the result of a handler; without one the response is empty. */
export function respondText (text: string | undefined, reply: FastifyReply): unknown {
  if (text === undefined) return sendNothing(reply)
  asJson(reply)
  return text
}

/** The client has what it asks for: 304, with the headers of the response. */
export const sendNotModified = (reply: FastifyReply): FastifyReply => commonHeaders(reply).code(304).send()

/** The function that a JSONP client names; undefined where it names none. */
function callbackOf ({ request }: FastifyReply): string | undefined {
  const text = queryText(request.raw.url as string)
  const name = text === undefined ? undefined : parseFields(text).callback
  return typeof name === 'string' && /^[\w$.[\]]{1,128}$/.test(name) ? name : undefined
}

/** A script that calls the client's function; the comment in front keeps it from being read as anything else. */
function sendScript (reply: FastifyReply, name: string, json: string): FastifyReply {
  const text = json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
  return reply
    .header('content-type', 'text/javascript; charset=utf-8')
    .header('x-content-type-options', 'nosniff')
    .send(`/**/ typeof ${name} === 'function' && ${name}(${text});`)
}

/** @throws TypeError for what is no content of a file */
function sendFile (reply: FastifyReply, value: unknown): FastifyReply {
  if (!reply.hasHeader('content-type')) reply.header('content-type', 'application/octet-stream')
  if (value === null) return reply.send('')
  if (
    typeof value === 'string' ||
    Buffer.isBuffer(value) ||
    value instanceof Readable ||
    typeof (value as { pipe?: unknown }).pipe === 'function'
  ) { return reply.send(value) }
  if (value instanceof Uint8Array) return reply.send(Buffer.from(value.buffer, value.byteOffset, value.byteLength))
  throw new TypeError(`A file cannot be made of ${Array.isArray(value) ? 'an array' : `the type ${typeof value}`}.`)
}

// What HTTP forbids in a header: everything below a blank but the tab, and DEL; Node refuses what is beyond Latin-1,
// too.
const forbidden = /[^\t\x20-\x7e\x80-\xff]/

/**
 * Sets a header that a method gave. Text types get their charset, as Express gives it them.
 * @throws RequestError 400 for control characters: what came in must not split a response (security.md, S-51)
 */
export function setHeader (reply: FastifyReply, name: string, value: unknown): void {
  const text = Array.isArray(value) ? value.map(String) : String(value)
  if ([text].flat().some(line => forbidden.test(line))) {
    throw badRequest(`The value of the header "${name}" has characters that a header cannot hold.`)
  }
  const isPlainText =
    name.toLowerCase() === 'content-type' &&
    typeof text === 'string' &&
    text.startsWith('text/') &&
    !text.includes('charset')
  reply.header(name, isPlainText ? `${text}; charset=utf-8` : text)
}
