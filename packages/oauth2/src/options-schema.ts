/** The options as they are written. */
import { Type, type Static } from '@sinclair/typebox'
import { AuthenticateSchema, Scopes } from './authenticate-options.js'
import { DpopSchema } from './dpop/options.js'
import { extensionProperties } from './extension-options.js'
import type { FailureStore } from './failure-store.js'
import type { GrantName } from './grant-types.js'
import { JwtTokensSchema } from './jwt-tokens/options.js'
import { OpenIdSchema } from './openid/options.js'
import { PagesSchema } from './pages/settings.js'
import { IndicatorsSchema } from './resource/indicator-options.js'
import type { CheckAccessToken, GenerateToken, GetTtl } from './settings.js'

/** Algorithms of signatures by a private key. */
export const asymmetric = [
  'RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'
] as const
type Algorithm = typeof asymmetric[number]

const Seconds = Type.Integer({ minimum: 1 })
const EndpointPath = Type.Union([Type.Literal(false), Type.String({ pattern: '^/' })])
const IssuerUrl = Type.String({ pattern: '^https?://[^?#]+$' })
const functionOf = <T>() => Type.Unsafe<T>(Type.Function([], Type.Unknown()))

export const OptionsSchema = Type.Object({
  dataSource: Type.Optional(Type.Unsafe<string | { readonly name: string }>(Type.Unknown())),
  userModel: Type.Optional(Type.String()),
  applicationModel: Type.Optional(Type.String()),
  authorizationServer: Type.Optional(Type.Boolean()),
  resourceServer: Type.Optional(Type.Boolean()),
  authorizePath: Type.Optional(EndpointPath),
  tokenPath: Type.Optional(EndpointPath),
  decisionPath: Type.Optional(EndpointPath),
  loginPath: Type.Optional(EndpointPath),
  logoutPath: Type.Optional(EndpointPath),
  revokePath: Type.Optional(EndpointPath),
  introspectPath: Type.Optional(EndpointPath),
  metadataPath: Type.Optional(EndpointPath),
  loginPage: Type.Optional(Type.String({ minLength: 1 })),
  decisionView: Type.Optional(Type.String()),
  decisionPage: Type.Optional(Type.String()),
  successReturnToOrRedirect: Type.Optional(Type.String()),
  supportedGrantTypes: Type.Optional(Type.Unsafe<GrantName[]>(Type.Array(Type.String()))),
  generateToken: Type.Optional(functionOf<GenerateToken>()),
  getTTL: Type.Optional(functionOf<GetTtl>()),
  ttl: Type.Optional(
    Type.Union([
      Seconds,
      Type.Object({
        code: Type.Optional(Seconds),
        token: Type.Optional(Seconds),
        refreshToken: Type.Optional(Seconds)
      })
    ])
  ),
  defaultScope: Type.Optional(Scopes),
  forceAuthorize: Type.Optional(Type.Boolean()),
  keepConsents: Type.Optional(Type.Boolean()),
  issuer: Type.Optional(IssuerUrl),
  session: Type.Optional(
    Type.Union([
      Type.Boolean(),
      Type.Object({
        secret: Type.Optional(Type.String({ minLength: 16 })),
        cookieName: Type.Optional(Type.String({ pattern: '^[\\w.-]+$' })),
        /** Seconds. */
        maxAge: Type.Optional(Seconds),
        secure: Type.Optional(Type.Boolean()),
        sameSite: Type.Optional(Type.Union([Type.Literal('lax'), Type.Literal('strict')]))
      })
    ])
  ),
  bearerMethods: Type.Optional(
    Type.Array(Type.Union([Type.Literal('header'), Type.Literal('query'), Type.Literal('body')]))
  ),
  profile: Type.Optional(Type.Union([Type.Literal('compat'), Type.Literal('oauth2.1'), Type.Literal('fapi2')])),
  requirePkce: Type.Optional(Type.Union([Type.Literal('public'), Type.Literal('all'), Type.Literal('none')])),
  rateLimit: Type.Optional(
    Type.Union([
      Type.Literal(false),
      Type.Object({
        max: Type.Optional(Type.Integer({ minimum: 1 })),
        window: Type.Optional(Seconds),
        knownFor: Type.Optional(Seconds),
        store: Type.Optional(Type.Unsafe<FailureStore>(Type.Unknown()))
      })
    ])
  ),
  clockTolerance: Type.Optional(Type.Integer({ minimum: 0, maximum: 600 })),
  allowedNetworks: Type.Optional(Type.Array(Type.String())),
  jwtAlgorithms: Type.Optional(Type.Unsafe<Algorithm[]>(Type.Array(Type.String()))),
  jwtAlgorithm: Type.Optional(Type.Unsafe<Algorithm>(Type.String())),
  clientCredentialsSubject: Type.Optional(Type.Boolean()),
  impliedDefaultScope: Type.Optional(Type.Boolean()),
  addHttpHeaders: Type.Optional(Type.Union([Type.Boolean(), Type.String({ pattern: '^[A-Za-z0-9-]+$' })])),
  checkAccessToken: Type.Optional(functionOf<CheckAccessToken>()),
  allowInsecureRedirects: Type.Optional(Type.Boolean()),
  requireHttps: Type.Optional(Type.Boolean()),
  rawBasicCredentials: Type.Optional(Type.Boolean()),
  refreshTokenGrace: Type.Optional(Type.Integer({ minimum: 0, maximum: 300 })),
  tokenSecret: Type.Optional(Type.String({ minLength: 16 })),
  useScopeMapping: Type.Optional(Type.Boolean()),
  allowsPostForAuthorization: Type.Optional(Type.Boolean()),
  serviceDocumentation: Type.Optional(Type.String()),
  resourceMetadata: Type.Optional(
    Type.Union([
      Type.Boolean(),
      Type.Object({
        authorizationServers: Type.Optional(Type.Array(IssuerUrl, { minItems: 1 }))
      })
    ])
  ),
  authenticate: Type.Optional(
    Type.Array(
      Type.Object({
        paths: Type.Union([Type.String(), Type.Array(Type.String())]),
        options: Type.Optional(AuthenticateSchema)
      })
    )
  ),
  openid: Type.Optional(Type.Union([Type.Boolean(), OpenIdSchema])),
  ...extensionProperties,
  dpop: Type.Optional(Type.Union([Type.Boolean(), DpopSchema])),
  resourceIndicators: Type.Optional(IndicatorsSchema),
  jwtAccessTokens: Type.Optional(Type.Union([Type.Boolean(), JwtTokensSchema])),
  pages: Type.Optional(Type.Union([Type.Boolean(), PagesSchema])),
  /** Refused: there are no storage adapters. */
  models: Type.Optional(Type.Unsafe<undefined>(Type.Unknown()))
})
export type OAuth2Options = Static<typeof OptionsSchema>
