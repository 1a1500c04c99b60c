/**
 * Signed assertions: of clients that authenticate with a key (O-089 to O-092), and of the JWT bearer grant (O-160 to
 * O-174).
 */
import { sha256 } from '@fastback/core/connector'
import { decodeJwt, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose'
import type { Outgoing } from '@fastback/core/outgoing'
import type { States } from '../stores/states.js'
import type { Client } from './client.js'
import type { Clients } from './clients.js'
import { keysOf } from './keys.js'
import { RemoteKeys } from './remote-keys.js'

export interface AssertionRules {
  readonly algorithms: readonly string[]
  /** Seconds. */
  readonly clockTolerance: number
  /** How key sets are fetched. */
  readonly outgoing: Outgoing
}

/** Seconds ahead that an assertion may end, and that it may be old. */
const longest = 3600
const maxLength = 16_384

export interface Verified {
  readonly client: Client
  readonly claims: JWTPayload & { readonly sub: string }
}

/** Why an assertion is refused; for the log. */
export class BadAssertion extends Error {}

export class Assertions {
  readonly #remote: RemoteKeys

  constructor (readonly clients: Clients, readonly states: States, readonly rules: AssertionRules) {
    this.#remote = new RemoteKeys(rules.outgoing)
  }

  /** Who says to be the issuer. Nothing is verified. */
  issuerOf (assertion: string): string | undefined {
    try {
      const { iss } = decodeJwt(assertion)
      return typeof iss === 'string' && assertion.length <= maxLength ? iss : undefined
    } catch {
      return undefined
    }
  }

  /**
   * The client that signed, and what it says.
   * @param required further claims that must be there
   * @throws BadAssertion
   */
  async verify (assertion: string, audience: string[], required: string[] = []): Promise<Verified> {
    const iss = this.issuerOf(assertion)
    const client = iss === undefined ? undefined : await this.clients.find(iss)
    if (client === undefined) throw new BadAssertion('unknown issuer')
    const { algorithms, clockTolerance } = this.rules
    let claims: JWTPayload
    try {
      const keys = await keysOf(client, this.#remote)
      if (keys === undefined) throw new BadAssertion('the client has no key')
      const { payload } = await verifyWithAny(assertion, keys, {
        algorithms: [...algorithms],
        clockTolerance,
        audience,
        issuer: client.id,
        requiredClaims: ['iss', 'sub', 'aud', 'exp', ...required]
      })
      claims = payload
    } catch (error) {
      throw error instanceof BadAssertion ? error : new BadAssertion((error as Error).message)
    }
    this.#checkTimes(claims)
    if (typeof claims.sub !== 'string' || claims.sub === '') throw new BadAssertion('no subject')
    return { client, claims: claims as Verified['claims'] }
  }

  /** Marks an assertion as used: false when it was already, in whichever process. */
  async use (assertion: string, { client, claims }: Verified): Promise<boolean> {
    // Without an id the signed part stands for it: the text of a signature can be varied, what it signs cannot.
    const id = typeof claims.jti === 'string'
      ? JSON.stringify([client.id, claims.jti])
      : sha256(assertion.slice(0, assertion.lastIndexOf('.')))
    return await this.states.add('jti', id, new Date(((claims.exp as number) + this.rules.clockTolerance) * 1000))
  }

  #checkTimes ({ exp, iat }: JWTPayload): void {
    const now = Date.now() / 1000
    const { clockTolerance } = this.rules
    if ((exp as number) > now + longest + clockTolerance) throw new BadAssertion('it ends too late')
    if (iat !== undefined && (iat < now - longest - clockTolerance || iat > now + clockTolerance)) {
      throw new BadAssertion('it is too old, or of the future')
    }
  }
}

type VerifyOptions = NonNullable<Parameters<typeof jwtVerify>[2]>

/** Where several keys of a set fit, each is tried. */
async function verifyWithAny (
  assertion: string,
  keys: JWTVerifyGetKey,
  options: VerifyOptions
): Promise<{ payload: JWTPayload }> {
  try {
    return await jwtVerify(assertion, keys, options)
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_JWKS_MULTIPLE_MATCHING_KEYS') throw error
    for await (const key of error as AsyncIterable<Awaited<ReturnType<JWTVerifyGetKey>>>) {
      try {
        return await jwtVerify(assertion, key, options)
      } catch (failed) {
        if ((failed as { code?: string }).code !== 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED') throw failed
      }
    }
    throw error
  }
}
