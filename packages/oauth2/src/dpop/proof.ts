/** DPoP proofs: read and verified, without anything that is stored (RFC 9449, section 4; OI-150). */
import { sha256 } from '@fastback/core/connector'
import { calculateJwkThumbprint, compactVerify, decodeProtectedHeader, importJWK, type JWK } from 'jose'
import { isSameText } from '@fastback/auth/service'
import { addressOf } from './address.js'

const maxLength = 16_384
const longestId = 256
/** Seconds that a proof may be old, or of the future. */
export const proofAge = 60
const privateParts = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv']
const keyTypes = new Set<unknown>(['RSA', 'EC', 'OKP'])

/** Why a proof is refused; for the log. */
export class BadProof extends Error {}

export interface Proof {
  /** SHA-256 thumbprint of the key that signed (RFC 7638). */
  readonly jkt: string
  readonly jti: string
  readonly htu: string
  /** Seconds. */
  readonly iat: number
  readonly nonce: string | undefined
}

export interface ExpectedProof {
  readonly algorithms: readonly string[]
  readonly method: string
  /** Spellings of the address of the request, one of which the proof must name. */
  readonly addresses: readonly string[]
  /** The access token beside it; undefined: at the token endpoint. */
  readonly accessToken?: string | undefined
}

/**
 * Verifies a proof by the key that it carries. That it comes once is for the caller to see to.
 *
 * ```js
 * const { jkt } = await verifyProof(text, { algorithms: ['ES256'], method: 'POST', addresses: ['https://op.example/oauth/token'] })
 * ```
 * @throws BadProof
 */
export async function verifyProof (text: string, expected: ExpectedProof): Promise<Proof> {
  // Two headers are joined by a comma, and are no compact JWS.
  if (text.length > maxLength || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(text)) throw new BadProof('it is no compact JWS')
  const { jwk, claims } = await verified(text, expected.algorithms)
  const { jti, htm, htu, iat, ath, nonce } = claims
  if (typeof jti !== 'string' || jti === '' || jti.length > longestId) throw new BadProof('jti')
  if (htm !== expected.method) throw new BadProof('htm')
  const address = typeof htu === 'string' ? addressOf(htu) : undefined
  if (address === undefined || !expected.addresses.includes(address)) throw new BadProof('htu')
  if (typeof iat !== 'number' || Math.abs(Date.now() / 1000 - iat) > proofAge) throw new BadProof('iat')
  if (nonce !== undefined && typeof nonce !== 'string') throw new BadProof('nonce')
  if (expected.accessToken !== undefined && !isSameText(ath, hashOf(expected.accessToken))) throw new BadProof('ath')
  return { jkt: await calculateJwkThumbprint(jwk), jti, htu: address, iat, nonce }
}

const hashOf = (token: string): string => sha256(token)

async function verified (
  text: string, algorithms: readonly string[]
): Promise<{ readonly jwk: JWK, readonly claims: Readonly<Record<string, unknown>> }> {
  try {
    const header = decodeProtectedHeader(text) as Record<string, unknown>
    const { typ, alg, jwk } = header
    if (typ !== 'dpop+jwt') throw new BadProof('typ')
    if (typeof alg !== 'string' || !algorithms.includes(alg)) throw new BadProof('alg')
    if (['crit', 'cty', 'zip', 'b64'].some(name => name in header)) throw new BadProof('a header member')
    if (!isPublicKey(jwk, alg)) throw new BadProof('jwk')
    const { payload } = await compactVerify(text, await importJWK(jwk, alg), { algorithms: [alg] })
    const claims = JSON.parse(new TextDecoder().decode(payload)) as unknown
    if (claims === null || typeof claims !== 'object' || Array.isArray(claims)) throw new BadProof('no claims')
    return { jwk, claims: claims as Readonly<Record<string, unknown>> }
  } catch (error) {
    throw error instanceof BadProof ? error : new BadProof((error as Error).message)
  }
}

/** One key, one algorithm (OI-39). */
const isPublicKey = (jwk: unknown, alg: string): jwk is JWK =>
  jwk !== null && typeof jwk === 'object' && !Array.isArray(jwk) && keyTypes.has((jwk as JWK).kty) &&
  !privateParts.some(part => part in jwk) && ((jwk as JWK).alg === undefined || (jwk as JWK).alg === alg)
