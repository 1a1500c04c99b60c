/** Public keys of clients (O-174; oauth2.md, section 8). */
import { createPublicKey, type JsonWebKey } from 'node:crypto'
import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import type { Client } from './client.js'
import type { RemoteKeys } from './remote-keys.js'

const privateParts = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

const isPem = (value: unknown): value is string => typeof value === 'string' && value.includes('-----BEGIN ')

/** What is wrong with keys that somebody wants to register; undefined: nothing. */
export function keyFault (value: unknown): string | undefined {
  try {
    if (isPem(value)) {
      if (value.includes('PRIVATE KEY')) return 'a private key must not be registered'
      createPublicKey(value)
      return undefined
    }
    for (const key of keySet(value).keys) {
      if (privateParts.some(part => part in key)) return 'a private key must not be registered'
      if (key.use === 'enc') return 'keys must be for signatures'
      createPublicKey({ key: key as JsonWebKey, format: 'jwk' })
    }
  } catch {
    return 'a key is malformed'
  }
}

function keySet (value: unknown): JSONWebKeySet {
  const set = (typeof value === 'string' ? JSON.parse(value) : value) as JSONWebKeySet
  if (set === null || typeof set !== 'object' || !Array.isArray(set.keys)) throw new TypeError('not a JWK Set')
  return set
}

/** Chooses the key of a signature among a client's. Undefined: the client has none. */
export async function keysOf ({ row }: Client, remote: RemoteKeys): Promise<JWTVerifyGetKey | undefined> {
  const pem = [row.publicKey, row.jwks].find(isPem)
  if (pem !== undefined) {
    const key = createPublicKey(pem)
    return async () => key
  }
  const { jwks, jwksURI } = row
  if (jwks !== undefined && jwks !== null && jwks !== '') return createLocalJWKSet(keySet(jwks))
  return typeof jwksURI === 'string' && jwksURI !== ''
    ? createLocalJWKSet(keySet(await remote.get(jwksURI)))
    : undefined
}
