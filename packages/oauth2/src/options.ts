/** Options, checked and completed. */
import { checkOptions, nearest, withoutEndSlashes } from '@fastback/core/remote'
import { scopeList } from './checks/scope.js'
import { dpopSettings } from './dpop/options.js'
import { pathsOf } from './endpoint-paths.js'
import { InvalidOptionsError } from './errors.js'
import { extensionSettings } from './extension-options.js'
import { grantNames, grantTypes, type GrantType } from './grant-types.js'
import { jwtTokenSettings } from './jwt-tokens/options.js'
import { openIdSettings } from './openid/options.js'
import { asymmetric, OptionsSchema, type OAuth2Options } from './options-schema.js'
import { pageSettings } from './pages/settings.js'
import { isStrict, profiled } from './profiles.js'
import { indicatorSettings } from './resource/indicator-options.js'
import type { Settings } from './settings.js'

/**
 * Checks the options and fills in what was left out.
 * @throws FBK_OAUTH2_INVALID_OPTIONS naming the option
 */
export function settingsOf (given: unknown, warn: (message: string) => void): Settings {
  const options = profiled(checked(given, warn))
  const authorizationServer = options.authorizationServer !== false
  const sessions = options.session !== false && authorizationServer
  const session = sessionSettings(options.session)
  const production = process.env.NODE_ENV === 'production'
  if (authorizationServer && production) mustNameIssuer(options, warn)
  if (sessions && production && session.secret === undefined) {
    throw new InvalidOptionsError('the option "session.secret" is needed in production.')
  }
  if (options.requirePkce === 'none') {
    warn('OAuth: with requirePkce "none" codes of public clients can be stolen (RFC 9700)')
  }
  const grants = new Set<GrantType>((options.supportedGrantTypes ?? grantNames).map(name => grantTypes[name]))
  const paths = pathsOf(options, sessions)
  const extensions = extensionSettings(options, { paths, sessions, grants, warn })
  const surroundings = { issuer: options.issuer, sessionSecret: session.secret, production, warn }
  const openId = authorizationServer ? openIdSettings(options.openid, surroundings) : undefined
  const jwtTokens = authorizationServer ? jwtTokenSettings(options.jwtAccessTokens, openId, surroundings) : undefined
  return {
    paths,
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
    defaultScopes: scopeList(options.defaultScope),
    forceAuthorize: options.forceAuthorize === true,
    keepConsents: options.keepConsents === true,
    issuer: options.issuer === undefined ? undefined : withoutEndSlashes(options.issuer),
    session,
    bearerMethods: new Set(options.bearerMethods ?? ['header']),
    requirePkce: options.requirePkce ?? 'public',
    rateLimit: rateLimitSettings(options.rateLimit),
    clockTolerance: options.clockTolerance ?? 60,
    allowedNetworks: options.allowedNetworks ?? [],
    jwtAlgorithms: jwtAlgorithms(options),
    clientCredentialsSubject: options.clientCredentialsSubject === true,
    impliedDefaultScope: options.impliedDefaultScope !== false,
    headerPrefix: headerPrefix(options.addHttpHeaders),
    checkAccessToken: options.checkAccessToken,
    allowInsecureRedirects: options.allowInsecureRedirects === true,
    requireHttps: options.requireHttps === true,
    rawBasicCredentials: options.rawBasicCredentials ?? true,
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

function mustNameIssuer ({ issuer, profile }: OAuth2Options, warn: (message: string) => void): void {
  if (issuer !== undefined) return
  if (isStrict(profile)) {
    throw new InvalidOptionsError(`the option "issuer" is needed in production with the profile ${profile}.`)
  }
  warn('OAuth: the option "issuer" is not set; whoever chooses the Host header of a request chooses the issuer')
}

function sessionSettings (given: OAuth2Options['session']): Settings['session'] {
  const { secret, cookieName = 'fastback.oauth2', maxAge = 43_200, secure, sameSite = 'lax' } =
    typeof given === 'object' ? given : {}
  return { secret, cookieName, maxAge, secure, sameSite }
}

function rateLimitSettings (given: OAuth2Options['rateLimit']): Settings['rateLimit'] {
  if (given === false) return undefined
  const { max = 20, window = 300, knownFor = 1_209_600, store } = given ?? {}
  return { max, window, knownFor, store }
}

function jwtAlgorithms ({ jwtAlgorithms: several, jwtAlgorithm: one }: OAuth2Options): Settings['jwtAlgorithms'] {
  return several ?? (one === undefined ? ['RS256', 'PS256', 'ES256', 'EdDSA'] : [one])
}

const resourceMetadata = (given: OAuth2Options['resourceMetadata']): Settings['resourceMetadata'] =>
  given === undefined || given === false
    ? undefined
    : { authorizationServers: given === true ? undefined : given.authorizationServers }

const headerPrefix = (given: boolean | string | undefined): string | undefined =>
  given === undefined || given === false ? undefined : (given === true ? 'X-OAUTH2-' : given).toLowerCase()
