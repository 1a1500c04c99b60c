/** Options as they are written, checked and completed. */
import { Type, type Static } from '@sinclair/typebox'
import { checkOptions, nearest, withoutEndSlashes } from '@fastback/core/remote'
import { AuthenticateSchema, Scopes } from './authenticate-options.js'
import { DpopSchema, dpopSettings } from './dpop/options.js'
import { InvalidOptionsError } from './errors.js'
import type { FailureStore } from './failure-store.js'
import { extensionPathNames, extensionPaths, extensionProperties, extensionSettings } from './extension-options.js'
import { grantNames, grantTypes, type GrantName, type GrantType } from './grant-types.js'
import { JwtTokensSchema, jwtTokenSettings } from './jwt-tokens/options.js'
import { OpenIdSchema, openIdPaths, openIdSettings } from './openid/options.js'
import { profiled } from './profiles.js'
import { IndicatorsSchema, indicatorSettings } from './resource/indicator-options.js'
import type { CheckAccessToken, GenerateToken, GetTtl, Settings } from './settings.js'

const asymmetric = [
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
  dpop: Type.Optional(Type.Union([Type.Boolean(), DpopSchema])),
  resourceIndicators: Type.Optional(IndicatorsSchema),
  jwtAccessTokens: Type.Optional(Type.Union([Type.Boolean(), JwtTokensSchema])),
  ...extensionProperties,
  /** Refused: there are no storage adapters. */
  models: Type.Optional(Type.Unsafe<undefined>(Type.Unknown()))
})
export type OAuth2Options = Static<typeof OptionsSchema>

const endpoints = [
  'authorizePath',
  'tokenPath',
  'decisionPath',
  'loginPath',
  'logoutPath',
  'revokePath',
  'introspectPath',
  'metadataPath',
  'configurationPath',
  'jwksPath',
  'userinfoPath',
  'endSessionPath',
  'grantsPath',
  ...extensionPathNames
] as const

/**
 * Checks the options and fills in what was left out.
 * @throws FBK_OAUTH2_INVALID_OPTIONS naming the option
 */
export function settingsOf (given: unknown, warn: (message: string) => void): Settings {
  const options = profiled(checked(given, warn))
  const strict = options.profile === 'oauth2.1' || options.profile === 'fapi2'
  const production = process.env.NODE_ENV === 'production'
  const authorizationServer = options.authorizationServer !== false
  if (authorizationServer && options.issuer === undefined && production) {
    if (strict) throw new InvalidOptionsError(`the option "issuer" is needed in production with the profile ${options.profile as string}.`)
    warn('OAuth: the option "issuer" is not set; whoever chooses the Host header of a request chooses the issuer')
  }
  const session = typeof options.session === 'object' ? options.session : {}
  const sessions = options.session !== false && authorizationServer
  if (sessions && production && session.secret === undefined) {
    throw new InvalidOptionsError('the option "session.secret" is needed in production.')
  }
  const grants = new Set<GrantType>(
    (options.supportedGrantTypes ?? grantNames).map(name => grantTypes[name])
  )
  if (strict) for (const name of ['implicit', 'password'] as const) grants.delete(name)
  if (options.requirePkce === 'none' && !strict) {
    warn('OAuth: with requirePkce "none" codes of public clients can be stolen (RFC 9700)')
  }
  const surroundings = { issuer: options.issuer, sessionSecret: session.secret, production, warn }
  const openId = authorizationServer ? openIdSettings(options.openid, surroundings) : undefined
  const jwtTokens = authorizationServer ? jwtTokenSettings(options.jwtAccessTokens, openId, surroundings) : undefined
  const found = paths(options, sessions)
  const extensions = extensionSettings(options, { paths: found, sessions, grants, warn })
  return {
    paths: found,
    userModel: options.userModel,
    applicationModel: options.applicationModel ?? 'OAuthClientApplication',
    dataSource: options.dataSource,
    authorizationServer,
    resourceServer: options.resourceServer !== false,
    loginPage: options.loginPage ?? '/login',
    decisionView: options.decisionView,
    decisionPage: options.decisionPage,
    successRedirect: options.successReturnToOrRedirect ?? '/',
    grants,
    generateToken: options.generateToken,
    getTtl: options.getTTL,
    ttl: typeof options.ttl === 'number' ? { token: options.ttl } : options.ttl ?? {},
    defaultScopes: words(options.defaultScope),
    forceAuthorize: options.forceAuthorize === true,
    keepConsents: options.keepConsents === true,
    issuer: options.issuer === undefined ? undefined : withoutEndSlashes(options.issuer),
    session: {
      secret: session.secret,
      cookieName: session.cookieName ?? 'fastback.oauth2',
      maxAge: session.maxAge ?? 43_200,
      secure: session.secure,
      sameSite: session.sameSite ?? 'lax'
    },
    bearerMethods: new Set(strict ? ['header'] : options.bearerMethods ?? ['header']),
    requirePkce: strict ? 'all' : options.requirePkce ?? 'public',
    rateLimit: options.rateLimit === false
      ? undefined
      : {
          max: options.rateLimit?.max ?? 20,
          window: options.rateLimit?.window ?? 300,
          knownFor: options.rateLimit?.knownFor ?? 1_209_600,
          store: options.rateLimit?.store
        },
    clockTolerance: options.clockTolerance ?? 60,
    allowedNetworks: options.allowedNetworks ?? [],
    jwtAlgorithms: options.jwtAlgorithms ?? (options.jwtAlgorithm === undefined
      ? ['RS256', 'PS256', 'ES256', 'EdDSA']
      : [options.jwtAlgorithm]),
    clientCredentialsSubject: options.clientCredentialsSubject === true,
    impliedDefaultScope: options.impliedDefaultScope !== false,
    headerPrefix: headerPrefix(options.addHttpHeaders),
    checkAccessToken: options.checkAccessToken,
    allowInsecureRedirects: options.allowInsecureRedirects === true && !strict,
    requireHttps: options.requireHttps === true,
    rawBasicCredentials: options.rawBasicCredentials ?? !strict,
    refreshTokenGrace: options.refreshTokenGrace ?? 0,
    tokenSecret: options.tokenSecret,
    useScopeMapping: options.useScopeMapping === true,
    serviceDocumentation: options.serviceDocumentation,
    resourceMetadata: resourceMetadata(options.resourceMetadata),
    authenticate: options.authenticate ?? [],
    ...extensions,
    openId,
    dpop: dpopSettings(options.dpop, { secrets: [session.secret, options.tokenSecret], production }),
    indicators: indicatorSettings(options.resourceIndicators, {
      jwt: jwtTokens !== undefined, openId: openId !== undefined
    }),
    jwtTokens,
    keysOnly: options.profile === 'fapi2'
  }
}

