/** How long codes and tokens live (oauth2.md, section 11). Everything in seconds. */
import type { GrantType } from './grant-types.js'
import type { Settings, TtlKind } from './settings.js'

export const defaults = { code: 300, token: 3600, refreshToken: 14 * 86_400 } as const
const longestCode = 600
/** FAPI 2.0 Security Profile, section 5.3.2.1. */
const longestFapiCode = 60
/** All refresh tokens of a grant together. */
export const longestGrant = 90 * 86_400

export type Lifetime = (
  kind: TtlKind,
  clientId: string,
  user: unknown,
  scopes: readonly string[],
  grantType: GrantType
) => number

export function lifetimes ({ getTtl, ttl, keysOnly }: Settings): Lifetime {
  const longest = keysOnly ? longestFapiCode : longestCode
  const isLifetime = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0
  return (kind, clientId, user, scopes, grantType) => {
    const given = getTtl?.(kind, clientId, user, scopes, { grantType })
    const seconds = isLifetime(given) ? given : ttl[kind] ?? defaults[kind]
    return kind === 'code' ? Math.min(seconds, longest) : seconds
  }
}
