/** Tokens that this server signed and that come back (OI-39, OI-270, OI-276): trusted is the stored key, no header. */
import { compactVerify, decodeProtectedHeader } from 'jose'
import type { SigningKeys } from './signing-keys.js'

const maxLength = 16_384

/** Why a token is not taken for one of ours; for the log. */
export class NotOwnTokenError extends Error {}

export interface OwnClaims {
  readonly iss: string
  readonly sub: string
  readonly aud: string
  readonly iat: number
  readonly exp: number
  readonly sid?: string
  readonly [claim: string]: unknown
}

export interface Expected {
  /** The kind of the token. */
  readonly typ: string
  readonly issuer: string
  /** Id of the client; undefined: any. */
  readonly audience?: string
}

/**
 * The claims of a token of ours. The algorithm is the key's; `jku`, `x5u`, `jwk` and `x5c` of the header are not looked
 * at. Whether it has expired is not looked at either: the caller knows what that means.
 *
 * ```js
 * await verifyOwn(text, keys, { typ: 'JWT', issuer: 'https://op.example', audience: 'shop' })
 * ```
 * @throws NotOwnTokenError
 */
export async function verifyOwn (
  text: string, keys: Pick<SigningKeys, 'find'>, { typ, issuer, audience }: Expected
): Promise<OwnClaims> {
  const claims = await verifySigned(text, keys, [typ])
  const { iss, sub, aud, iat, exp } = claims
  if (iss !== issuer) throw new NotOwnTokenError('another issuer')
  if (typeof sub !== 'string' || typeof aud !== 'string' || typeof iat !== 'number' || typeof exp !== 'number') {
    throw new NotOwnTokenError('a claim is missing')
  }
  if (audience !== undefined && aud !== audience) throw new NotOwnTokenError('another audience')
  return claims as unknown as OwnClaims
}

/**
 * The claims of a token that one of our keys signed, whatever they are.
 *
 * ```js
 * const { iss, exp } = await verifySigned(text, keys, ['at+jwt'])
 * ```
 * @param kinds what `typ` may be
 * @throws NotOwnTokenError
 */
export async function verifySigned (
  text: string, keys: Pick<SigningKeys, 'find'>, kinds: readonly string[]
): Promise<Readonly<Record<string, unknown>>> {
  if (text.length > maxLength) throw new NotOwnTokenError('the token is too long')
  try {
    const header = decodeProtectedHeader(text)
    if (typeof header.typ !== 'string' || !kinds.includes(header.typ)) throw new NotOwnTokenError('a token of another kind')
    if ('crit' in header || 'cty' in header || 'zip' in header || 'b64' in header) {
      throw new NotOwnTokenError('a header member that is not understood')
    }
    const known = typeof header.kid === 'string' ? await keys.find(header.kid) : undefined
    if (known === undefined) throw new NotOwnTokenError('a key that is not ours')
    const { payload } = await compactVerify(text, known.key, { algorithms: [known.alg] })
    const claims = JSON.parse(new TextDecoder().decode(payload)) as unknown
    if (claims === null || typeof claims !== 'object') throw new NotOwnTokenError('no claims')
    return claims as Readonly<Record<string, unknown>>
  } catch (error) {
    throw error instanceof NotOwnTokenError ? error : new NotOwnTokenError((error as Error).message)
  }
}
