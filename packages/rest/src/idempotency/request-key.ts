/** What tells a request from others: its key, who sends it, and what it asks for. */
import { sha256, writeValue } from '@fastback/core/connector'
import type { FastifyRequest } from 'fastify'
import { bodyKind } from '../parse/body-kind.js'
import { invalidKey } from './errors.js'

/** In lower case, as Node has it. */
export const keyHeader = 'idempotency-key'

/** A string of a structured field (RFC 9651), with nothing escaped but quotes and backslashes. */
const quoted = /^"((?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/
/** What such a string is mostly made of. */
const plain = /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/
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
  const key = text.startsWith('"') ? unquoted(text) : bare.test(text) ? text : ''
  if (key.length < 1 || key.length > 255) throw invalidKey()
  return key
}

/** An empty text for what is no string of a structured field. Most have nothing escaped. */
function unquoted (text: string): string {
  const inner = text.slice(1, -1)
  if (text.endsWith('"') && plain.test(inner)) return inner
  return quoted.exec(text)?.[1]?.replaceAll(/\\(.)/g, '$1') ?? ''
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
 * storedId(request, keyOf(request.headers['idempotency-key'])) // 43 characters
 * ```
 */
export function storedId (request: FastifyRequest, key: string): string {
  const token = (request as Sending).accessToken ?? undefined
  const caller = token === undefined
    ? null
    : [token.constructor.modelName, token.principalType, token.userId, token.appId].map(each => String(each ?? ''))
  return sha256(JSON.stringify([caller, key]))
}

/**
 * What a request asks for: two that differ in method, path, query or body have different ones. A token in the query is
 * no part of it, as no header is: a repeat may come with a newer one.
 */
export function fingerprintOf (request: FastifyRequest): string {
  const { access_token: _, ...query } = request.query as Record<string, unknown>
  const path = (request.raw.url as string).split('?', 1)[0]
  return sha256(canonicalText([request.method, path, query, bodyKind(request), request.body ?? null]))
}

/**
 * JSON with the members of objects in one order. As deep as the body parser allows.
 *
 * ```js
 * canonicalText({ b: 1, a: [2] }) // '{"a":[2],"b":1}'
 * ```
 */
function canonicalText (value: unknown): string {
  if (value === null || typeof value !== 'object') return writeValue(value) ?? 'null'
  let text = ''
  if (Array.isArray(value)) {
    for (const element of value) text += `${text === '' ? '' : ','}${canonicalText(element)}`
    return `[${text}]`
  }
  for (const name of inOrder(Object.keys(value))) {
    const member = canonicalText((value as Record<string, unknown>)[name])
    text += `${text === '' ? '' : ','}${writeValue(name)}:${member}`
  }
  return `{${text}}`
}

/** Few names are in order sooner than a sort begins. */
function inOrder (names: string[]): string[] {
  if (names.length > 16) return names.sort()
  for (let i = 1; i < names.length; i++) {
    const name = names[i] as string
    let at = i
    for (; at > 0 && (names[at - 1] as string) > name; at--) names[at] = names[at - 1] as string
    names[at] = name
  }
  return names
}
