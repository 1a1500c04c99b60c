/** `WWW-Authenticate` of a resource (O-181, O-189; openid.md, OI-153). */
import { InsufficientAuthentication, InsufficientScope, Unauthorized, type OAuthError } from '../errors.js'

export interface ChallengeParts {
  readonly realm: string
  /** Address of the description of the resource. */
  readonly metadata?: string | undefined
  /** Algorithms of proofs; undefined: there are no proofs here. */
  readonly algorithms?: readonly string[] | undefined
  /** Whether the request sent its token by DPoP. */
  readonly byDpop?: boolean
}

/**
 * The challenge to an error; without credentials it names none. Where there are proofs a request without one is told
 * that there are, too.
 *
 * ```js
 * challenge(new Unauthorized('A bearer token is needed.'), { realm: 'https://op.example' }) // 'Bearer realm="https://op.example"'
 * ```
 */
export function challenge (error: OAuthError, { realm, metadata, algorithms, byDpop = false }: ChallengeParts): string {
  const parts = [`realm="${realm}"`]
  if (metadata !== undefined) parts.push(`resource_metadata="${metadata}"`)
  if (!(error instanceof Unauthorized)) parts.push(`error="${error.error}"`, `error_description="${error.message}"`)
  if (error instanceof InsufficientAuthentication) parts.push(error.challenge)
  if (error instanceof InsufficientScope) parts.push(`scope="${error.scopes.join(' ')}"`)
  const text = parts.join(', ')
  if (algorithms === undefined) return `Bearer ${text}`
  const names = `algs="${algorithms.join(' ')}"`
  return byDpop ? `DPoP ${text}, ${names}` : `Bearer ${text}, DPoP ${names}`
}
