/** The server behind an OpenID Connect or OAuth 2 entry: found by its own description, or written (LG-71, LG-79). */
import * as oidc from 'openid-client'
import type { Entry } from '../entry.js'
import { InvalidProviderError, LoginFailure } from '../errors.js'
import { boundedFetch, isAllowed } from './bounded-fetch.js'

const hour = 3_600_000
/** Seconds that clocks may differ. */
export const tolerance = 60

export class OAuthServer {
  #found: { config: oidc.Configuration, until: number } | undefined
  readonly #insecure: boolean

  /** @throws FBK_LOGIN_INVALID_PROVIDER */
  constructor (readonly entry: Entry) {
    const { name, preset, clientID, options } = entry
    this.#insecure = options.allowInsecure === true
    if (clientID === undefined) throw new InvalidProviderError(name, '"clientID" is missing.')
    if (this.#isFound) {
      if (preset?.issuer === undefined) throw new InvalidProviderError(name, '"issuer" is missing.')
      if (!this.isOpenId && entry.clientSecret === undefined) {
        throw new InvalidProviderError(name, '"clientSecret" is missing: it takes one to ask whose a token is.')
      }
    } else {
      for (const key of ['authorizationURL', 'tokenURL'] as const) {
        if (preset?.[key] === undefined) throw new InvalidProviderError(name, `"${key}" is missing.`)
      }
      if (preset?.userInfoURL === undefined && typeof options.profile !== 'function') {
        throw new InvalidProviderError(name, 'nothing says who logs in: give "userInfoURL", or "profile" in code.')
      }
    }
    for (const key of ['issuer', 'authorizationURL', 'tokenURL', 'userInfoURL', 'emailsURL'] as const) {
      const url = preset?.[key]
      if (url !== undefined && !isAllowed(url, this.#insecure)) {
        throw new InvalidProviderError(name, `"${key}" must be an https address ("allowInsecure" lets others be).`)
      }
    }
  }

  get isOpenId (): boolean {
    return this.entry.preset?.kind === 'oidc'
  }

  /** Whether the provider describes itself. */
  get #isFound (): boolean {
    return this.isOpenId || this.entry.preset?.isDescribed === true
  }

  /** What is known of it, asked for at most once an hour. */
  async config (): Promise<oidc.Configuration> {
    if (this.#found !== undefined && this.#found.until > Date.now()) return this.#found.config
    const config = this.#isFound ? await this.#discovered() : this.#written()
    this.#found = { config, until: Date.now() + hour }
    return config
  }

  get #client (): { id: string, metadata: Partial<oidc.ClientMetadata>, auth: oidc.ClientAuth } {
    const { clientID, clientSecret, options } = this.entry
    const auth = clientSecret === undefined
      ? oidc.None()
      : options.tokenEndpointAuthMethod === 'client_secret_basic'
        ? oidc.ClientSecretBasic(clientSecret)
        : oidc.ClientSecretPost(clientSecret)
    return { id: clientID as string, metadata: { [oidc.clockTolerance]: tolerance }, auth }
  }

  #isPlain (address: string): boolean {
    return new URL(address).protocol === 'http:'
  }

  async #discovered (): Promise<oidc.Configuration> {
    const { preset } = this.entry
    const { id, metadata, auth } = this.#client
    const issuer = preset?.issuer as string
    const config = await oidc.discovery(new URL(issuer), id, metadata, auth, {
      [oidc.customFetch]: boundedFetch(this.#insecure),
      timeout: 10,
      algorithm: this.isOpenId ? 'oidc' : 'oauth2',
      execute: this.#isPlain(issuer) ? [oidc.allowInsecureRequests] : []
    })
    const found = config.serverMetadata()
    const own = { ...found } as Record<string, unknown>
    for (const [key, name] of [
      ['authorizationURL', 'authorization_endpoint'], ['tokenURL', 'token_endpoint'], ['userInfoURL', 'userinfo_endpoint']
    ] as const) {
      const written = preset?.[key]
      if (written === undefined) continue
      const described = own[name]
      // An entry for one server that describes another is a mistake, or an attack (LG-71).
      if (typeof described === 'string' && new URL(described).origin !== new URL(written).origin) {
        throw new LoginFailure('PROVIDER_ERROR', `"${key}" is at another server than the issuer says`)
      }
      own[name] = written
    }
    for (const name of [
      'authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'jwks_uri', 'introspection_endpoint'
    ]) {
      const address = own[name]
      if (address !== undefined && !isAllowed(String(address), this.#insecure)) {
        throw new LoginFailure('PROVIDER_ERROR', `the issuer names a "${name}" without https`)
      }
    }
    return this.#prepared(own as unknown as oidc.ServerMetadata)
  }

  #written (): oidc.Configuration {
    const { preset } = this.entry
    const issuer = preset?.issuer ?? new URL(preset?.authorizationURL as string).origin
    return this.#prepared({
      issuer, authorization_endpoint: preset?.authorizationURL as string, token_endpoint: preset?.tokenURL as string
    })
  }

  #prepared (server: oidc.ServerMetadata): oidc.Configuration {
    const { id, metadata, auth } = this.#client
    const config = new oidc.Configuration(server, id, metadata, auth)
    config[oidc.customFetch] = boundedFetch(this.#insecure)
    config.timeout = 10
    const plain = [server.issuer, server.token_endpoint, server.introspection_endpoint, server.userinfo_endpoint,
      server.jwks_uri, this.entry.preset?.userInfoURL, this.entry.preset?.emailsURL]
      .some(address => address !== undefined && this.#isPlain(address))
    if (plain) oidc.allowInsecureRequests(config)
    // The signature counts, also where the token came over TLS.
    oidc.enableNonRepudiationChecks(config)
    return config
  }
}
