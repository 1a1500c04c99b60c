/** OpenID Connect: what the endpoints share where the option `openid` is on. Loaded then only. */
import type { Row } from '@fastback/core'
import type { AuthorizationRequest } from '../checks/authorization-request.js'
import { mayUse, type Client } from '../clients/client.js'
import { InvalidOptionsError, InvalidRequest } from '../errors.js'
import type { Parameters } from '../http/parameters.js'
import type { Provider } from '../provider.js'
import type { Remembered, SessionData } from '../session/sessions.js'
import { Claims } from './claims.js'
import type { OpenIdContext } from './context.js'
import { IdTokens } from './id-tokens.js'
import { interactionOf, type InteractionRequest } from './interaction/interaction-request.js'
import { acrOf } from './interaction/levels.js'
import { KeyRows } from './key-rows.js'
import { Logins } from './logins.js'
import { openIdMetadata } from './metadata.js'
import type { OpenIdSettings } from './options.js'
import {
  isOpenIdRequest, loginHint, readOpenIdRequest, requireRedirectUri, withoutOfflineAccess, type OpenIdRequest
} from './request.js'
import { SigningKeys } from './signing-keys.js'
import { Subjects } from './subject.js'
import { NotOwnTokenError, type OwnClaims } from './verify-own.js'

/** Seconds that a logout token lives (OI-131). */
const logoutTokenTTL = 120

export class OpenId {
  readonly keys: SigningKeys
  readonly idTokens: IdTokens
  readonly claims: Claims
  readonly subjects: Subjects
  readonly logins: Logins

  constructor (readonly provider: Provider, readonly settings: OpenIdSettings) {
    const { Key, User } = provider.models
    if (Key === undefined) throw new InvalidOptionsError('the model "OAuthKey" is not attached.')
    this.keys = new SigningKeys(new KeyRows(Key), {
      ...settings.keys,
      algorithms: settings.signingAlgorithms,
      longestToken: Math.max(settings.idTokenTTL, logoutTokenTTL, provider.settings.jwtTokens?.longest ?? 0)
    })
    this.idTokens = new IdTokens(this.keys, settings)
    this.claims = new Claims(User, settings)
    this.subjects = new Subjects(settings)
    this.logins = new Logins(this)
  }

  /** @throws InvalidRequest to be shown (OI-51) */
  checkTarget (parameters: Parameters): void {
    if (isOpenIdRequest(parameters, this.provider.settings.defaultScopes)) requireRedirectUri(parameters)
  }

  /**
   * An authorization request that was checked, with what makes it an openid request; others as they are.
   *
   * ```js
   * const asked = await openId.read(parameters, client, checkAuthorizationRequest(…), issuer)
   * ```
   * @throws OAuthError to be sent to the redirect URI
   */
  async read (
    parameters: Parameters, client: Client, asked: AuthorizationRequest, issuer: string
  ): Promise<AuthorizationRequest> {
    if (!asked.scopes.includes('openid')) return asked
    const openId = readOpenIdRequest(parameters, this.claims, asked.scopes)
    if (!client.isPublic && asked.codeChallenge === undefined && openId.nonce === undefined) {
      this.provider.warnOnce(
        `openid ${client.id}`,
        `OAuth: the client "${client.id}" sends neither a code_challenge nor a nonce; its codes can be injected (RFC 9700)`
      )
    }
    // Without refreshes there is nothing to do while the user is away (OI-63).
    const scopes = this.#mayRefresh(client) ? asked.scopes : withoutOfflineAccess(asked.scopes)
    const interaction = await this.#interactionOf(parameters, client, openId, issuer)
    return { ...asked, scopes, openId, interaction }
  }

