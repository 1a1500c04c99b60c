/** `WWW-Authenticate` of a resource (O-181, O-189). */
import { InsufficientAuthentication, InsufficientScope, Unauthorized, type OAuthError } from '../errors.js'

/**
 * The challenge to an error; without credentials it names none.
 *
 * ```js
 * challenge(new Unauthorized('A bearer token is needed.'), 'https://op.example') // 'Bearer realm="https://op.example"'
 * ```
 * @param metadata address of the description of the resource
 */
export function challenge (error: OAuthError, realm: string, metadata?: string): string {
  const parts = [`realm="${realm}"`]
  if (metadata !== undefined) parts.push(`resource_metadata="${metadata}"`)
  if (!(error instanceof Unauthorized)) parts.push(`error="${error.error}"`, `error_description="${error.message}"`)
  if (error instanceof InsufficientAuthentication) parts.push(error.challenge)
  if (error instanceof InsufficientScope) parts.push(`scope="${error.scopes.join(' ')}"`)
  return `Bearer ${parts.join(', ')}`
}
