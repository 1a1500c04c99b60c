/** Finds the text of a token in a request; nothing is looked up (behaviour.md, section 4). */
import type { FastifyRequest } from 'fastify'
import { mayBeToken } from './token-text.js'

/** Where tokens are looked for. Names of one's own come before the usual ones of their kind. */
export interface CarrierOptions {
  readonly headers?: readonly string[] | undefined
  /** Names of query parameters; false: none, not the usual one either. Addresses end up in logs and referrers. */
  readonly params?: readonly string[] | false | undefined
  /** Names of signed cookies. */
  readonly cookies?: readonly string[] | undefined
  /** Whether the usual names count as well. Default: true. */
  readonly searchDefaultTokenKeys?: boolean | undefined
  /** Whether the text after `Bearer` is base64. By default both forms are understood. */
  readonly bearerTokenBase64Encoded?: boolean | undefined
}

/**
 * The texts that may be the token, the likelier first; undefined when the request carries none.
 * @param withCookies whether cookies count. Default: true
 */
export type TokenFinder = (request: FastifyRequest, withCookies?: boolean) => readonly string[] | undefined

type Signed = Readonly<Record<string, unknown>> | undefined

export function tokenFinder (options: CarrierOptions): TokenFinder {
  const usual = options.searchDefaultTokenKeys !== false
  const names = (own: readonly string[] | undefined, ...others: string[]): string[] => [
    ...new Set([...(own ?? []), ...(usual ? others : [])])
  ]
  const params = options.params === false ? [] : names(options.params, 'access_token')
  const headers = names(options.headers?.map(name => name.toLowerCase()), 'x-access-token', 'authorization')
  const cookies = names(options.cookies, 'access_token', 'authorization')
  return (request, withCookies = true) => {
    const query = request.query as Readonly<Record<string, unknown>> | undefined
    if (query !== undefined) {
      for (const name of params) {
        const value = query[name]
        if (typeof value === 'string' && value !== '') return candidates(value)
      }
    }
    for (const name of headers) {
      const value = request.headers[name]
      if (typeof value === 'string' && value !== '') return fromHeader(value, options.bearerTokenBase64Encoded)
    }
    return request.headers.cookie === undefined || !withCookies ? undefined : fromCookies(request, cookies)
  }
}

const candidates = (text: string): readonly string[] | undefined => mayBeToken(text) ? [text] : []

function fromHeader (value: string, base64: boolean | undefined): readonly string[] | undefined {
  if (value.startsWith('Bearer ')) {
    const text = value.slice(7).trim()
    // A token is not likely to be base64 of another: each form that could be meant is tried.
    const forms = base64 === false ? [text] : text.length === 64 ? [text, decode(text)] : [decode(text), text]
    return forms.filter(mayBeToken)
  }
  if (/^basic /i.test(value)) {
    const text = decode(value.slice(6))
    const at = text.indexOf(':')
    const [user, password] = at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
    return candidates(user.length > password.length ? user : password)
  }
  return candidates(value)
}

const decode = (text: string): string => Buffer.from(text, 'base64').toString()

/**
 * Signed cookies only (security.md, S-55): those of a cookie middleware of the application, or of `@fastify/cookie`.
 */
function fromCookies (request: FastifyRequest, names: readonly string[]): readonly string[] | undefined {
  const { signedCookies } = request.raw as { signedCookies?: Signed }
  const { cookies, unsignCookie } = request as {
    cookies?: Signed
    unsignCookie?: (value: string) => { valid: boolean; value: string | null }
  }
  for (const name of names) {
    const ready = signedCookies?.[name]
    if (typeof ready === 'string' && ready !== '') return candidates(ready)
    const raw = cookies?.[name]
    if (typeof raw !== 'string' || unsignCookie === undefined) continue
    const { valid, value } = unsign(request, unsignCookie, raw)
    if (valid && value !== null && value !== '') return candidates(value)
  }
}

/** Without a secret `@fastify/cookie` throws: then no cookie is signed. */
function unsign (
  request: FastifyRequest,
  unsignCookie: (value: string) => { valid: boolean; value: string | null },
  raw: string
): { valid: boolean; value: string | null } {
  try {
    return unsignCookie.call(request, raw)
  } catch {
    return { valid: false, value: null }
  }
}
