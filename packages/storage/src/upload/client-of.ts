/** Who sends a file, as places are shared out: a user, or a network without one (security.md, S-100). */
import { userKeyOf, type TokenOfUser } from '@fastback/core/remote'
import type { ModelRegistry } from '@fastback/core'
import type { StorageRequest } from '../http.js'

/** As much of a registry as tells users of several models apart. */
export type Users = Pick<ModelRegistry, 'slot'>

/** Leading bits of an IPv6 address that one client is given. */
const blocks = 4

/**
 * The user of the request's token, else the network that it comes from; undefined for code in the process, which sends
 * no request.
 *
 * ```js
 * clientOf(undefined, req) // 'network 203.0.113.7'
 * ```
 */
export function clientOf (users: Users | undefined, req: StorageRequest | undefined): string | undefined {
  if (req === undefined) return undefined
  const token = req.accessToken as TokenOfUser | null | undefined
  const user = users === undefined ? plainKey(token) : userKeyOf(users, token)
  return user === undefined ? `network ${networkOf(req)}` : `user ${user}`
}

const plainKey = (token: TokenOfUser | null | undefined): string | undefined =>
  token?.userId === undefined || token.userId === null ? undefined : JSON.stringify(['', String(token.userId)])

/** The address that the server knows the client by, of IPv6 the part that one client is given. */
export function networkOf (req: StorageRequest): string {
  const { ip = req.ip ?? req.socket?.remoteAddress ?? '' } = req.remotingContext?.request ?? {}
  const address = ip.toLowerCase().replace(/^::ffff:/, '')
  if (!address.includes(':')) return address
  const [head = '', tail] = address.split('::') as [string, string | undefined]
  const first = head.split(':').filter(each => each !== '')
  const last = (tail ?? '').split(':').filter(each => each !== '')
  const gap = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0')
  return `${[...first, ...gap, ...last].slice(0, blocks).map(each => each.replace(/^0+(?=.)/, '')).join(':')}::/64`
}
