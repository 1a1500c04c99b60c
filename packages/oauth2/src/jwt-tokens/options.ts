/** The option `jwtAccessTokens`: as it is written, checked and completed (openid.md, section 9.5). */
import { Type, type Static } from '@sinclair/typebox'
import { InvalidOptionsError } from '../errors.js'
import {
  algorithmSettings, keySettings, KeysSchema, type KeySettings, type OpenIdSettings, type OpenIdSurroundings,
  type SigningAlgorithm
} from '../openid/options.js'

export const JwtTokensSchema = Type.Object({
  lookup: Type.Optional(Type.Boolean()),
  jwksPath: Type.Optional(Type.String({ pattern: '^/' })),
  signingAlgorithms: Type.Optional(Type.Unsafe<SigningAlgorithm[]>(Type.Array(Type.String(), { minItems: 1 }))),
  keys: Type.Optional(KeysSchema)
})
export type JwtTokenOptions = Static<typeof JwtTokensSchema>

export interface JwtTokenSettings {
  /** Seconds that such a token lives at most. */
  readonly longest: number
  /** What signs: the first. */
  readonly signingAlgorithms: readonly SigningAlgorithm[]
  readonly keys: KeySettings
}

/** Seconds that a token lives at most that others take without asking here (OI-184). */
const unseen = 600
/** Seconds that any such token lives at most: keys stay published so long. */
const longest = 86_400

/**
 * Checks the option and fills in what was left out. With `openid` its keys sign.
 *
 * ```js
 * jwtTokenSettings({ lookup: false }, undefined, { issuer, sessionSecret, production, warn }).longest // 600
 * ```
 * @param given undefined and false: access tokens are opaque
 * @throws FBK_OAUTH2_INVALID_OPTIONS
 */
export function jwtTokenSettings (
  given: boolean | JwtTokenOptions | undefined, openId: OpenIdSettings | undefined, surroundings: OpenIdSurroundings
): JwtTokenSettings | undefined {
  if (given === undefined || given === false) return undefined
  const options = given === true ? {} : given
  const { issuer, production } = surroundings
  if (production && issuer?.startsWith('https://') !== true) {
    throw new InvalidOptionsError('the option "issuer" is needed in production with "jwtAccessTokens", and must be https.')
  }
  const twice = (['jwksPath', 'signingAlgorithms', 'keys'] as const).find(name => options[name] !== undefined)
  if (openId !== undefined && twice !== undefined) {
    throw new InvalidOptionsError(`the option "jwtAccessTokens.${twice}" has no effect with "openid": set "openid.${twice}".`)
  }
  return {
    longest: options.lookup === false ? unseen : longest,
    signingAlgorithms: openId?.signingAlgorithms ??
      algorithmSettings(options.signingAlgorithms ?? ['RS256'], 'jwtAccessTokens.signingAlgorithms'),
    keys: openId?.keys ?? keySettings(options.keys, 'jwtAccessTokens.keys.secret', surroundings)
  }
}
