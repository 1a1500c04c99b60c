/** OpenID Connect and OAuth 2 through `openid-client` (LG-70 to LG-79). Loaded when an entry needs it. */
import * as oidc from 'openid-client'
import type { Entry } from '../entry.js'
import { scopeOf } from '../entry-values.js'
import { LoginFailure } from '../errors.js'
import { apiId, idOf, profileOf, type Profile } from '../profile.js'
import type { ProviderCredentials } from '../provider-credentials.js'
import { amrOf } from '../second-factor.js'
import type { State } from '../states.js'
import type { Visit } from '../visit.js'
import type { Proven, Redirecting, Started } from './kind.js'
import { OAuthServer, tolerance } from './oauth-server.js'

type Claims = Record<string, unknown>

/** Signatures that only the provider can make. */
const asymmetric = new Set(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'])
/** Parameters that the flow decides about. */
const owned = ['state', 'nonce', 'code_challenge', 'code_challenge_method', 'redirect_uri', 'response_type', 'client_id',
  'request', 'request_uri']

export class OAuthKind implements Redirecting {
  readonly #server: OAuthServer

  /** @throws FBK_LOGIN_INVALID_PROVIDER */
  constructor (readonly entry: Entry) {
    this.#server = new OAuthServer(entry)
  }

  get #isOpenId (): boolean {
    return this.#server.isOpenId
  }

  async begin (_visit: Visit, redirectUri: string): Promise<Started> {
    const config = await this.#server.config()
    const { entry } = this
    const verifier = entry.options.pkce === false ? undefined : oidc.randomPKCECodeVerifier()
    const nonce = this.#isOpenId ? oidc.randomNonce() : undefined
    const challenge = verifier === undefined ? undefined : await oidc.calculatePKCECodeChallenge(verifier)
    const parameters: Record<string, string> = {
      ...entry.preset?.parameters,
      ...textsOf(entry.options.authOptions),
      redirect_uri: redirectUri,
      ...(this.#scope === '' ? {} : { scope: this.#scope }),
      ...(nonce === undefined ? {} : { nonce }),
      ...(challenge === undefined ? {} : { code_challenge: challenge, code_challenge_method: 'S256' })
    }
    return {
      keep: { ...(verifier === undefined ? {} : { verifier }), ...(nonce === undefined ? {} : { nonce }) },
      address: state => oidc.buildAuthorizationUrl(config, { ...parameters, state }).href
    }
  }

  /** `openid` stands first; a preset's own scopes only where nothing is said (LG-27). */
  get #scope (): string {
    const { scope, preset, options } = this.entry
    const { authOptions } = options
    const inCall = authOptions !== null && typeof authOptions === 'object' ? scopeOf((authOptions as { scope?: unknown }).scope) : undefined
    const said = inCall ?? scope ?? preset?.scope ?? ''
    if (!this.#isOpenId) return said
    return ['openid', ...said.split(' ').filter(each => each !== '' && each !== 'openid')].join(' ')
  }

  async finish (_visit: Visit, parameters: URLSearchParams, state: State): Promise<Proven> {
    if (parameters.has('error')) {
      throw parameters.get('error') === 'access_denied'
        ? new LoginFailure('ACCESS_DENIED', 'the provider says that the user refused')
        : new LoginFailure('PROVIDER_ERROR', 'the provider answered with an error')
    }
    for (const name of ['code', 'state', 'iss', 'id_token']) {
      if (parameters.getAll(name).length > 1) throw new LoginFailure('PROVIDER_ERROR', `"${name}" came twice`)
    }
    const config = await this.#server.config()
    const current = new URL(state.redirectUri)
    for (const name of ['code', 'state', 'iss']) {
      const value = parameters.get(name)
      if (value !== null) current.searchParams.set(name, value)
    }
    this.#checkIssuer(config, current.searchParams)
    const tokens = await oidc.authorizationCodeGrant(config, current, {
      expectedState: parameters.get('state') as string,
      ...(state.verifier === undefined ? {} : { pkceCodeVerifier: state.verifier }),
      ...(state.nonce === undefined ? {} : { expectedNonce: state.nonce }),
      idTokenExpected: this.#isOpenId
    })
    const credentials = { ...credentialsOf(tokens) }
    if (!this.#isOpenId) return { profile: await this.#apiProfile(config, tokens.access_token), credentials }
    const claims = this.#checkedClaims(tokens)
    const info = config.serverMetadata().userinfo_endpoint === undefined
      ? {}
      : await oidc.fetchUserInfo(config, tokens.access_token, claims.sub as string)
    const id = claims.sub ?? claims.oid
    const all = joinedClaims(claims, withoutProtocol(info as Claims), this.entry.preset?.verifiedClaim)
    const profile = profileOf(this.entry.provider, id, all, this.entry.preset)
    return { profile, credentials, idToken: tokens.id_token as string, amr: amrOf(claims) }
  }

  /**
   * Without metadata of the provider, an issuer in the response must at least be where the browser was sent (LG-74).
   */
  #checkIssuer (config: oidc.Configuration, parameters: URLSearchParams): void {
    const iss = parameters.get('iss')
    if (this.#isOpenId || this.entry.preset?.issuer !== undefined || iss === null) return
    const { authorization_endpoint: authorization } = config.serverMetadata()
    if (!URL.canParse(iss) || new URL(iss).origin !== new URL(authorization as string).origin) {
      throw new LoginFailure('PROVIDER_ERROR', 'the response is of another issuer')
    }
    parameters.delete('iss')
  }

  /** What the library leaves open: which algorithms count, whom the token is for, and when it was made (LG-73). */
  #checkedClaims (tokens: oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers): Claims {
    const refuse = (what: string): never => { throw new LoginFailure('PROVIDER_ERROR', `the id_token: ${what}`) }
    const claims = tokens.claims() as Claims | undefined
    if (claims === undefined || tokens.id_token === undefined) return refuse('there is none')
    const header = JSON.parse(Buffer.from(tokens.id_token.split('.')[0] as string, 'base64url').toString()) as { alg?: unknown }
    if (typeof header.alg !== 'string' || !asymmetric.has(header.alg)) refuse('not signed by a key of its own')
    const audience = [claims.aud].flat()
    if (!audience.includes(this.entry.clientID)) refuse('for another client')
    if (claims.azp === undefined ? audience.length > 1 : claims.azp !== this.entry.clientID) refuse('given to another client')
    if (typeof claims.iat !== 'number' || claims.iat > Date.now() / 1000 + tolerance) refuse('made in the future')
    return claims
  }

  async #apiProfile (config: oidc.Configuration, accessToken: string): Promise<Profile> {
    const { preset, provider, options } = this.entry
    if (typeof options.profile === 'function') {
      const made = await (options.profile as (token: string) => unknown)(accessToken) as Claims
      return { ...made, ...profileOf(provider, made?.id, made ?? {}, preset) }
    }
    if (preset?.isDescribed === true) return await this.#introspected(config, accessToken)
    const answer = await this.#get(config, preset?.userInfoURL as string, accessToken)
    if (answer === null || typeof answer !== 'object' || Array.isArray(answer)) {
      throw new LoginFailure('PROFILE_INVALID', 'the profile is no object')
    }
    const claims = answer as Claims
    const emails = preset?.emailsURL === undefined
      ? undefined
      : addressesOf(await this.#get(config, preset.emailsURL, accessToken))
    return profileOf(provider, apiId(claims), claims, preset, emails)
  }

  /** Whose the token is, and what it may; more of the person where an entry says where to ask (`{sub}` is the id). */
  async #introspected (config: oidc.Configuration, accessToken: string): Promise<Profile> {
    const { preset, provider, clientID } = this.entry
    const { active, sub, username, scope, client_id: client } = await oidc.tokenIntrospection(config, accessToken)
    if (!active || client !== clientID) throw new LoginFailure('PROVIDER_ERROR', 'the token is not ours')
    const id = idOf(sub)
    const address = preset?.userInfoURL?.replace('{sub}', encodeURIComponent(id))
    const more = address === undefined ? {} : await this.#get(config, address, accessToken) as Claims | null
    if (String(more?.id ?? more?.sub ?? id) !== id) throw new LoginFailure('PROVIDER_ERROR', 'the profile is somebody else\'s')
    return profileOf(provider, id, { ...more, sub: id, username, scope }, preset)
  }

  async #get (config: oidc.Configuration, address: string, accessToken: string): Promise<unknown> {
    const headers = new Headers({ accept: 'application/json', 'user-agent': 'fastback' })
    const response = await oidc.fetchProtectedResource(config, accessToken, new URL(address), 'GET', undefined, headers)
    if (response.status !== 200) throw new LoginFailure('PROVIDER_ERROR', `the profile was answered with ${response.status}`)
    return await response.json() as unknown
  }

  async endSession (idToken: string | undefined, backTo: string): Promise<string | undefined> {
    const config = await this.#server.config()
    if (config.serverMetadata().end_session_endpoint === undefined) return undefined
    return oidc.buildEndSessionUrl(config, {
      post_logout_redirect_uri: backTo, ...(idToken === undefined ? {} : { id_token_hint: idToken })
    }).href
  }

  async refresh (refreshToken: string, id: string): Promise<ProviderCredentials> {
    const tokens = await oidc.refreshTokenGrant(await this.#server.config(), refreshToken)
    const { sub, oid } = (tokens.claims() ?? {}) as Claims
    if ((sub ?? oid ?? id) !== id) throw new LoginFailure('PROVIDER_ERROR', 'the new tokens are somebody else\'s')
    return { refreshToken, ...credentialsOf(tokens) }
  }
}

