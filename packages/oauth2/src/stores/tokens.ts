/** Access and refresh tokens. One record holds both of a pair; texts are never stored, only their digests. */
import type { MaybePromise, ModelClass, Row } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import { findOneRow, findRowById, findRows, insertRow, updateRows } from '@fastback/core/remote'
import { withoutSecrets, type Client } from '../clients/client.js'
import { RandomTexts, withDigest, type Digest } from '../digest.js'
import { InvalidGrant, WeakTokenError } from '../errors.js'
import { grantWords, type GrantType } from '../grant-types.js'
import type { JwtTokens } from '../jwt-tokens/jwt-tokens.js'
import { longestGrant, type Lifetime } from '../lifetimes.js'
import type { GenerateToken, TokenRequest } from '../settings.js'
import { ended, type Grants } from './grants.js'

const quiet = { notify: false }

/** What a token is issued for. */
export interface Issue {
  readonly client: Client
  /** Undefined: a token of the client itself. */
  readonly user: Readonly<Row> | undefined
  readonly userId: unknown
  readonly scopes: readonly string[]
  readonly grantType: GrantType
  readonly refreshable: boolean
  /** The authorization that the token came of; default: a new one when there is a refresh token, else none. */
  readonly grantId?: string
  /** What the grant covers, when that is more than `scopes`. */
  readonly originalScopes?: readonly string[]
  /** End of the grant; default: 90 days from now. */
  readonly grantExpiredAt?: Date
  readonly code?: string
  readonly codeId?: string
  readonly redirectURI?: string | undefined
  readonly claims?: object
  /** What later tokens of the grant are told besides. */
  readonly parameters?: ReadonlyArray<{ readonly name: string, readonly value: string }>
  /**
   * Whether what the token came of is good still, asked when the token has been stored. Default: the user has the
   * credentials of when the row was read.
   */
  readonly holds?: () => Promise<boolean>
  /** Thumbprint of the key that the token is bound to (RFC 9449). */
  readonly jkt?: string
  /** Whom the token is for; none: this server. */
  readonly audience?: readonly string[]
  /** Who this server is, for tokens that say it. */
  readonly issuer: string
}

export interface Issued {
  readonly accessToken: string
  readonly refreshToken: string | undefined
  /** Seconds. */
  readonly expiresIn: number
  readonly scopes: readonly string[]
  /** Members that `generateToken` adds to the response. */
  readonly extra: Readonly<Record<string, unknown>>
  readonly tokenType: 'Bearer' | 'DPoP'
  readonly idToken?: string
}

export interface TokenStoreOptions {
  readonly digest: Digest
  readonly lifetime: Lifetime
  readonly grants: Grants
  /** Whether a user still has the credentials of when the row was read. */
  readonly isAsItWas: (user: Readonly<Row>) => Promise<boolean>
  readonly generateToken: GenerateToken | undefined
  /** Seconds. */
  readonly refreshTokenGrace: number
  /** Throws where a client's tokens must be bound to a key, and are not. */
  readonly mayBeUnbound: (client: Client, jkt: string | undefined) => void
  /** What makes the text of an access token that is a JWT; undefined: it is opaque. */
  readonly jwtFor: (client: Client, audience: readonly string[]) => JwtTokens | undefined
  /** Seconds that a token for these lives at most. */
  readonly longestFor: (audience: readonly string[]) => number
}

export class Tokens {
  readonly #texts = new RandomTexts()

  constructor (
    readonly Model: ModelClass,
    readonly options: TokenStoreOptions
  ) {}

