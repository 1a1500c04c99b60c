/** Options, checked and completed. */
import { checkOptions, nearest, withoutEndSlashes } from '@fastback/core/remote'
import { dpopSettings } from './dpop/options.js'
import { InvalidOptionsError } from './errors.js'
import { extensionPathNames, extensionPaths, extensionSettings } from './extension-options.js'
import { grantNames, grantProfiles, grantTypes, type GrantType } from './grant-types.js'
import { jwtTokenSettings } from './jwt-tokens/options.js'
import { accountPath, pageSettings } from './pages/settings.js'
import { openIdPaths, openIdSettings } from './openid/options.js'
import { asymmetric, OptionsSchema, type OAuth2Options } from './options-schema.js'
import { profiled } from './profiles.js'
import { indicatorSettings } from './resource/indicator-options.js'
import type { Settings } from './settings.js'

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
  'accountPage',
  ...extensionPathNames
] as const

/**
 * Checks the options and fills in what was left out.
 * @throws FBK_OAUTH2_INVALID_OPTIONS naming the option
 */
export function settingsOf (given: unknown, warn: (message: string) => void): Settings {
  const options = profiled(checked(given, warn))
  const { profile } = options
  const strict = profile === 'oauth2.1' || profile === 'fapi2'
  const production = process.env.NODE_ENV === 'production'
  const authorizationServer = options.authorizationServer !== false
  if (authorizationServer && options.issuer === undefined && production) {
    if (strict) throw new InvalidOptionsError(`the option "issuer" is needed in production with the profile ${profile}.`)
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
  if (strict) for (const grant of grants) if (!grantProfiles[grant].includes(profile)) grants.delete(grant)
  if (options.requirePkce === 'none' && !strict) {
    warn('OAuth: with requirePkce "none" codes of public clients can be stolen (RFC 9700)')
  }
  const found = paths(options, sessions)
  const extensions = extensionSettings(options, { paths: found, sessions, grants, warn })
  const surroundings = { issuer: options.issuer, sessionSecret: session.secret, production, warn }
  const openId = authorizationServer ? openIdSettings(options.openid, surroundings) : undefined
  const jwtTokens = authorizationServer ? jwtTokenSettings(options.jwtAccessTokens, openId, surroundings) : undefined
  return {
    paths: found,
    userModel: options.userModel,
    applicationModel: options.applicationModel ?? 'OAuthClientApplication',
    dataSource: options.dataSource,
    authorizationServer,
    resourceServer: options.resourceServer !== false,
    loginPage: options.loginPage ?? '/login',
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
    pages: pageSettings(options.pages, { decisionView: options.decisionView, warn }),
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
    account: interactive(options.authorizationServer === false ? false : accountPath(options.pages)),
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
