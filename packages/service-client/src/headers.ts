import { invalidHeaderValue } from './errors.js'
import type { ServiceClientSettings } from './settings.js'

/** Names as written; a name has one value, or a list of them. */
export type Headers = Record<string, string | string[]>

// RFC 9110 section 5.5: a tab, what is visible, blanks, and the bytes above ASCII.
const valid = /^[\t\x20-\x7e\x80-\xff]*$/

/**
 * Refuses values that would end a header and begin another one.
 * @throws RequestError 400 INVALID_HEADER_VALUE
 */
export function checkHeaders (headers: Readonly<Headers>): void {
  for (const name in headers) {
    const value = headers[name] as string | string[]
    const isValid = typeof value === 'string' ? valid.test(value) : value.every(each => valid.test(each))
    if (!isValid) throw invalidHeaderValue(name)
  }
}

/**
 * Whether a header is there, in whatever case it is written.
 *
 * ```js
 * hasHeader({ 'X-Tenant': 'north' }, 'x-tenant') // true
 * ```
 * @param name in lower case
 */
export function hasHeader (headers: Readonly<Headers>, name: string): boolean {
  for (const each in headers) {
    if (each.length === name.length && each.toLowerCase() === name) return true
  }
  return false
}

/** The headers without those of some names, which are in lower case. */
export const withoutHeaders = (headers: Readonly<Headers>, names: ReadonlySet<string>): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.has(name.toLowerCase())))

/** What speaks for this server, or of the host: not for another origin (SC-E5). */
export const ofOrigin: ReadonlySet<string> = new Set([
  'authorization', 'cookie', 'proxy-authorization', 'host', 'traceparent', 'tracestate', 'baggage'
])
/** What speaks of a body. */
export const ofBody: ReadonlySet<string> = new Set([
  'content-type', 'content-length', 'content-encoding', 'transfer-encoding'
])

/** The headers and others, which add what is not there. */
export function withOthers (headers: Readonly<Headers>, others: Readonly<Headers>): Headers {
  const added = Object.entries(others).filter(([name]) => !hasHeader(headers, name.toLowerCase()))
  return added.length === 0 ? headers : { ...headers, ...Object.fromEntries(added) }
}

/** `Basic …` of a name and a password. */
export const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}`

/**
 * The header `authorization` of credentials; undefined without any.
 *
 * ```js
 * authorizationOf({ bearer: 'abc' }) // 'Bearer abc'
 * ```
 */
export function authorizationOf (auth: ServiceClientSettings['auth'] | null): string | undefined {
  if (auth === undefined || auth === null) return undefined
  if (auth.bearer !== undefined) return `Bearer ${auth.bearer}`
  const user = auth.user ?? auth.username
  return user === undefined ? undefined : basic(user, auth.pass ?? auth.password ?? '')
}

/** Takes the credentials out of an address: `http://user:pw@host` becomes a header (SC-S8). */
export function takeCredentials (url: URL): string | undefined {
  if (url.username === '' && url.password === '') return undefined
  const header = basic(decodeURIComponent(url.username), decodeURIComponent(url.password))
  url.username = ''
  url.password = ''
  return header
}
