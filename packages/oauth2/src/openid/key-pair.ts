/** New keys (OI-32, OI-33). */
import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { calculateJwkThumbprint, type JWK } from 'jose'
import type { SigningAlgorithm } from './options.js'

const generate = promisify(generateKeyPair) as (type: string, options: object) => Promise<{
  readonly publicKey: import('node:crypto').KeyObject
  readonly privateKey: import('node:crypto').KeyObject
}>

export interface KeyPair {
  /** The thumbprint of the public key (RFC 7638). */
  readonly kid: string
  readonly publicKey: JWK
  readonly privateKey: JWK
}

/**
 * Makes a key pair, off the event loop.
 *
 * ```js
 * const { kid, publicKey } = await makeKeyPair('RS256', { rsaBits: 2048 })
 * ```
 */
export async function makeKeyPair (alg: SigningAlgorithm, { rsaBits }: { readonly rsaBits: number }): Promise<KeyPair> {
  const pair = alg === 'ES256'
    ? await generate('ec', { namedCurve: 'P-256' })
    : alg === 'EdDSA'
      ? await generate('ed25519', {})
      : await generate('rsa', { modulusLength: rsaBits })
  const publicKey = pair.publicKey.export({ format: 'jwk' }) as JWK
  return {
    kid: await calculateJwkThumbprint(publicKey, 'sha256'),
    publicKey,
    privateKey: pair.privateKey.export({ format: 'jwk' }) as JWK
  }
}

/** Members that are never published (OI-31). */
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

/**
 * A key as it is published (OI-30).
 *
 * ```js
 * published({ id: kid, alg: 'RS256', publicKey }) // { kty: 'RSA', n, e, kid, use: 'sig', alg: 'RS256' }
 * ```
 */
export function published ({ id, alg, publicKey }: {
  readonly id: string, readonly alg: string, readonly publicKey: JWK
}): JWK {
  const members = Object.entries(publicKey).filter(([name]) => !privateMembers.includes(name))
  return { ...Object.fromEntries(members), kid: id, use: 'sig', alg } as JWK
}
