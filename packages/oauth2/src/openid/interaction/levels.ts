/** How strong a login was: the three levels that `acrValues` names, from `amr` alone (openid.md, section 6). */

import { levelOf as assuranceOf, levels } from '@fastback/auth/service'

/** What a user could prove: kinds of `secondFactors(…).of(userId)`. */
export type FactorKind = 'totp' | 'recovery' | 'webauthn'

/** One factor, two, or a key that verifies the user: a position in `acrValues`. */
export type Level = 0 | 1 | 2

/**
 * The level of a login (OI-102).
 *
 * ```js
 * levelOf(['pwd', 'otp', 'mfa']) // 1
 * ```
 * @param amr methods of RFC 8176; undefined counts as one factor
 */
export const levelOf = (amr: readonly string[] | undefined): Level =>
  levels.indexOf(assuranceOf(amr)) as Level

/**
 * The name of that level.
 *
 * ```js
 * acrOf(['1fa', '2fa', 'phr'], ['pwd']) // '1fa'
 * ```
 */
export const acrOf = (acrValues: readonly string[], amr: readonly string[] | undefined): string =>
  acrValues[levelOf(amr)] as string

/** The highest level that a user can reach with the factors that are confirmed. */
export const highest = (factors: readonly FactorKind[]): Level =>
  factors.includes('webauthn') ? 2 : factors.length > 0 ? 1 : 0

/** What a request wants of the level. */
export interface AcrWish {
  /** In order of preference. */
  readonly values: readonly string[]
  /** Without one of them there is no login (OI-83). */
  readonly essential: boolean
}

/**
 * The level to ask for: the first of the wish that is known and can be reached, with what the session has or the user's
 * factors (OI-100). Undefined: none can.
 */
export function wantedLevel (acrValues: readonly string[], { values }: AcrWish, reached: Level,
  factors: readonly FactorKind[]): Level | undefined {
  const top = Math.max(reached, highest(factors))
  const level = values.map(value => acrValues.indexOf(value)).find(at => at !== -1 && at <= top)
  return level as Level | undefined
}
