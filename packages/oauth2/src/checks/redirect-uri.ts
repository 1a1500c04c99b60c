/** Redirect URIs: what may be registered, and what a request may name (O-010 to O-014). */
import { InvalidRequest } from '../errors.js'
import type { Client } from '../clients/client.js'

const loopback = new Set(['127.0.0.1', '[::1]', 'localhost'])
const scripts = new Set(['javascript:', 'data:', 'vbscript:'])

/** What is wrong with a redirect URI that somebody wants to register; undefined: nothing. */
export function redirectUriFault (uri: unknown, insecure: boolean): string | undefined {
  const url = typeof uri === 'string' && URL.canParse(uri) ? new URL(uri) : undefined
  if (url === undefined) return 'must be absolute URIs'
  if ((uri as string).includes('#')) return 'must not have a fragment'
  if (url.username !== '' || url.password !== '') return 'must not name a user'
  if (scripts.has(url.protocol)) return 'must not run scripts'
  if (url.protocol === 'http:' && !loopback.has(url.hostname) && !insecure) {
    return 'must be https (http for loopback addresses only)'
  }
}

/** Where anybody on a device can listen: a loopback address, or a scheme that applications claim. */
export function isClaimable (uri: string): boolean {
  const { protocol, hostname } = new URL(uri)
  return protocol === 'http:' ? loopback.has(hostname) : protocol !== 'https:'
}

/**
 * The URI that the response goes to: the one that is sent, when it is registered; the only one that is registered, when
 * none is sent.
 * @throws InvalidRequest to be shown, not to be redirected
 */
export function checkRedirectUri (client: Client, sent: string | undefined): string {
  const { redirectUris } = client
  if (redirectUris.length === 0) throw new InvalidRequest('The client has no registered redirect URI.')
  if (sent === undefined) {
    if (redirectUris.length > 1) throw new InvalidRequest('The parameter redirect_uri is missing.')
    return redirectUris[0] as string
  }
  if (sent.includes('#')) throw new InvalidRequest('The redirect URI must not have a fragment.')
  if (
    redirectUris.includes(sent) ||
    (client.isPublic && redirectUris.some(registered => differsInPort(registered, sent)))
  ) { return sent }
  throw new InvalidRequest('The redirect URI is not registered.')
}

const localUri = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?((?:[/?].*)?)$/

/** Programs listen on whichever port is free (RFC 8252, section 7.3). Everything but the port is compared as text. */
function differsInPort (registered: string, sent: string): boolean {
  const [one, other] = [localUri.exec(registered), localUri.exec(sent)]
  return one !== null && other !== null && one[1] === other[1] && one[2] === other[2] && URL.canParse(sent)
}
