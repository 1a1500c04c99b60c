/** Which addresses a subscription may have. Where a name leads to is judged when a connection is made. */
import { isIP } from 'node:net'
import type { Outgoing } from '@fastback/core/outgoing'

/** The longest one, in characters. */
const longest = 2048

/**
 * An address in its one form, or what is wrong with it.
 *
 * ```js
 * webhookAddress('https://hooks.example.com/orders', outgoing, false) // { url: 'https://hooks.example.com/orders' }
 * webhookAddress('https://127.0.0.1/', outgoing, false) // { fault: 'leads to an address that …' }
 * ```
 */
export function webhookAddress (
  given: unknown, outgoing: Pick<Outgoing, 'permits'>, allowHttp: boolean
): { readonly url: string } | { readonly fault: string } {
  if (typeof given !== 'string' || given.length > longest) return { fault: `is no address of at most ${longest} characters` }
  // URL would leave them out without a word.
  if (/[\s\p{Cc}\\]/u.test(given)) return { fault: 'has white space, control characters or backslashes' }
  if (!URL.canParse(given)) return { fault: 'is no absolute address' }
  const { href, protocol, hostname, username, password, hash } = new URL(given)
  if (protocol !== 'https:' && !(allowHttp && protocol === 'http:')) return { fault: 'must begin with https://' }
  if (username !== '' || password !== '') return { fault: 'has a user name or password' }
  if (hash !== '') return { fault: 'has a fragment' }
  if (href.length > longest) return { fault: `is no address of at most ${longest} characters` }
  const address = hostname.replace(/^\[|\]$/g, '')
  if (isIP(address) !== 0 && !outgoing.permits(address)) return { fault: 'leads to an address that is not of the public internet' }
  return { url: href }
}
