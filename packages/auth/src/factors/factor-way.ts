import type { Row } from '@fastback/core'

/** Kinds as users and clients name them. */
export type FactorKind = 'totp' | 'recovery' | 'webauthn'

/**
 * A way to prove a second factor. Those of codes are built in; passkeys add theirs
 * (`secondFactors(Model).ways.set('response', way)`).
 */
export interface FactorWay {
  readonly kind: FactorKind
  /** Whether it proves nothing without a challenge: then a login has it in its second step only. Default: false. */
  readonly needsChallenge?: boolean
  /**
   * Judges a proof, and uses it up where it works once.
   * @param given what the client sent: anything
   * @param challenge the text of the challenge that the proof is for; undefined where there was none
   * @returns whether it is right
   */
  prove (user: Readonly<Row>, given: unknown, challenge: string | undefined): Promise<boolean>
  /** What the client needs for a proof, as `details.<kind>` of OI-210. Default: nothing. */
  offer? (user: Readonly<Row>, challenge: string): Promise<unknown>
  /** What the token's `amr` says of it (RFC 8176). */
  readonly amr: readonly string[]
}
