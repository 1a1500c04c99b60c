/** The option `dpop`: as it is written, checked and completed (openid.md, section 9.2). */
import { Type, type Static } from '@sinclair/typebox'
import { InvalidOptionsError } from '../errors.js'

/** Algorithms of proofs; none with a shared key (RFC 9449, section 4.3). */
const proofAlgorithms = [
  'ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512', 'RS256', 'RS384', 'RS512', 'EdDSA', 'Ed25519'
] as const
export type ProofAlgorithm = typeof proofAlgorithms[number]

export const DpopSchema = Type.Object({
  algorithms: Type.Optional(Type.Unsafe<ProofAlgorithm[]>(Type.Array(Type.String(), { minItems: 1 }))),
  require: Type.Optional(Type.Boolean()),
  nonce: Type.Optional(Type.Boolean()),
  nonceSecret: Type.Optional(Type.String({ minLength: 16 })),
  origins: Type.Optional(Type.Array(Type.String({ pattern: '^https?://[^/?#]+$' })))
})
export type DpopOptions = Static<typeof DpopSchema>

export interface DpopSettings {
  readonly algorithms: readonly ProofAlgorithm[]
  /** Whether no token is given out without a proof. */
  readonly require: boolean
  readonly nonce: boolean
  /** What nonces are derived from; undefined: a text of this process. */
  readonly nonceSecret: string | undefined
  /** Origins that proofs may name besides that of the issuer. */
  readonly origins: readonly string[]
}

/** What of the other options counts here. */
export interface DpopSurroundings {
  /** Secrets that other options have, the one to take first. */
  readonly secrets: ReadonlyArray<string | undefined>
  readonly production: boolean
}

/**
 * Checks the option and fills in what was left out.
 *
 * ```js
 * dpopSettings({ nonce: true }, { secrets: ['a long random text'], production: true }).nonce // true
 * ```
 * @param given undefined and false: there is no DPoP
 * @throws FBK_OAUTH2_INVALID_OPTIONS
 */
export function dpopSettings (
  given: boolean | DpopOptions | undefined, { secrets, production }: DpopSurroundings
): DpopSettings | undefined {
  if (given === undefined || given === false) return undefined
  const options = given === true ? {} : given
  const wrong = options.algorithms?.find(name => !proofAlgorithms.includes(name))
  if (wrong !== undefined) {
    throw new InvalidOptionsError(
      `the option "dpop.algorithms" names "${wrong}", which is not one of ${proofAlgorithms.join(', ')}.`
    )
  }
  const nonceSecret = options.nonceSecret ?? secrets.find(secret => secret !== undefined)
  // Processes that do not have the same secret would refuse each other's nonces.
  if (options.nonce === true && production && nonceSecret === undefined) {
    throw new InvalidOptionsError('the option "dpop.nonceSecret", or "session.secret", is needed in production.')
  }
  return {
    algorithms: options.algorithms ?? ['ES256', 'ES384', 'ES512', 'PS256', 'RS256', 'EdDSA', 'Ed25519'],
    require: options.require === true,
    nonce: options.nonce === true,
    nonceSecret,
    origins: options.origins ?? []
  }
}
