/** Access tokens that are JWTs (RFC 9068): made, and known again. Loaded where `jwtAccessTokens` is on. */
import type { Client } from '../clients/client.js'
import { randomText } from '../digest.js'
import type { Indicators } from '../resource/indicator-options.js'
import type { OpenId } from '../openid/openid.js'
import type { SigningKeys } from '../openid/signing-keys.js'
import { NotOwnTokenError, verifySigned } from '../openid/verify-own.js'
import { contextOf } from '../openid/context.js'
import { loginIn } from '../session/login-facts.js'
import type { Issue } from '../stores/tokens.js'
import type { JwtTokenSettings } from './options.js'

/** RFC 9068, section 4: both are to be taken. */
const kinds = ['at+jwt', 'application/at+jwt'] as const

export interface JwtTokenParts {
  readonly keys: SigningKeys
  readonly indicators: Indicators | undefined
  readonly openId: OpenId | undefined
}

export class JwtTokens {
  constructor (readonly settings: JwtTokenSettings, readonly parts: JwtTokenParts) {}

  /** Whether a token is to be a JWT (OI-180). */
  isFor (client: Client, resources: readonly string[]): boolean {
    const { indicators } = this.parts
    return client.row.tokenType === 'jwt' || resources.some(uri => indicators?.get(uri)?.jwt === true)
  }

  /**
   * A new token (OI-181). It is stored as its digest, as any other.
   *
   * ```js
   * const text = await jwtTokens.make(issue, 3600)
   * ```
   * @param expiresIn seconds
   */
  async make (issue: Issue, expiresIn: number): Promise<string> {
    const { client, scopes, audience = [], issuer, jkt } = issue
    const iat = Math.floor(Date.now() / 1000)
    const row = { parameters: issue.parameters }
    const login = loginIn(row)
    const acr = contextOf(row)?.acr
    return await this.parts.keys.sign({
      ...await this.#claimsOf(issue),
      iss: issuer,
      aud: audience.length > 1 ? [...audience] : audience[0] ?? issuer,
      sub: this.#subjectOf(issue),
      client_id: client.id,
      iat,
      exp: iat + expiresIn,
      jti: randomText(),
      scope: scopes.join(' '),
      ...(login === undefined ? {} : { auth_time: login.authTime, amr: [...login.amr] }),
      ...(acr === undefined ? {} : { acr }),
      ...(jkt === undefined ? {} : { cnf: { jkt } })
    }, { alg: this.settings.signingAlgorithms[0] as 'RS256', typ: kinds[0] })
  }

  /**
   * Whether a text is a token of ours for one of the audiences, by its signature and what it says (OI-183).
   *
   * ```js
   * await jwtTokens.isOwn(text, issuer)
   * ```
   */
  async isOwn (text: string, issuer: string): Promise<boolean> {
    try {
      const { iss, exp, aud } = await verifySigned(text, this.parts.keys, kinds)
      // What we signed we wrote by our own clock (OI-277).
      return iss === issuer && typeof exp === 'number' && exp * 1000 > Date.now() && this.#isAudience(aud, issuer)
    } catch (error) {
      if (error instanceof NotOwnTokenError) return false
      throw error
    }
  }

  #isAudience (aud: unknown, issuer: string): boolean {
    return [aud].flat().some(uri => uri === issuer || (typeof uri === 'string' && this.parts.indicators?.has(uri) === true))
  }

  #subjectOf ({ client, userId }: Issue): string {
    if (userId === undefined || userId === null) return client.id
    return this.parts.openId?.ownerFor(client, userId)?.sub ?? String(userId)
  }

  /** What a resource asks for, and nothing else (OI-185). */
  async #claimsOf ({ client, user, scopes, audience = [] }: Issue): Promise<Record<string, unknown>> {
    const { indicators, openId } = this.parts
    const names = [...new Set(audience.flatMap(uri => indicators?.get(uri)?.claims ?? []))]
    if (openId === undefined || user === undefined || names.length === 0) return {}
    return await openId.claims.valuesOf(user, names, { clientId: client.id, scopes })
  }
}
