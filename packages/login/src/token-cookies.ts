/**
 * The cookies `access_token` and `userId` (LG-54, LG-55): signed as `cookie-signature` does, so that Express reads
 * them.
 */
import { createHmac } from 'node:crypto'
import { isSameText } from '@fastback/auth/service'
import type { ModelInstance } from '@fastback/core'
import type { Entry } from './entry.js'
import { derivedKey } from './sealing.js'
import type { LoginSettings } from './settings.js'
import type { Visit } from './visit.js'

const tokenCookies = ['access_token', 'userId'] as const

/** Signed, in the form of cookie-parser. */
export const signed = (value: string, key: string): string =>
  `s:${value}.${createHmac('sha256', key).update(value).digest('base64').replace(/(?<!=)=+$/, '')}`

/** What was signed; undefined for anything else. */
export function unsigned (text: string, key: string): string | undefined {
  if (!text.startsWith('s:')) return undefined
  const value = text.slice(2, text.lastIndexOf('.'))
  return isSameText(text, signed(value, key)) ? value : undefined
}

export class TokenCookies {
  readonly #key: string | undefined

  constructor (readonly settings: LoginSettings) {
    const [secret] = settings.secrets
    this.#key = settings.cookieSecret ?? (secret === undefined ? undefined : derivedKey(secret, 'fastback login cookies'))
  }

  /** The option, else that of the cookie middleware, else one that is derived of the option `secret`. */
  #keyFor (visit: Visit): string | undefined {
    const ofMiddleware = visit.req.secret
    return this.settings.cookieSecret ?? (typeof ofMiddleware === 'string' ? ofMiddleware : this.#key)
  }

  set (visit: Visit, entry: Entry, token: ModelInstance, userId: unknown): void {
    const key = this.#keyFor(visit)
    if (key === undefined) return
    const options = this.#options(visit, entry)
    const maxAge = typeof token.ttl === 'number' && token.ttl > 0 ? { maxAge: Math.floor(token.ttl) } : {}
    visit.setCookie('access_token', signed(String(token.id), key), { ...options, ...maxAge })
    visit.setCookie('userId', signed(String(userId), key), { ...options, ...maxAge })
  }

  clear (visit: Visit, entry: Entry | undefined): void {
    for (const name of tokenCookies) visit.setCookie(name, '', { ...this.#options(visit, entry), maxAge: 0 })
  }

  #options (visit: Visit, entry: Entry | undefined): { httpOnly: boolean, sameSite: 'lax', secure: boolean, domain?: string } {
    const own = entry?.options.cookies as { httpOnly?: unknown } | undefined
    const domain = typeof entry?.options.domain === 'string' ? entry.options.domain : this.settings.cookies?.domain
    return {
      httpOnly: own?.httpOnly !== false && this.settings.cookies?.httpOnly !== false,
      sameSite: 'lax',
      secure: visit.isSecure,
      ...(domain === undefined ? {} : { domain })
    }
  }

  /** The token of a request by its cookie, where no cookie middleware has looked at it. */
  tokenOf (visit: Visit): string | undefined {
    const text = visit.cookies.access_token
    const key = this.#keyFor(visit)
    return text === undefined || key === undefined ? undefined : unsigned(text, key)
  }
}