  async #interactionOf (
    parameters: Parameters, client: Client, { claims: { acr, subjects } }: OpenIdRequest, issuer: string
  ): Promise<InteractionRequest> {
    const token = parameters.get('id_token_hint')
    const hint = token === undefined ? undefined : await this.readHint(token, { issuer, audience: client.id })
    const { registrationPage } = this.settings
    return interactionOf(parameters, client, {
      canRegister: registrationPage !== undefined,
      digest: this.provider.states.digest,
      acr,
      // Who is meant by both is meant by each.
      subjects: hint === undefined ? subjects : subjects?.filter(sub => sub === hint.sub) ?? [hint.sub]
    })
  }

  /**
   * What an id_token of ours says that a client sends back, however old it is (OI-99, OI-125).
   * @param audience id of the client; undefined: any
   * @throws InvalidRequest for everything else
   */
  async readHint (
    token: string, expected: { readonly issuer: string, readonly audience?: string }
  ): Promise<OwnClaims> {
    try {
      return await this.idTokens.verify(token, expected)
    } catch (error) {
      if (!(error instanceof NotOwnTokenError)) throw error
      throw new InvalidRequest('The id_token_hint is not valid.', error.message)
    }
  }

  #mayRefresh (client: Client): boolean {
    return this.provider.settings.grants.has('refresh_token') && mayUse(client, 'refresh_token')
  }

  /**
   * What is written with the code of a request; undefined for one without `openid`.
   * @throws ServerError when the user has no name for the client (OI-70)
   */
  contextOf (
    { openId, scopes }: Pick<AuthorizationRequest, 'openId' | 'scopes'>, session: SessionData, client: Client, user: Readonly<Row>
  ): OpenIdContext | undefined {
    if (openId === undefined || !scopes.includes('openid')) return undefined
    this.subjects.of(client, this.provider.users.idOf(user))
    const { nonce, named, claims: { idToken, userinfo } } = openId
    return {
      ...(nonce === undefined ? {} : { nonce }),
      authTime: session.authTime as number,
      acr: acrOf(this.settings.acrValues, session.amr),
      amr: session.amr ?? ['pwd'],
      sid: session.sid as string,
      ...(idToken.length === 0 ? {} : { idToken }),
      ...(userinfo.length === 0 ? {} : { userinfo }),
      ...(named.length === 0 ? {} : { named })
    }
  }

  /** The claims that a grant gives by name at one response: of those that were asked for, what was consented to. */
  #grantedByName (asked: readonly string[] = [], context: OpenIdContext, scopes: readonly string[]): readonly string[] {
    if (asked.length === 0) return asked
    const allowed = [...this.claims.ofScopes(scopes), ...context.named ?? []]
    return asked.filter(claim => allowed.includes(claim))
  }

  /** The id_token beside an access token. */
  async idTokenFor (grant: {
    readonly issuer: string
    readonly client: Client
    readonly user: Readonly<Row>
    readonly context: OpenIdContext
    readonly scopes: readonly string[]
    readonly accessToken: string
  }): Promise<string> {
    const { issuer, client, user, context, scopes, accessToken } = grant
    const names = this.#grantedByName(context.idToken, context, scopes)
    return await this.idTokens.issue({
      issuer,
      client,
      context,
      accessToken,
      subject: this.subjects.of(client, this.provider.users.idOf(user)),
      claims: await this.claims.valuesOf(user, names, { clientId: client.id, scopes })
    })
  }

  /** What userinfo says of a user (OI-76). */
  async userinfo (grant: {
    readonly client: Client
    readonly user: Readonly<Row>
    readonly context: OpenIdContext | undefined
    readonly scopes: readonly string[]
  }): Promise<Record<string, unknown>> {
    const { client, user, context, scopes } = grant
    const byName = context === undefined ? [] : this.#grantedByName(context.userinfo, context, scopes)
    const names = [...this.claims.ofScopes(scopes), ...byName]
    return {
      ...await this.claims.valuesOf(user, names, { clientId: client.id, scopes }),
      sub: this.subjects.of(client, this.provider.users.idOf(user))
    }
  }

  /** What a pairwise client reads of the owner of its tokens: a name would say who it is. */
  ownerFor (client: Client, userId: unknown): { sub: string, username: undefined } | undefined {
    return this.subjects.isPairwise(client) ? { sub: this.subjects.of(client, userId), username: undefined } : undefined
  }

  /** What the login page writes into the field of the name, of the request that waits (OI-54). */
  loginHintOf (pending: Remembered | undefined): string | undefined {
    const isOpenId = pending?.scope?.split(' ').includes('openid') === true
    return isOpenId ? loginHint(pending.login_hint) : undefined
  }

  /** What is added to the metadata of the server. */
  metadata (issuer: string, scopes: readonly string[]): Record<string, unknown> {
    const { provider: { settings: server }, settings, claims } = this
    return openIdMetadata({ server, settings, claims }, issuer, scopes)
  }

  /** Whether a grant with these scopes comes with a refresh token (OI-63). */
  isRefreshable (scopes: readonly string[]): boolean {
    return !this.settings.offlineAccess || !scopes.includes('openid') || scopes.includes('offline_access')
  }
}
