/** id_tokens: made for the token endpoint, and read again where one comes back (OI-55 to OI-60). */
import { createHash } from 'node:crypto'
import type { Client } from '../clients/client.js'
import type { OpenIdContext } from './context.js'
import type { OpenIdSettings, SigningAlgorithm } from './options.js'
import type { SigningKeys } from './signing-keys.js'
import { verifyOwn, type OwnClaims } from './verify-own.js'

/** `typ` of an id_token: other tokens that these keys sign have others (OI-270). */
const kind = 'JWT'

export interface IdTokenParts {
  readonly issuer: string
  readonly client: Client
  readonly subject: string
  readonly context: OpenIdContext
  readonly accessToken: string
  /** Claims about the user that `claims.id_token` asked for. */
  readonly claims: Readonly<Record<string, unknown>>
}

export class IdTokens {
  constructor (
    readonly keys: SigningKeys,
    readonly settings: Pick<OpenIdSettings, 'signingAlgorithms' | 'idTokenTTL'>
  ) {}

  /** The algorithm of a client's tokens (OI-58): one that the option names no more is as if it were not said. */
  algorithmOf ({ row }: Client): SigningAlgorithm {
    const { signingAlgorithms: known } = this.settings
    return known.find(alg => alg === row.idTokenSignedResponseAlg) ?? known[0] as SigningAlgorithm
  }

  /**
   * A new id_token.
   *
   * ```js
   * await idTokens.issue({ issuer, client, subject: '7', context, accessToken, claims: {} })
   * ```
   */
  async issue ({ issuer, client, subject, context, accessToken, claims }: IdTokenParts): Promise<string> {
    const alg = this.algorithmOf(client)
    const iat = Math.floor(Date.now() / 1000)
    const { nonce, authTime, acr, amr, sid } = context
    return await this.keys.sign({
      ...claims,
      iss: issuer,
      sub: subject,
      aud: client.id,
      exp: iat + this.settings.idTokenTTL,
      iat,
      auth_time: authTime,
      acr,
      amr: [...amr],
      sid,
      at_hash: halfHash(accessToken, alg),
      ...(nonce === undefined ? {} : { nonce })
    }, { alg, typ: kind })
  }

  /**
   * The claims of an id_token that this server gave out, however old it is (OI-99).
   *
   * ```js
   * const { sub, sid } = await idTokens.verify(hint, { issuer, audience: client.id })
   * ```
   * @param audience id of the client; undefined: any, `aud` says which
   * @throws NotOwnTokenError saying why, for the log
   */
  async verify (text: string, expected: { readonly issuer: string, readonly audience?: string }): Promise<OwnClaims> {
    return await verifyOwn(text, this.keys, { ...expected, typ: kind })
  }
}

const hashes: Readonly<Record<SigningAlgorithm, string>> =
  { RS256: 'sha256', ES256: 'sha256', PS256: 'sha256', EdDSA: 'sha512' }

/**
 * The left half of the hash of a token (OI-57).
 *
 * ```js
 * halfHash('jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y', 'RS256') // '77QmUPtjPfzWtF2AnpK9RQ'
 * ```
 */
function halfHash (text: string, alg: SigningAlgorithm): string {
  const hash = createHash(hashes[alg]).update(text, 'ascii').digest()
  return hash.subarray(0, hash.length / 2).toString('base64url')
}
