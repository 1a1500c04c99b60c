/**
 * One token request, as the engine (`node-oauth2-server`) asks for its parts. The engine parses and runs the grants;
 * what single use, families, scopes and redirect URIs need is decided here.
 */
import { keepsLogins } from '@fastback/auth/service'
import type { Row } from '@fastback/core'
import type { FastifyRequest } from 'fastify'
import type OAuth2Server from 'node-oauth2-server'
import { isProof } from '../checks/pkce.js'
import { checkScope, covers, parseScope } from '../checks/scope.js'
import { mayUse, type Client } from '../clients/client.js'
import { InvalidGrant, InvalidScope, ServerError } from '../errors.js'
import type { GrantType } from '../grant-types.js'
import type { Parameters } from '../http/parameters.js'
import { loginIn, storedLogin, type LoginFacts } from '../session/login-facts.js'
import { contextOf, storedContext, withoutNonce, type OpenIdContext } from '../openid/context.js'
import type { Provider } from '../provider.js'
import { checkBoundKey, checkNamedKey } from '../dpop/bound.js'
import { resourcesIn } from '../resource/indicators.js'
import { isPastRefresh, type Issue, type Issued } from '../stores/tokens.js'
import { authenticateUser } from './authenticate-user.js'
import { targeted, type Wishes } from './wishes.js'

type Person = OAuth2Server.User & { readonly row: Row | undefined }

/** The engine wants a user for every token. */
const nobody: Person = { row: undefined }

