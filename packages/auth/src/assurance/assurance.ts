/**
 * How sure a login is of who it is (openid.md, section 6; RFC 8176), and what access control may ask for (RFC 9470).
 */

/** One factor, two factors, or a passkey with user verification: the weakest first. */
export const levels = ['1fa', '2fa', 'phr'] as const
export type Level = typeof levels[number]

/** What a rule, a method or a path asks of the login that a token stands on. */
export interface Assurance {
  /** The least level. */
  readonly acr: Level
  /** Seconds that the login may be old; undefined: any age. */
  readonly maxAge: number | undefined
}

/** What is known of a login. */
export interface Login {
  readonly acr: Level
  /** Milliseconds since 1970; undefined: nobody knows, which is too long ago for any limit. */
  readonly time: number | undefined
}

/**
 * The level of a login, from the methods that it used: a passkey proves possession (`pop`) and is unlocked by its user
 * (`user`); `mfa` says that there were two factors.
 *
 * ```js
 * levelOf(['pwd', 'otp', 'mfa']) // '2fa'
 * levelOf(['pop', 'user', 'mfa']) // 'phr'
 * levelOf(undefined) // '1fa'
 * ```
 * @param amr values of RFC 8176; anything but a list is none
 */
export function levelOf (amr: unknown): Level {
  const methods: readonly unknown[] = Array.isArray(amr) ? amr : []
  if (!methods.includes('mfa')) return '1fa'
  return methods.includes('pop') && methods.includes('user') ? 'phr' : '2fa'
}

interface TokenLike {
  readonly amr?: unknown
  readonly authTime?: unknown
  readonly created?: unknown
}

/**
 * The login that a token stands on. Tokens of OAuth clients say when it was (`authTime`, seconds), however often they
 * were renewed; those of a login are made by it (`created`).
 *
 * ```js
 * loginOfToken({ amr: ['pwd'], created: new Date(0) }) // { acr: '1fa', time: 0 }
 * ```
 */
export function loginOfToken (token: TokenLike | null | undefined): Login {
  const { amr, authTime, created } = token ?? {}
  if (typeof authTime === 'number') return { acr: levelOf(amr), time: authTime * 1000 }
  // Nothing was proven for it: it is as old as it was made, and of no login.
  if (Array.isArray(amr) && amr.length === 0) return { acr: '1fa', time: undefined }
  const time = created instanceof Date || typeof created === 'string' ? new Date(created).getTime() : undefined
  return { acr: levelOf(amr), time: Number.isNaN(time) ? undefined : time }
}

/**
 * Whether a login is strong and young enough.
 *
 * ```js
 * meets({ acr: '2fa', time: Date.now() }, { acr: '2fa', maxAge: 300 }) // true
 * ```
 */
export function meets ({ acr, time }: Login, asked: Assurance, now = Date.now()): boolean {
  if (levels.indexOf(acr) < levels.indexOf(asked.acr)) return false
  return asked.maxAge === undefined || (time !== undefined && now - time <= asked.maxAge * 1000)
}

/**
 * The parameters of a challenge (RFC 9470, section 3).
 *
 * ```js
 * challengeOf({ acr: '2fa', maxAge: 300 }) // 'acr_values="2fa", max_age="300"'
 * ```
 */
export const challengeOf = ({ acr, maxAge }: Assurance): string =>
  `acr_values="${acr}"${maxAge === undefined ? '' : `, max_age="${String(maxAge)}"`}`

/**
 * What asks for the most of several.
 *
 * ```js
 * strictest({ acr: '2fa', maxAge: undefined }, { acr: '1fa', maxAge: 60 }) // { acr: '2fa', maxAge: 60 }
 * ```
 */
export function strictest (one: Assurance | undefined, other: Assurance | undefined): Assurance | undefined {
  if (one === undefined || other === undefined) return one ?? other
  const ages = [one.maxAge, other.maxAge].filter(age => age !== undefined)
  return {
    acr: levels[Math.max(levels.indexOf(one.acr), levels.indexOf(other.acr))] as Level,
    maxAge: ages.length === 0 ? undefined : Math.min(...ages)
  }
}
