/** Signs JWTs with Node's own `sign`, off the event loop: an RSA signature by WebCrypto takes a tenth more. */
import { constants, sign, type KeyObject, type SignKeyObjectInput } from 'node:crypto'
import { promisify } from 'node:util'
import type { SigningAlgorithm } from './options.js'

interface Signature {
  /** Null: the algorithm has its own. */
  readonly digest: 'sha256' | null
  readonly options: Omit<SignKeyObjectInput, 'key'>
}

/** How each algorithm is Node's (RFC 7518, sections 3.3 to 3.5; RFC 8037). */
const signatures: Readonly<Record<SigningAlgorithm, Signature>> = {
  RS256: { digest: 'sha256', options: { padding: constants.RSA_PKCS1_PADDING } },
  PS256: {
    digest: 'sha256',
    options: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
  },
  // The two numbers, not their DER.
  ES256: { digest: 'sha256', options: { dsaEncoding: 'ieee-p1363' } },
  EdDSA: { digest: null, options: {} }
}

const signBytes = promisify(
  (digest: string | null, data: Uint8Array, key: SignKeyObjectInput,
    done: (error: Error | null, signature: Buffer) => void) => {
    sign(digest, data, key, done)
  }
)

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')

/**
 * A JWT of some claims, as a compact JWS (RFC 7515, section 3.1).
 *
 * ```js
 * await signJwt({ sub: '7' }, { alg: 'RS256', kid: 'k1', typ: 'JWT' }, privateKey) // 'eyJhbGci….eyJzdWIi….…'
 * ```
 * @param claims members that are undefined are left out
 */
export async function signJwt (
  claims: object, header: { readonly alg: SigningAlgorithm, readonly kid: string, readonly typ: string }, key: KeyObject
): Promise<string> {
  const { digest, options } = signatures[header.alg]
  const text = `${encoded(header)}.${encoded(claims)}`
  const signature = await signBytes(digest, Buffer.from(text, 'latin1'), { key, ...options })
  return `${text}.${signature.toString('base64url')}`
}