export class TokenRequestModel
implements OAuth2Server.AuthorizationCodeModel, OAuth2Server.PasswordModel, OAuth2Server.RefreshTokenModel {
  /** What was issued. */
  issued: Issued | undefined
  /** What the grant found out, for the token. */
  #more: Partial<Issue> = {}
  /** What an id_token says, where the grant gives one. */
  #openId: OpenIdContext | undefined
  /** The login that the grant stands on, where that is told to tokens. */
  #login: LoginFacts | undefined
  /** Resources that the grant is for; undefined: those that the request names. */
  #authorized: readonly string[] | undefined

  constructor (
    readonly provider: Provider,
    readonly request: FastifyRequest,
    readonly client: Client,
    readonly grantType: GrantType,
    readonly body: Parameters,
    readonly wishes: Wishes
  ) {}

  get engineClient (): OAuth2Server.Client {
    return { id: this.client.id, grants: [this.grantType], client: this.client }
  }

  /**
   * The client has authenticated before the engine is asked: it is never looked up by what the engine makes of the
   * request.
   */
  async getClient (id: string): Promise<OAuth2Server.Client | undefined> {
    return id === this.client.id ? this.engineClient : undefined
  }

  // ----- authorization code

  async getAuthorizationCode (text: string): Promise<OAuth2Server.AuthorizationCode | undefined> {
    const { codes, grants, users } = this.provider
    const row = await codes.find(text)
    if (row === undefined) return undefined
    if (row.used === true) {
      await grants.revoke(String(row.grantId))
      return undefined
    }
    if ((row.expiredAt as Date).getTime() <= Date.now()) return undefined
    const user = row.appId === this.client.id ? await users.byId(row.userId) : nobody
    if (user === undefined) return undefined
    return {
      authorizationCode: text,
      expiresAt: row.expiredAt as Date,
      redirectUri: '',
      scope: row.scopes as string[],
      client: { id: String(row.appId), grants: [] },
      user: { row: user },
      stored: row
    }
  }

  /**
   * Uses the code up, then compares: who fails here does not get another try. Returns the code without what the engine
   * would compare its own way.
   */
  async revokeAuthorizationCode (code: OAuth2Server.AuthorizationCode): Promise<boolean> {
    const { codes, grants } = this.provider
    const row = code.stored as Row
    if (!(await codes.spend(row.id))) {
      await grants.revoke(String(row.grantId))
      return false
    }
    const redirectUri = this.body.get('redirect_uri')
    const given = row.redirectURIGiven === true
    if (given ? redirectUri !== row.redirectURI : redirectUri !== undefined && redirectUri !== row.redirectURI) {
      throw new InvalidGrant('The redirect_uri is not the one of the authorization request.')
    }
    if (!isProof(this.body.get('code_verifier'), (row.codeChallenge ?? undefined) as string | undefined)) {
      throw new InvalidGrant('The code_verifier does not fit the authorization request.')
    }
    checkNamedKey(row, this.wishes.jkt)
    this.#openId = contextOf(row)
    this.#login = loginIn(row)
    this.#authorized = resourcesIn(row)
    this.#more = {
      grantId: String(row.grantId),
      code: code.authorizationCode,
      codeId: String(row.id),
      redirectURI: row.redirectURI as string,
      holds: async () => (await codes.find(code.authorizationCode)) !== undefined
    }
    // The engine would compare the verifier with it once more; it was compared just now.
    code.codeChallenge = row.codeChallenge as string
    code.codeChallengeMethod = 'S256'
    return true
  }

  async saveAuthorizationCode (): Promise<never> {
    throw new ServerError('Codes are issued at the authorization endpoint.')
  }

  // ----- refresh token

  async getRefreshToken (text: string): Promise<OAuth2Server.RefreshToken | undefined> {
    const { tokens, grants, users } = this.provider
    const row = await tokens.findRefresh(text)
    if (row === undefined || row.appId !== this.client.id) return undefined
    if (this.client.isPublic) checkBoundKey(row, this.wishes.jkt)
    if (row.refreshTokenSpent === true && !tokens.isForgiven(row)) {
      await grants.revoke(String(row.grantId))
      return undefined
    }
    if (isPastRefresh(row) || (await grants.isRevoked(String(row.grantId)))) return undefined
    const user = row.userId === undefined || row.userId === null ? nobody : await users.byId(row.userId)
    if (user === undefined) return undefined
    const original = row.originalScopes as string[]
    const asked = parseScope(this.body.get('scope'))
    if (asked !== undefined && !covers(original, asked)) {
      throw new InvalidScope('The scope is wider than that of the refresh token.')
    }
    this.#openId = contextOf(row)
    this.#login = loginIn(row)
    this.#authorized = resourcesIn(row)
    this.#more = {
      grantId: String(row.grantId),
      originalScopes: original,
      grantExpiredAt: row.grantExpiredAt as Date,
      holds: async () => !(await tokens.isEnded(row.id))
    }
    return {
      refreshToken: text,
      scope: original,
      client: { id: this.client.id, grants: [] },
      user: user === nobody ? nobody : { row: user },
      stored: row
    }
  }

  async revokeToken (token: OAuth2Server.RefreshToken): Promise<boolean> {
    const { tokens, grants } = this.provider
    const row = token.stored as Row
    if (await tokens.spend(row.id)) return true
    // Spent before this request, or by one that was quicker.
    const spent = await tokens.findRefresh(token.refreshToken)
    if (spent !== undefined && tokens.isForgiven(spent)) return true
    await grants.revoke(String(row.grantId))
    return false
  }

  // ----- password

  async getUser (name: string, password: string): Promise<Person | undefined> {
    const user = await authenticateUser(this.provider, this.request, name, password)
    // A password alone is not enough for those who have a second factor, or must have one (OI-217).
    if (user === undefined || await this.provider.users.needsMore(user)) return undefined
    if (keepsLogins(this.provider.registry)) this.#login = { amr: ['pwd'], authTime: Math.floor(Date.now() / 1000) }
    return { row: user }
  }

  // ----- all grants

  /** Codes bring scopes that were approved; the others ask for them. */
  async validateScope (_user: OAuth2Server.User, _client: OAuth2Server.Client, scope?: string[]): Promise<string[]> {
    if (this.grantType === 'authorization_code') return scope ?? []
    const scopes = this.#scopes(scope)
    return this.grantType === 'password' ? [...this.#withoutOpenId(scopes)] : [...scopes]
  }

  #scopes (scope: readonly string[] | undefined): readonly string[] {
    return checkScope(this.client, scope ?? parseScope(this.body.get('scope')), this.provider.settings.defaultScopes)
  }

  /** A password tells nobody at this server that its owner is there: no id_token comes of it (OI-61). */
  #withoutOpenId (scopes: readonly string[]): readonly string[] {
    if (this.provider.openId === undefined || !scopes.includes('openid')) return scopes
    if (parseScope(this.body.get('scope'))?.includes('openid') === true) {
      throw new InvalidScope('The scope openid is not given for a password.')
    }
    return scopes.filter(scope => scope !== 'openid')
  }

  /** The engine's own texts are not used: the store makes them, and knows the user's lifetimes. */
  async generateAccessToken (): Promise<string> {
    return 'unused'
  }

  async generateRefreshToken (): Promise<string> {
    return 'unused'
  }

  async saveToken (
    token: OAuth2Server.Token,
    client: OAuth2Server.Client,
    person: OAuth2Server.User
  ): Promise<OAuth2Server.Token> {
    const {
      provider: { tokens, users, settings, openId, issuerOf },
      grantType
    } = this
    const scopes = token.scope ?? []
    const user = (person as Person).row
    const context = openId === undefined ? undefined : this.#openId
    const parameters = context !== undefined
      ? storedContext(withoutNonce(context))
      : this.#login === undefined ? undefined : storedLogin(this.#login)
    const issued = await tokens.issue({
      client: this.client,
      user,
      userId: user === undefined ? undefined : users.idOf(user),
      grantType,
      // All grants that the engine runs come with a refresh token where that is allowed.
      refreshable: settings.grants.has('refresh_token') && mayUse(this.client, 'refresh_token') &&
        openId?.isRefreshable(this.#more.originalScopes ?? scopes) !== false,
      ...targeted(this.provider, this.wishes, scopes, this.#authorized, parameters),
      ...this.#more
    })
    const { accessToken } = issued
    // Nor may whoever confirmed a factor meanwhile have seen a token that was made without one.
    if (grantType === 'password' && user !== undefined && await users.needsMore(user)) {
      await tokens.revokePair(tokens.options.digest(accessToken))
      throw new InvalidGrant('The user has a second factor.')
    }
    this.issued = openId === undefined || context === undefined || user === undefined || !issued.scopes.includes('openid')
      ? issued
      : {
          ...issued,
          idToken: await openId.idTokenFor({
            issuer: issuerOf(this.request), client: this.client, user, context, scopes: issued.scopes, accessToken
          })
        }
    return { ...token, accessToken, client, user: person }
  }

  async getAccessToken (): Promise<undefined> {
    return undefined
  }
}
