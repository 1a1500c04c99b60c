/** DPoP: tokens that are worth something only together with a key (RFC 9449). Loaded where the option `dpop` is on. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Client } from '../clients/client.js'
import { InvalidDpopProof, InvalidRequest, InvalidToken, UseDpopNonce } from '../errors.js'
import type { IssuerOf } from '../issuer.js'
import type { Parameters } from '../http/parameters.js'
import { isDpop } from '../resource/bearer.js'
import type { States } from '../stores/states.js'
import { addressOf } from './address.js'
import { Nonces } from './nonces.js'
import type { DpopSettings } from './options.js'
import { BadProof, proofAge, verifyProof } from './proof.js'

export interface DpopParts {
  readonly states: States
  readonly issuerOf: IssuerOf
}

export class Dpop {
  readonly #nonces: Nonces | undefined

  constructor (readonly settings: DpopSettings, readonly parts: DpopParts) {
    this.#nonces = settings.nonce ? new Nonces(settings.nonceSecret) : undefined
  }

  /**
   * The thumbprint of the key that a token is to be bound to; undefined: a request without a proof (OI-151).
   *
   * ```js
   * const jkt = await dpop.keyOf(request, reply)
   * ```
   * @throws InvalidDpopProof, UseDpopNonce
   */
  async keyOf (request: FastifyRequest, reply: FastifyReply): Promise<string | undefined> {
    this.giveNonce(reply)
    return request.headers.dpop === undefined ? undefined : await this.#check(request, 400)
  }

  /**
   * The key that an authorization request names, and that a pushed one proves besides (OI-157).
   * @param proved that of a proof beside a pushed request
   * @throws InvalidRequest for a text that is no thumbprint, InvalidDpopProof where both differ
   */
  namedKey (parameters: Parameters, proved?: string): string | undefined {
    const named = parameters.get('dpop_jkt')
    if (named !== undefined && !/^[\w-]{43}$/.test(named)) throw new InvalidRequest('The dpop_jkt is malformed.')
    if (named !== undefined && proved !== undefined && named !== proved) {
      throw new InvalidDpopProof('The DPoP proof is of another key than dpop_jkt.')
    }
    return named ?? proved
  }

  /** @throws InvalidDpopProof where there must be a key, and is none (OI-159) */
  mustBind (client: Client, jkt: string | undefined): void {
    if (jkt === undefined && (this.settings.require || client.row.dpopBoundAccessTokens === true)) {
      throw new InvalidDpopProof('A DPoP proof is needed.')
    }
  }

  /**
   * Compares the proof of a request to a resource with its token (OI-153, OI-154).
   * @param token as it was sent
   * @param jkt of the key that the token is bound to; undefined: of none
   * @throws InvalidToken, InvalidDpopProof, UseDpopNonce with the status 401
   */
  async checkAtResource (
    request: FastifyRequest, reply: FastifyReply, token: string, jkt: string | undefined
  ): Promise<void> {
    this.giveNonce(reply)
    if (!isDpop(request.headers.authorization)) {
      if (jkt !== undefined) throw new InvalidToken('The token is bound to a key, and not sent with DPoP.')
      return
    }
    if (jkt === undefined) throw new InvalidToken('The token is not bound to a key.')
    if (request.headers.dpop === undefined) throw new InvalidDpopProof('A DPoP proof is needed.', undefined, 401)
    const found = await this.#check(request, 401, token)
    if (found !== jkt) throw new InvalidToken('The token is bound to another key.')
  }

  /** Every response where proofs are taken has a nonce for the next one (OI-158). */
  giveNonce (reply: FastifyReply): void {
    if (this.#nonces !== undefined) reply.header('dpop-nonce', this.#nonces.current())
  }

  async #check (request: FastifyRequest, status: 400 | 401, accessToken?: string): Promise<string> {
    const refused = (detail: string): InvalidDpopProof =>
      new InvalidDpopProof('The DPoP proof is not accepted.', detail, status)
    const { headers: { dpop: text }, method } = request
    if (typeof text !== 'string') throw refused('several headers')
    const addresses = this.#addressesOf(request)
    let proof
    try {
      proof = await verifyProof(text, { algorithms: this.settings.algorithms, method, addresses, accessToken })
    } catch (error) {
      if (error instanceof BadProof) throw refused(error.message)
      throw error
    }
    if (this.#nonces !== undefined && !this.#nonces.isGood(proof.nonce ?? '')) throw new UseDpopNonce(status)
    // Once, whichever process sees it (OI-156). What is older than this is refused for its age.
    const end = new Date((proof.iat + proofAge + 1) * 1000)
    const key = JSON.stringify([proof.jkt, proof.htu, proof.jti])
    if (!await this.parts.states.add('dpop', key, end)) throw refused('it was used before')
    return proof.jkt
  }

  #addressesOf (request: FastifyRequest): string[] {
    const origins = [new URL(this.parts.issuerOf(request)).origin, ...this.settings.origins]
    const path = request.originalUrl.replace(/[?#].*$/s, '')
    return origins.map(origin => addressOf(origin + path)).filter(address => address !== undefined)
  }
}
