/** Proof Key for Code Exchange, S256 only (O-026 to O-029, O-106 to O-109). */
import { sha256 } from '@fastback/core/connector'
import type { Client } from '../clients/client.js'
import { isSameText } from '@fastback/auth/service'
import { InvalidRequest } from '../errors.js'
import type { Parameters } from '../http/parameters.js'

const form = /^[A-Za-z0-9._~-]{43,128}$/

/**
 * The challenge of an authorization request.
 * @throws InvalidRequest
 */
export function checkChallenge (
  parameters: Parameters,
  client: Client,
  required: 'public' | 'all' | 'none'
): string | undefined {
  const challenge = parameters.get('code_challenge')
  const method = parameters.get('code_challenge_method')
  if (challenge === undefined && method === undefined) {
    if (client.requirePkce || required === 'all' || (required === 'public' && client.isPublic)) {
      throw new InvalidRequest('The parameter code_challenge is missing.')
    }
    return undefined
  }
  if (method !== 'S256') throw new InvalidRequest('The code_challenge_method must be S256.')
  if (challenge === undefined || !form.test(challenge)) throw new InvalidRequest('The code_challenge is malformed.')
  return challenge
}

/**
 * Whether a verifier belongs to a challenge. A verifier without a challenge belongs to none: somebody took the
 * challenge away.
 */
export function isProof (verifier: string | undefined, challenge: string | undefined): boolean {
  if (verifier === undefined || challenge === undefined) return verifier === challenge
  return form.test(verifier) && isSameText(sha256(verifier), challenge)
}
