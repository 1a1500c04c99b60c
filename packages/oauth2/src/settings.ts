/** The options of a provider, complete. */
import type { FastifyRequest } from 'fastify'
import type { Row } from '@fastback/core'
import type { GrantType } from './grant-types.js'
import type { AuthenticateOptions } from './authenticate-options.js'
import type { FailureStore } from './failure-store.js'
import type { DpopSettings } from './dpop/options.js'
import type { JwtTokenSettings } from './jwt-tokens/options.js'
import type { OpenIdSettings } from './openid/options.js'
import type { Indicators } from './resource/indicator-options.js'
import type { DeviceSettings } from './device/options.js'
import type { PushedSettings } from './pushed/options.js'
import type { RegistrationSettings } from './registration/options.js'

export type TtlKind = 'code' | 'token' | 'refreshToken'

/** What `generateToken` is told. */
export interface TokenRequest {
  /**
   * `Authorization Code`, `Implicit`, `Client Credentials`, `Resource Owner Password Credentials`, `Refresh Token`,
   * `JWT`, `Device Code`.
   */
  readonly grant: string
  readonly client: Readonly<Row>
  /** Undefined for tokens of a client itself. */
  readonly user: Readonly<Row> | undefined
  readonly scope: readonly string[]
  readonly code?: string | undefined
  readonly redirectURI?: string | undefined
  /** Claims of the assertion of the JWT bearer grant. */
  readonly claims?: object | undefined
  /** True when the text of a refresh token is asked for. */
  readonly refreshToken?: true
}

type Text = string | { id: string, [member: string]: unknown }
export type GenerateToken = (options: TokenRequest) => Text | Promise<Text>

/** Seconds; anything but a positive whole number means the default. */
export type GetTtl = (
  kind: TtlKind, clientId: string, resourceOwner: unknown, scopes: readonly string[], info: { grantType: GrantType }
) => unknown

/** Checks a token elsewhere; null for one that is not good. */
export type CheckAccessToken = (request: FastifyRequest, token: string) => Promise<{
  accessToken: Row,
  user?: Row,
  client?: Row
} | null | undefined>

type EndpointName =
  'authorize' | 'decision' | 'login' | 'logout' | 'token' | 'revoke' | 'introspect' | 'metadata' |
  'configuration' | 'jwks' | 'userinfo' | 'endSession' | 'grants' |
  'deviceAuthorization' | 'device' | 'pushed' | 'registration'

export interface Settings {
  /** Undefined: there is no such endpoint. */
  readonly paths: Readonly<Record<EndpointName, string | undefined>>
  readonly userModel: string | undefined
  readonly applicationModel: string
  readonly dataSource: unknown
  readonly authorizationServer: boolean
  readonly resourceServer: boolean
  readonly loginPage: string
  readonly decisionView: string | undefined
  readonly decisionPage: string | undefined
  readonly successRedirect: string
  readonly grants: ReadonlySet<GrantType>
  readonly generateToken: GenerateToken | undefined
  readonly getTtl: GetTtl | undefined
  /** Seconds. */
  readonly ttl: { readonly [kind in TtlKind]?: number }
  readonly defaultScopes: readonly string[]
  readonly forceAuthorize: boolean
  /** Whether consents outlive a change of the user's credentials. Those of a removed account never do. */
  readonly keepConsents: boolean
  /** Without a slash at its end; undefined: the origin of each request. */
  readonly issuer: string | undefined
  readonly session: {
    readonly secret: string | undefined
    readonly cookieName: string
    /** Seconds. */
    readonly maxAge: number
    readonly secure: boolean | undefined
    readonly sameSite: 'lax' | 'strict'
  }
  readonly bearerMethods: ReadonlySet<'header' | 'query' | 'body'>
  readonly requirePkce: 'public' | 'all' | 'none'
  readonly rateLimit:
    | {
      readonly max: number
      /** Seconds. */
      readonly window: number
      /** Seconds. */
      readonly knownFor: number
      readonly store: FailureStore | undefined
    }
    | undefined
  /** Seconds. */
  readonly clockTolerance: number
  /** Networks that key sets of clients may be fetched from, though they are not public. */
  readonly allowedNetworks: readonly string[]
  readonly jwtAlgorithms: readonly string[]
  readonly clientCredentialsSubject: boolean
  readonly impliedDefaultScope: boolean
  /** Lower case; undefined: no headers are added. */
  readonly headerPrefix: string | undefined
  readonly checkAccessToken: CheckAccessToken | undefined
  readonly allowInsecureRedirects: boolean
  readonly requireHttps: boolean
  /** Whether id and secret of a Basic header may be sent without form-encoding. */
  readonly rawBasicCredentials: boolean
  /** Seconds that a refresh token may be presented again after its first use. */
  readonly refreshTokenGrace: number
  readonly tokenSecret: string | undefined
  readonly useScopeMapping: boolean
  readonly serviceDocumentation: string | undefined
  /** Undefined: resources are not described. */
  readonly resourceMetadata: { readonly authorizationServers: readonly string[] | undefined } | undefined
  readonly authenticate: ReadonlyArray<{
    readonly paths: string | readonly string[]
    readonly options?: AuthenticateOptions
  }>
  /** Undefined: there is no device authorization grant. */
  readonly device: DeviceSettings | undefined
  /** Undefined: there are no pushed authorization requests. */
  readonly pushed: PushedSettings | undefined
  /** Undefined: clients cannot register. */
  readonly registration: RegistrationSettings | undefined
  /** Undefined: there is no OpenID Connect. */
  readonly openId: OpenIdSettings | undefined
  /** Undefined: there are bearer tokens only. */
  readonly dpop: DpopSettings | undefined
  /** Undefined: tokens are for this server, whatever it guards. */
  readonly indicators: Indicators | undefined
  /** Undefined: access tokens are opaque. */
  readonly jwtTokens: JwtTokenSettings | undefined
  /** Whether clients authenticate by keys only (FAPI 2.0). */
  readonly keysOnly: boolean
}
