/** What a request with a good token may know and do (oauth2.md, section 9.3). */
import { chain, type MaybePromise, type Row } from '@fastback/core'
import { userModels } from '@fastback/auth'
import type { FastifyRequest } from 'fastify'
import { InvalidToken } from '../errors.js'
import type { Provider } from '../provider.js'
import { isLive } from '../stores/tokens.js'

/** What stands on `request.accessToken`. `id` is that of the record, not the token. */
export class AccessToken {
  [property: string]: unknown
  readonly id: unknown
  readonly userId: unknown
  readonly appId: unknown
  readonly scopes: readonly string[]
  readonly issuedAt: unknown
  readonly expiresIn: unknown
  readonly expiredAt: unknown
  /** `USER`, or the name of the user model where there are several; undefined without a user. */
  readonly principalType: string | undefined
  readonly #implied: readonly string[]

  constructor (row: Readonly<Row>, principalType: string | undefined, implied: readonly string[]) {
    this.id = row.id
    this.userId = row.userId ?? undefined
    this.appId = row.appId ?? undefined
    this.scopes = Array.isArray(row.scopes) ? row.scopes as string[] : []
    this.issuedAt = row.issuedAt
    this.expiresIn = row.expiresIn
    this.expiredAt = row.expiredAt
    this.principalType = this.userId === undefined ? undefined : principalType
    this.#implied = implied
  }

  /** Scopes that count as given: methods that name none are open to OAuth tokens (O-195). */
  get impliedScopes (): readonly string[] {
    return this.#implied
  }
}

export interface Access {
  readonly accessToken: AccessToken
  /** Without the password. Undefined: a token of a client itself. */
  readonly user: Readonly<Row> | undefined
  readonly client: Readonly<Row>
}

const impliedByDefault = ['DEFAULT']

/** Looks tokens up. */
export class AccessCheck {
  readonly #implied: readonly string[]
  #principalType: string | undefined

  constructor (readonly provider: Provider) {
    this.#implied = provider.settings.impliedDefaultScope ? impliedByDefault : []
  }

  /** @throws InvalidToken */
  check (request: FastifyRequest, token: string): MaybePromise<Access> {
    const { settings: { checkAccessToken } } = this.provider
    if (checkAccessToken !== undefined) return this.#checkElsewhere(checkAccessToken(request, token))
    return chain(this.provider.tokens.find(token), row => {
      if (row === undefined || !isLive(row)) throw unusable()
      return this.#withParties(row)
    })
  }

  async #checkElsewhere (answer: Promise<{ accessToken: Row, user?: Row, client?: Row } | null | undefined>): Promise<Access> {
    const found = await answer
    if (found === null || found === undefined) throw unusable()
    return {
      accessToken: new AccessToken(found.accessToken, this.principalType, this.#implied),
      user: found.user,
      client: found.client ?? { id: found.accessToken.appId }
    }
  }

  /** A token whose user or client is gone is worth nothing (O-198). */
  #withParties (row: Row): MaybePromise<Access> {
    const { clients, users } = this.provider
    return chain(clients.recent(String(row.appId)), client => {
      if (client === undefined) throw unusable()
      const accessToken = new AccessToken(row, this.principalType, this.#implied)
      if (accessToken.userId === undefined) return { accessToken, user: undefined, client }
      return chain(users.recent(accessToken.userId), user => {
        if (user === undefined) throw unusable()
        const { password, ...shown } = user
        return { accessToken, user: shown, client }
      })
    })
  }

  get principalType (): string {
    const { registry, users } = this.provider
    return (this.#principalType ??= userModels(registry).length > 1 ? users.Model.modelName : 'USER')
  }
}

const unusable = (): InvalidToken => new InvalidToken('The token is unknown, has expired, or was revoked.')