  /** @throws InvalidGrant when the user's credentials changed meanwhile */
  async issue (issue: Issue): Promise<Issued> {
    const { digest, lifetime, grants, isAsItWas } = this.options
    const { client, user, scopes, grantType, refreshable, jkt, audience = [] } = issue
    this.options.mayBeUnbound(client, jkt)
    const grantId = issue.grantId ?? (refreshable ? this.#texts.next() : undefined)
    const jwt = this.options.jwtFor(client, audience)
    const expiresIn = Math.min(
      lifetime('token', client.id, user, scopes, grantType), this.options.longestFor(audience), jwt?.settings.longest ?? Infinity
    )
    const { text: accessToken, extra } = jwt === undefined
      ? await this.#generate(issue)
      : { text: await jwt.make(issue, expiresIn), extra: {} }
    const refresh = refreshable ? await this.#generate(issue, { refreshToken: true }) : undefined
    const now = Date.now()
    const grantExpiredAt = issue.grantExpiredAt ?? new Date(now + longestGrant * 1000)
    const refreshEnd = Math.min(
      now + lifetime('refreshToken', client.id, user, scopes, grantType) * 1000,
      grantExpiredAt.getTime()
    )
    const tokenType = jkt === undefined ? 'Bearer' : 'DPoP'
    const row: Row = {
      id: digest(accessToken),
      appId: client.id,
      ...(issue.userId === undefined ? {} : { userId: issue.userId }),
      issuedAt: new Date(now),
      expiresIn,
      expiredAt: new Date(now + expiresIn * 1000),
      scopes,
      tokenType,
      ...(jkt === undefined ? {} : { jkt }),
      ...(audience.length === 0 ? {} : { resource: audience }),
      ...(grantId === undefined ? {} : { grantId }),
      ...(issue.codeId === undefined ? {} : { authorizationCode: issue.codeId }),
      ...(issue.parameters === undefined ? {} : { parameters: issue.parameters }),
      ...(refresh === undefined
        ? {}
        : {
            refreshToken: digest(refresh.text),
            refreshTokenExpiredAt: new Date(refreshEnd),
            originalScopes: issue.originalScopes ?? scopes,
            grantExpiredAt
          })
    }
    await insertRow(this.Model.compiled, row)
    // Whoever revoked the grant meanwhile may not have seen this token.
    if (grantId !== undefined && (await grants.isRevoked(grantId))) await this.revokePair(row.id as string)
    // Nor may whoever ended what the user had given out.
    const holds = issue.holds ?? (user === undefined ? undefined : () => isAsItWas(user))
    if (holds !== undefined && !(await holds())) {
      await this.revokePair(row.id as string)
      // Of two refreshes at once one is answered, as ever (O-129), though nothing comes of it.
      if (issue.holds === undefined) throw new InvalidGrant('The credentials of the user have changed.')
    }
    return { accessToken, refreshToken: refresh?.text, expiresIn, scopes, extra, tokenType }
  }

  /** The record of an access token. */
  find (text: string): MaybePromise<TokenRecord | undefined> {
    const id = this.options.digest(text)
    return chain(findRowById(this.Model.compiled, id, undefined, quiet), row =>
      withDigest(row, 'id', id) as TokenRecord | undefined)
  }

  /** Whether the access token of a record is good now. */
  async holds (id: unknown): Promise<boolean> {
    const row = await findRowById(this.Model.compiled, id, undefined, quiet)
    return row !== undefined && isLive(row)
  }

  /** Clients that have a token of a user which is good now, or can be refreshed. */
  async liveOf (userId: unknown): Promise<Array<{ readonly appId: string, readonly scopes: readonly string[] }>> {
    const future = { gt: new Date() }
    const rows: Row[] = await findRows(this.Model.compiled, {
      where: {
        userId, revoked: false,
        or: [{ expiredAt: future }, { refreshTokenSpent: false, refreshTokenExpiredAt: future }]
      },
      fields: ['appId', 'scopes']
    }, quiet)
    return rows.map(({ appId, scopes }) => ({ appId: String(appId), scopes: scopes as string[] }))
  }

  /** The record of a refresh token. */
  findRefresh (text: string): MaybePromise<Row | undefined> {
    const refreshToken = this.options.digest(text)
    return chain(findOneRow(this.Model.compiled, { where: { refreshToken } }, quiet), row =>
      withDigest(row, 'refreshToken', refreshToken)
    )
  }

  /** Whether a refresh token was ended, and not just used up by its client. */
  async isEnded (id: unknown): Promise<boolean> {
    const row = await findRowById(this.Model.compiled, id, undefined, quiet)
    return row === undefined || (row.refreshTokenSpent === true && !(row.refreshTokenSpentAt instanceof Date))
  }

  /** Uses a refresh token up: true for one caller only. */
  async spend (id: unknown): Promise<boolean> {
    const changes = { refreshTokenSpent: true, refreshTokenSpentAt: new Date() }
    const { count } = await updateRows(this.Model.compiled, { id, refreshTokenSpent: false }, changes, quiet)
    return count === 1
  }

  /**
   * Whether a spent refresh token may be presented once more: its response may have been lost, or another part of the
   * client was as quick.
   */
  isForgiven (row: Row): boolean {
    const { refreshTokenGrace } = this.options
    return (
      refreshTokenGrace > 0 &&
      row.refreshTokenSpentAt instanceof Date &&
      row.refreshTokenSpentAt.getTime() + refreshTokenGrace * 1000 > Date.now()
    )
  }

  /** Ends one access token; a refresh token beside it lives on. */
  async revoke (id: unknown): Promise<void> {
    await updateRows(this.Model.compiled, { id }, { revoked: true }, quiet)
  }

  async revokePair (id: string): Promise<void> {
    await updateRows(this.Model.compiled, { id }, ended, quiet)
  }

  #generate (
    issue: Issue,
    more?: { refreshToken: true }
  ): MaybePromise<{ text: string; extra: Record<string, unknown> }> {
    const { generateToken } = this.options
    if (generateToken === undefined) return { text: this.#texts.next(), extra: {} }
    return chain(generateToken({ ...tokenRequest(issue), ...more }), made => {
      const { id, ...extra } = typeof made === 'string' ? { id: made } : made
      if (typeof id !== 'string' || id.length < 22) throw new WeakTokenError()
      return { text: id, extra }
    })
  }
}

const tokenRequest = ({ client, user, scopes, grantType, code, redirectURI, claims }: Issue): TokenRequest => ({
  grant: grantWords[grantType],
  client: withoutSecrets(client),
  user: withoutPassword(user),
  scope: scopes,
  code,
  redirectURI,
  claims
})

function withoutPassword (user: Readonly<Row> | undefined): Row | undefined {
  if (user === undefined) return undefined
  const { password, ...shown } = user
  return shown
}

/** Whether an access token is good now. */
/** A token that was given to a program. */
export interface TokenRecord extends Row {
  readonly id: string
  /** The client application. */
  readonly appId: string
  readonly userId?: unknown
  readonly scopes: string[]
  readonly issuedAt: Date
  /** Seconds. */
  readonly expiresIn: number
  readonly expiredAt: Date
  readonly revoked: boolean
}

export const isLive = (row: Row): boolean => row.revoked !== true && (row.expiredAt as Date).getTime() > Date.now()

/** Whether a refresh token is good now. */
export const isRefreshable = (row: Row): boolean => row.refreshTokenSpent !== true && !isPastRefresh(row)

/** Whether a refresh token has expired. */
export const isPastRefresh = (row: Row): boolean => (row.refreshTokenExpiredAt as Date).getTime() <= Date.now()
