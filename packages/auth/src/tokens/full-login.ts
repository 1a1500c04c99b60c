/** Tokens that are good for one thing, and are no logins (security.md, S-150). */
import type { ModelInstance, ModelRegistry } from '@fastback/core'
import { lacksFactor } from '../factors/enrolment.js'

/** What tokens without scopes have, and methods that name none ask for. */
export const defaultScopes: readonly string[] = ['DEFAULT']

/**
 * Whether a token is for a method at all.
 *
 * ```js
 * isInScope(token, ['DEFAULT']) // false for one that was given for something else
 * ```
 * @param wanted the scopes of the method: one of them will do
 */
export function isInScope (token: ModelInstance | null, wanted: readonly string[]): boolean {
  const scopes: unknown = token?.scopes ?? defaultScopes
  const implied = token?.impliedScopes as readonly string[] | undefined
  return Array.isArray(scopes) && wanted.some(scope => scopes.includes(scope) || implied?.includes(scope))
}

/**
 * Whether a token opens what is no shared method: pages, and other code that takes a caller by the token alone. One of
 * a password reset does not, nor one of a user who must set up a second factor first. Shared methods ask by themselves.
 *
 * ```js
 * if (!await isFullLogin(app.registry, request.accessToken)) reply.code(401)
 * ```
 */
export async function isFullLogin (registry: ModelRegistry, token: ModelInstance | null): Promise<boolean> {
  return token !== null && isInScope(token, defaultScopes) && !await lacksFactor(registry, token)
}
