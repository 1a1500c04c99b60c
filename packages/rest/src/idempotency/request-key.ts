/** What tells a request from others: its key, who sends it, and what it asks for. */
import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { bodyKind } from '../parse/body-kind.js'
import { invalidKey } from './errors.js'

/** In lower case, as Node has it. */
export const keyHeader = 'idempotency-key'

/** A string of a structured field (RFC 9651), with nothing escaped but quotes and backslashes. */
const quoted = /^"((?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/
/** What clients send that know nothing of structured fields. A comma would be two headers in one. */
const bare = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x7e]+$/

/**
 * The key of a header: `"8e03…"`, or the same without quotes.
 *
 * ```js
 * keyOf('"a\\"b"') // 'a"b'
 * keyOf('8e03978e-40d5') // '8e03978e-40d5'
 * ```
 * @throws RequestError 400 INVALID_IDEMPOTENCY_KEY
 */
export function keyOf (header: string | string[]): string {
  if (typeof header !== 'string' || header.length > 520) throw invalidKey()
  const text = header.trim()
  const key = quoted.exec(text)?.[1]?.replaceAll(/\\(.)/g, '$1') ?? (bare.test(text) ? text : '')
  if (key.length < 1 || key.length > 255) throw invalidKey()
  return key
}

type Sending = FastifyRequest & {
  readonly accessToken?: {
    readonly userId?: unknown
    readonly principalType?: unknown
    readonly appId?: unknown
    readonly constructor: { readonly modelName?: unknown }
  } | null
}

/**
 * The id under which a response is stored: of the key and who sent it, so that nobody reaches the responses of others.
 * Callers without a token share the keys that they make up.
 *
 * ```js
 * storedId(request, keyOf(request.headers['idempotency-key'])) // 64 hexadecimal digits
 * ```
 */
export function storedId (request: FastifyRequest, key: string): string {
  const token = (request as Sending).accessToken ?? undefined
  const caller = token === undefined
    ? null
    : [token.constructor.modelName, token.principalType, token.userId, token.appId].map(each => String(each ?? ''))
  return hash(JSON.stringify([caller, key]))
}

/**
 * What a request asks for: two that differ in method, path, query or body have different ones. A token in the query is
 * no part of it, as no header is: a repeat may come with a newer one.
 */
export function fingerprintOf (request: FastifyRequest): string {
  const { access_token: _, ...query } = request.query as Record<string, unknown>
  const path = (request.raw.url as string).split('?', 1)[0]
  return hash(canonicalText([request.method, path, query, bodyKind(request), request.body ?? null]))
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

/**
 * JSON with the members of objects in one order. As deep as the body parser allows.
 *
 * ```js
 * canonicalText({ b: 1, a: [2] }) // '{"a":[2],"b":1}'
 * ```
 */
function canonicalText (value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1)
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalText(member)}`).join()}}`
}
