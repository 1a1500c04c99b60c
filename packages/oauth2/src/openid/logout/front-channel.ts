/**
 * Front-channel logout (openid.md, OI-136): the page of a logout loads an address of each client that got an id_token
 * in the login, in a frame that nobody sees.
 */
import type { Client } from '../../clients/client.js'
import { loginOf, type Session } from '../../session/sessions.js'
import type { OpenId } from '../openid.js'

type Fields = Readonly<Record<string, unknown>>

/** Frames of one page. */
const most = 50

/**
 * Why an address cannot be loaded for a client; undefined if it can. It has the origin of a redirect URI of the client
 * (Front-Channel Logout 1.0, section 2), and is written so that a policy can name it.
 *
 * ```js
 * frontChannelFault('https://other.example/out', ['https://shop.example/cb'])
 * // 'must have the origin of a redirect URI'
 * ```
 * @param redirectUris undefined: they are not known
 */
export function frontChannelFault (uri: unknown, redirectUris: readonly unknown[] | undefined): string | undefined {
  if (typeof uri !== 'string' || !URL.canParse(uri)) return 'must be an absolute URI'
  const { protocol, hostname, username, password, hash, origin } = new URL(uri)
  if (!['https:', 'http:'].includes(protocol) || !/^[\w.-]+$/.test(hostname)) return 'must be https, of a host by name'
  if (username !== '' || password !== '' || hash !== '') return 'must have no user name and no fragment'
  if (redirectUris === undefined) return undefined
  const origins = redirectUris.map(each => typeof each === 'string' && URL.canParse(each) ? new URL(each).origin : '')
  return origins.includes(origin) ? undefined : 'must have the origin of a redirect URI'
}

/** The same for the fields of a client as it will be, as far as it is known. */
export function frontChannelFieldFault ({ frontchannelLogoutURI: uri, redirectURIs }: Fields): string | undefined {
  if (uri === undefined || uri === null || uri === '') return undefined
  const fault = frontChannelFault(uri, Array.isArray(redirectURIs) ? redirectURIs : undefined)
  return fault === undefined ? undefined : `frontchannelLogoutURI: ${fault}`
}

/** What the page of a logout loads; to be asked before the session ends. */
export async function logoutFrames (openId: OpenId, session: Session): Promise<string[]> {
  const { provider, settings, logins } = openId
  const { sid } = session.data
  if (!settings.frontchannelLogout || sid === undefined) return []
  const frames = new Map<string, string>()
  for (const { clientId, issuer, untold } of await logins.grants.of(loginOf(session), sid)) {
    const client = untold === true || frames.has(clientId) ? undefined : await provider.clients.find(clientId)
    const uri = client === undefined ? undefined : frameOf(client, issuer, sid)
    if (uri === undefined) continue
    if (frames.size < most) frames.set(clientId, uri)
    else provider.registry.log.warn({ client: clientId }, 'OAuth: too many clients for the page of a logout')
  }
  return [...frames.values()]
}

/** Rows that were written past the check of clients are judged here as well. */
function frameOf ({ row, redirectUris }: Client, iss: string, sid: string): string | undefined {
  const { frontchannelLogoutURI: uri, frontchannelLogoutSessionRequired } = row as Fields
  if (frontChannelFault(uri, redirectUris) !== undefined) return undefined
  const url = new URL(uri as string)
  if (frontchannelLogoutSessionRequired === true) {
    url.searchParams.set('iss', iss)
    url.searchParams.set('sid', sid)
  }
  return url.href
}
