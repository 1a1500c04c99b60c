/** Logout tokens (OI-131). */
import { randomText } from '../../digest.js'

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

/** Seconds. */
const lifetime = 120

export interface LogoutTokenOf {
  readonly issuer: string
  readonly clientId: string
  readonly sub: string
  readonly sid: string
}

/**
 * The claims of a logout token: those of the login that has ended, and never a `nonce`. It is signed as `logout+jwt`.
 *
 * ```js
 * keys.sign(logoutClaims({ issuer, clientId: 'shop', sub: '7', sid }), { alg, typ: 'logout+jwt' })
 * ```
 */
export function logoutClaims ({ issuer, clientId, sub, sid }: LogoutTokenOf): {
  iss: string, aud: string, iat: number, exp: number, jti: string, sub: string, sid: string, events: object
} {
  const iat = Math.floor(Date.now() / 1000)
  return {
    iss: issuer, aud: clientId, iat, exp: iat + lifetime, jti: randomText(), sub, sid, events: { [logoutEvent]: {} }
  }
}