function credentialsOf (tokens: oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers): ProviderCredentials {
  const seconds = tokens.expiresIn()
  return {
    accessToken: tokens.access_token,
    ...(tokens.refresh_token === undefined ? {} : { refreshToken: tokens.refresh_token }),
    ...(seconds === undefined ? {} : { expiresAt: new Date(Date.now() + seconds * 1000).toISOString() })
  }
}

function textsOf (given: unknown): Record<string, string> {
  if (given === null || typeof given !== 'object') return {}
  return Object.fromEntries(Object.entries(given)
    .filter(([key, value]) => !owned.includes(key) && key !== 'scope' && ['string', 'number', 'boolean'].includes(typeof value))
    .filter(([key]) => !['session', 'successRedirect', 'failureRedirect', 'failureFlash'].includes(key))
    .map(([key, value]) => [key, String(value)]))
}

const protocolClaims = ['iss', 'aud', 'exp', 'iat', 'nonce', 'azp', 'at_hash', 'sub']
const withoutProtocol = (claims: Claims): Claims =>
  Object.fromEntries(Object.entries(claims).filter(([key]) => !protocolClaims.includes(key)))

/** What the id_token proves of its address says nothing of another one that userinfo has (security.md, S-152). */
function joinedClaims (claims: Claims, info: Claims, proof = 'email_verified'): Claims {
  const all = { ...claims, ...info }
  const isOther = info.email !== undefined && info.email !== claims.email
  if (isOther && info[proof] === undefined) Reflect.deleteProperty(all, proof)
  return all
}

/** The list of an account's addresses, the first of them the one to write to. */
function addressesOf (answer: unknown): Profile['emails'] {
  if (!Array.isArray(answer)) return undefined
  return (answer as Array<{ email?: unknown, primary?: unknown, verified?: unknown } | null>)
    .filter(each => typeof each?.email === 'string')
    .sort((a, b) => Number(b?.primary === true) - Number(a?.primary === true))
    .map(each => ({ value: each?.email as string, verified: each?.verified === true }))
}
