/**
 * The access token of this tab. It lives as long as the tab, and goes over the wire as a header: it is never part of an
 * address.
 */
import type { ApiDescription } from './description.js'

const key = `fastback.accessToken ${window.location.pathname}`
const tagKey = `${key} of`
const userKey = `${key} user`

/**
 * The token, for all who send requests; `change` tells of another one.
 *
 * ```js
 * const token = new Token()
 * await fetch('/api/Notes', { headers: token.headers })
 * ```
 */
export class Token extends EventTarget {
  get value (): string {
    return window.sessionStorage.getItem(key) ?? ''
  }

  /** The model whose login gave the token, if the page saw that. */
  get tag (): string | null {
    return window.sessionStorage.getItem(tagKey)
  }

  /** The id of its user, as the login gave it; undefined where the page did not see one. */
  get userId (): unknown {
    return (JSON.parse(window.sessionStorage.getItem(userKey) ?? '{}') as { id?: unknown }).id
  }

  /**
   * @param tag the model that gave the token
   * @param userId of the user that it is of
   */
  set (value: string, tag?: string, userId?: unknown): void {
    window.sessionStorage.removeItem(tagKey)
    window.sessionStorage.removeItem(userKey)
    if (value === '') window.sessionStorage.removeItem(key)
    else window.sessionStorage.setItem(key, value)
    if (tag !== undefined) window.sessionStorage.setItem(tagKey, tag)
    if (userId !== undefined) window.sessionStorage.setItem(userKey, JSON.stringify({ id: userId }))
    this.dispatchEvent(new Event('change'))
  }

  get headers (): Record<string, string> {
    return this.value === '' ? {} : { 'X-Access-Token': this.value }
  }
}

/**
 * Whether a text can be sent as a header.
 *
 * ```js
 * canBeToken('two words') // false
 * ```
 */
export const canBeToken = (text: string): boolean => /^[\x21-\x7e]+$/.test(text)

/**
 * Logs out at the server. False when it did not take that; an API without logout has nothing to end.
 *
 * ```js
 * if (await endToken(token, description)) token.set('')
 * ```
 */
export async function endToken (token: Token, description: ApiDescription): Promise<boolean> {
  const logout = description.logout(token.tag)
  if (logout === undefined) return true
  try {
    return (await fetch(description.base + logout.path, { method: logout.verb, headers: token.headers })).ok
  } catch {
    return false
  }
}