function checked (given: unknown, warn: (message: string) => void): OAuth2Options {
  const options = checkOptions(OptionsSchema, given ?? {}, InvalidOptionsError)
  const known = Object.keys(OptionsSchema.properties)
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) {
      warn(`OAuth: there is no option "${name}"${nearest(name, known) ?? ''}`)
    }
  }
  if (options.models !== undefined) {
    const instead = 'extend the OAuth models instead, and attach them to any data source'
    throw new InvalidOptionsError(`storage adapters (the option "models") are not supported; ${instead}.`)
  }
  const unknown = options.supportedGrantTypes?.find(name => !grantNames.includes(name))
  if (unknown !== undefined) {
    throw new InvalidOptionsError(
      `the option "supportedGrantTypes" names "${unknown}", which is no grant type; there are ${grantNames.join(', ')}.`
    )
  }
  for (const algorithm of [options.jwtAlgorithms ?? [], options.jwtAlgorithm ?? []].flat()) {
    if (!asymmetric.includes(algorithm)) {
      throw new InvalidOptionsError(
        `the option "jwtAlgorithms" names "${algorithm}", which is not one of ${asymmetric.join(', ')}.`
      )
    }
  }
  return options
}

function paths (options: OAuth2Options, sessions: boolean): Settings['paths'] {
  const interactive = (path: string | false): string | undefined => path === false || !sessions ? undefined : path
  const path = (path: string | false): string | undefined => path === false ? undefined : path
  const openId = openIdPaths(options.authorizationServer === false ? false : options.openid)
  const found = {
    authorize: interactive(options.authorizePath ?? '/oauth/authorize'),
    decision: interactive(options.decisionPath ?? '/oauth/authorize/decision'),
    login: interactive(options.loginPath ?? '/login'),
    logout: interactive(options.logoutPath ?? '/logout'),
    token: path(options.tokenPath ?? '/oauth/token'),
    revoke: path(options.revokePath ?? '/oauth/revoke'),
    introspect: path(options.introspectPath ?? '/oauth/introspect'),
    metadata: path(options.metadataPath ?? '/.well-known/oauth-authorization-server'),
    ...openId,
    jwks: openId.jwks ?? jwksPath(options),
    endSession: interactive(openId.endSession ?? false),
    grants: interactive(openId.grants ?? false),
    ...extensionPaths(options)
  }
  const used = new Map<string, string>()
  for (const name of endpoints) {
    const at = found[name.slice(0, -4) as keyof typeof found]
    if (at === undefined) continue
    const other = used.get(at)
    if (other !== undefined) {
      throw new InvalidOptionsError(`the option "${name}" is "${at}", which is the path of "${other}", too.`)
    }
    used.set(at, name)
  }
  return found
}

/** Others verify tokens that we sign: the keys are published without OpenID Connect, too (OI-01). */
const jwksPath = ({ authorizationServer, jwtAccessTokens: jwt }: OAuth2Options): string | undefined =>
  authorizationServer === false || jwt === undefined || jwt === false
    ? undefined
    : typeof jwt === 'object' ? jwt.jwksPath ?? '/oauth/jwks' : '/oauth/jwks'

/** `'a b'`, `'a,b'` or a list. */
export const words = (scope: string | readonly string[] | undefined): string[] =>
  typeof scope === 'string' ? scope.split(/[\s,]+/).filter(word => word !== '') : [...scope ?? []]

const resourceMetadata = (given: OAuth2Options['resourceMetadata']): Settings['resourceMetadata'] =>
  given === undefined || given === false
    ? undefined
    : { authorizationServers: given === true ? undefined : given.authorizationServers }

const headerPrefix = (given: boolean | string | undefined): string | undefined =>
  given === undefined || given === false ? undefined : (given === true ? 'X-OAUTH2-' : given).toLowerCase()
