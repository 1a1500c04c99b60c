/**
 * The one spelling of a request's path (security.md, S-70): whatever looks at a path, the router, middleware on some
 * paths, guards, logs, is to see the same one. Case stays as it was sent, because ids have one; who compares paths
 * folds ASCII letters, and nothing else.
 */

/** Targets that are in this spelling already: nearly all. Stops at the query, which may say anything. */
const plain = /^(?:\/(?!\/|\.\.?(?:[/?]|$))[\w.~!$&'()*+,;=:@-]*)+(?:\?|$)/

/** Characters that stand for themselves in a path (RFC 3986, section 3.3). All others are escaped. */
const literal = /[\w.~!$&'()*+,;=:@-]/

const absoluteForm = /^https?:\/\/([\w.:[\]-]+)(?=[/?]|$)/i

/** Whether a request target is a path in its one spelling, with or without a query. */
export const isPlainTarget = (target: string): boolean => plain.test(target)

/**
 * A request target in its one spelling: in origin-form (RFC 9112, section 3.2), needless escapes undone, needed ones in
 * capitals, one slash between segments. `http://x/a%70i//Notes/a%2fb?x=%41` becomes `/api/Notes/a%2Fb?x=%41`. The query
 * stays as it was.
 *
 * ```js
 * canonicalTarget('/a%70i//Notes?x=%41') // '/api/Notes?x=%41'
 * canonicalTarget('/api/../secret') // undefined
 * ```
 * @param target as Node has it: bytes beyond ASCII are one character each
 * @returns undefined for what a server need not take: authority-form, `*`, a fragment, escapes that are none, the
 * segments `.` and `..`
 */
export function canonicalTarget (target: string): string | undefined {
  if (plain.test(target)) return target
  const origin = originForm(target)
  if (origin === undefined) return undefined
  const end = origin.indexOf('?')
  const path = spelled(escapeBytes(end === -1 ? origin : origin.slice(0, end)))
  return path === undefined || end === -1 ? path : path + origin.slice(end)
}

/**
 * Host and port of a target in absolute-form; undefined for other forms. They take the place of the header `Host` (RFC
 * 9112, section 3.2.2).
 */
export function authorityOf (target: string): string | undefined {
  return absoluteForm.exec(target)?.[1]
}

/**
 * A path that somebody has written (`/café`, `/a b/`), in the spelling that paths of requests have.
 *
 * ```js
 * canonicalPath('/café') // '/caf%C3%A9'
 * ```
 * @returns the path as it is, where it is none that a request can have
 */
export function canonicalPath (written: string): string {
  return spelled(written.replace(/[^\0-\x7f]+/g, text => [...Buffer.from(text)].map(escape).join(''))) ?? written
}

/**
 * A path without the difference of upper and lower case: of ASCII letters, as Express compares. KELVIN SIGN is no `k`.
 *
 * ```js
 * foldPath('/API/Notes') // '/api/notes'
 * ```
 */
export const foldPath = (path: string): string =>
  /[A-Z]/.test(path) ? path.replace(/[A-Z]+/g, letters => letters.toLowerCase()) : path

function originForm (target: string): string | undefined {
  if (target.startsWith('/')) return target
  const authority = absoluteForm.exec(target)
  if (authority === null) return undefined
  const rest = target.slice(authority[0].length)
  return rest.startsWith('/') ? rest : `/${rest}`
}

const escape = (byte: number): string => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`

/** Bytes beyond ASCII, which no target should have and some clients send all the same. */
const escapeBytes = (path: string): string => path.replace(/[\x80-\xff]/g, byte => escape(byte.charCodeAt(0)))

/**
 * Undefined where an escape is none, or bytes are no UTF-8, or a segment is `.` or `..`: it would mean something else
 * to anyone who reads it as a file's name.
 */
function spelled (path: string): string | undefined {
  if (!/^\/[^#\x80-\uffff]*$/.test(path)) return undefined
  try {
    decodeURIComponent(path)
  } catch {
    return undefined
  }
  const escaped = path.replace(/%[\da-f]{2}|[^\w.~!$&'()*+,;=:@/-]/gi, each => {
    const byte = each.length === 1 ? each.charCodeAt(0) : parseInt(each.slice(1), 16)
    const character = String.fromCharCode(byte)
    return literal.test(character) ? character : escape(byte)
  })
  const merged = escaped.replace(/\/{2,}/g, '/')
  return /\/\.\.?(?:\/|$)/.test(merged) ? undefined : merged
}
