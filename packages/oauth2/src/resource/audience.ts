/** Whether a token is for the resource that its request asks (RFC 8707; openid.md, OI-174). */
import { InvalidToken } from '../errors.js'
import type { Access } from './access.js'
import type { Indicators } from './indicator-options.js'

/**
 * The access that a token gives where these rules hold: only scopes of the resource count there.
 *
 * ```js
 * const access = forRules(found, [{ resource: 'https://api.example/' }], indicators, 'https://op.example')
 * ```
 * @param rules those that cover the request; one without a resource asks for a token for this server
 * @throws InvalidToken for a token for others
 */
export function forRules (
  access: Access, rules: ReadonlyArray<{ readonly resource: string | undefined }>, indicators: Indicators | undefined,
  issuer: string
): Access {
  const wanted = [...new Set(rules.map(({ resource }) => resource))].filter(resource => resource !== undefined)
  if (!isFor(access.audience, wanted, issuer)) throw new InvalidToken('The token is for another resource.')
  for (const uri of wanted) {
    const scopes = indicators?.get(uri)?.scopes
    if (scopes !== undefined) access.accessToken.cutTo(scopes)
  }
  return access
}

/**
 * Whether a token is for all that is wanted; for this server, where nothing is.
 *
 * ```js
 * isFor([], [], 'https://op.example') // true: a token that names nobody is for its server
 * ```
 * @param audience of the token
 */
export function isFor (audience: readonly string[], wanted: readonly string[], issuer: string): boolean {
  const all = audience.length === 0 ? [issuer] : audience
  return (wanted.length === 0 ? [issuer] : wanted).every(uri => all.includes(uri))
}
