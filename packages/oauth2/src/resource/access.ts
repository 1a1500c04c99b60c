/** What a request with a good token may know and do (oauth2.md, section 9.3). */
import type { MaybePromise, Row } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import { DelegatedToken, userModels } from '@fastback/auth/service'
import type { FastifyRequest } from 'fastify'
import { InvalidToken } from '../errors.js'
import type { Provider } from '../provider.js'
import { loginIn } from '../session/login-facts.js'
import { isLive } from '../stores/tokens.js'

/** What stands on `request.accessToken`. `id` is that of the record, not the token. */
export class AccessToken extends DelegatedToken {
  readonly id: unknown
  readonly userId: unknown
  readonly appId: unknown
  readonly scopes: readonly string[]
  readonly issuedAt: unknown
  readonly expiresIn: unknown
  readonly expiredAt: unknown
  /** How the user logged in (RFC 8176); undefined where the token does not say. */
  declare readonly amr?: readonly string[]
  /** When, in seconds since 1970. */
  declare readonly authTime?: number
  /** `USER`, or the name of the user model where there are several; undefined without a user. */
  readonly principalType: string | undefined
  readonly #implied: readonly string[]
  readonly #check: AccessCheck
  readonly #request: FastifyRequest
  readonly #text: string

  /** @param text that of the token, to look it up again */
  constructor (row: Readonly<Row>, check: AccessCheck, request: FastifyRequest, text: string) {
    super()
    this.id = row.id
    this.userId = row.userId ?? undefined
    this.appId = row.appId ?? undefined
    this.scopes = Array.isArray(row.scopes) ? row.scopes as string[] : []
    this.issuedAt = row.issuedAt
    this.expiresIn = row.expiresIn
    this.expiredAt = row.expiredAt
    this.principalType = this.userId === undefined ? undefined : check.principalType
    const login = loginIn(row)
    if (login !== undefined) Object.assign(this, { amr: login.amr, authTime: login.authTime })
    this.#implied = check.implied
    this.#check = check
    this.#request = request
    this.#text = text
  }

  /** Scopes that count as given: methods that name none are open to OAuth tokens (O-195). */
  get impliedScopes (): readonly string[] {
    return this.#implied
  }

  /** Where only some scopes count, the token has no others. */
  cutTo (scopes: readonly string[]): void {
    Object.assign(this, { scopes: this.scopes.filter(scope => scopes.includes(scope)) })
  }

  override stillHolds (): MaybePromise<boolean> {
    return chain(this.#check.check(this.#request, this.#text), () => true)
  }
}

export interface Access {
  readonly accessToken: AccessToken
  /** Without the password. Undefined: a token of a client itself. */
  readonly user: Readonly<Row> | undefined
  readonly client: Readonly<Row>
  /** Thumbprint of the key that the token is bound to; undefined: of none. */
  readonly jkt: string | undefined
  /** Whom the token is for; none: the server that gave it out. */
  readonly audience: readonly string[]
}

/**
 * What a token is bound to, and whom it is for. A check elsewhere may say both in the words of introspection.
 *
 * ```js
 * boundTo({ cnf: { jkt: 'x' }, aud: 'https://api.example/' }) // { jkt: 'x', audience: ['https://api.example/'] }
 * ```
 */
export function boundTo (row: Readonly<Row>): Pick<Access, 'jkt' | 'audience'> {
  const jkt = row.jkt ?? (row.cnf as { jkt?: unknown } | undefined)?.jkt
  const audience = [row.resource ?? row.aud ?? []].flat()
  return { jkt: typeof jkt === 'string' ? jkt : undefined, audience: audience.map(String) }
}

const impliedByDefault = ['DEFAULT']

/** Looks tokens up. */
export class AccessCheck {
  readonly implied: readonly string[]
  #principalType: string | undefined

  constructor (readonly provider: Provider) {
    provider.registry.on('modelAttached', () => { this.#principalType = undefined })
    this.implied = provider.settings.impliedDefaultScope ? impliedByDefault : []
  }

  /** @throws InvalidToken */
  check (request: FastifyRequest, token: string): MaybePromise<Access> {
    const { settings: { checkAccessToken } } = this.provider
    if (checkAccessToken !== undefined) return this.#checkElsewhere(request, token, checkAccessToken(request, token))
    const found = chain(this.#isOwn(request, token), isOwn => isOwn ? this.provider.tokens.find(token) : undefined)
    return chain(found, row => {
      if (row === undefined || !isLive(row)) throw unusable()
      return this.#withParties(row, request, token)
    })
  }

  /** What is written as a JWT is one of ours by its signature, too (openid.md, OI-183). */
  #isOwn (request: FastifyRequest, token: string): MaybePromise<boolean> {
    const { jwtTokens, issuerOf } = this.provider
    return jwtTokens === undefined || !looksLikeJwt(token) || jwtTokens.isOwn(token, issuerOf(request))
  }

  async #checkElsewhere (request: FastifyRequest, token: string,
    answer: Promise<{ accessToken: Row, user?: Row, client?: Row } | null | undefined>): Promise<Access> {
    const found = await answer
    if (found === null || found === undefined) throw unusable()
    return {
      accessToken: new AccessToken(found.accessToken, this, request, token),
      user: found.user,
      client: found.client ?? { id: found.accessToken.appId },
      ...boundTo(found.accessToken)
    }
  }

  /** A token whose user or client is gone is worth nothing (O-198). */
  #withParties (row: Row, request: FastifyRequest, token: string): MaybePromise<Access> {
    const { clients, users } = this.provider
    return chain(clients.recent(String(row.appId)), client => {
      if (client === undefined) throw unusable()
      const accessToken = new AccessToken(row, this, request, token)
      if (accessToken.userId === undefined) return { accessToken, user: undefined, client, ...boundTo(row) }
      return chain(users.recent(accessToken.userId), user => {
        if (user === undefined) throw unusable()
        const { password, ...shown } = user
        return { accessToken, user: shown, client, ...boundTo(row) }
      })
    })
  }

  get principalType (): string {
    const { registry, users } = this.provider
    return (this.#principalType ??= userModels(registry).length > 1 ? users.Model.modelName : 'USER')
  }
}

const looksLikeJwt = (token: string): boolean => token.split('.').length === 3

const unusable = (): InvalidToken => new InvalidToken('The token is unknown, has expired, or was revoked.')
