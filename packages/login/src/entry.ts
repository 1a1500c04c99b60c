/** One entry of providers.json, read and completed (login.md, section 3). */
import { nearest } from '@fastback/core/remote'
import { InvalidProviderError } from './errors.js'
import { knownModules, otherModules, presets, type Preset } from './presets.js'
import type { LoginSettings } from './settings.js'
import type { Profile } from './profile.js'

export type Kind = 'oauth2' | 'oidc' | 'local' | 'ldap' | 'saml' | 'bridge'

/** What an entry may have; whatever else is there is the strategy's. */
export interface ProviderOptions {
  readonly [key: string]: unknown
}

type ProfileToUser = (provider: string, profile: Profile, options: object) => unknown

export interface Entry {
  readonly name: string
  readonly provider: string
  readonly kind: Kind
  readonly preset: Preset | undefined
  /** As it was written, or guessed: what is stored with identities. */
  readonly authScheme: string
  readonly authPath: string
  readonly authMethod: 'get' | 'post'
  readonly callbackPath: string
  readonly callbackMethod: 'get' | 'post'
  /** As written; relative to the origin. */
  readonly callbackURL: string
  readonly successRedirect: string | false | undefined
  readonly failureRedirect: string
  readonly link: boolean
  readonly session: boolean
  readonly json: boolean
  readonly jsonErrors: boolean
  readonly autoLogin: boolean
  readonly linkForLogin: boolean
  readonly linkByEmail: boolean
  readonly trustEmail: boolean
  readonly tokenInRedirect: 'query' | 'fragment' | 'code' | false
  readonly scope: string | undefined
  readonly clientID: string | undefined
  readonly clientSecret: string | undefined
  readonly profileToUser: ProfileToUser | undefined
  readonly options: ProviderOptions
}

interface Log { warn (details: object, message: string): void, info (details: object, message: string): void }

/** Keys that are read here, or by one of the native kinds. */
const ownKeys = [
  'provider', 'module', 'strategy', 'native', 'preset', 'authScheme', 'authPath', 'callbackPath', 'callbackHTTPMethod',
  'callbackURL', 'successRedirect', 'successReturnToOrRedirect', 'successFlash', 'failureRedirect', 'failureFlash',
  'failureQueryString', 'scope', 'link', 'session', 'json', 'jsonErrors', 'setAccessToken', 'autoLogin',
  'profileToUser', 'profileMapping', 'emailOptional', 'createAccessToken', 'loginCallback', 'customCallback', 'fn',
  'clientID', 'clientSecret', 'consumerKey', 'consumerSecret', 'authOptions', 'domain', 'usernameField',
  'passwordField', 'tokenInRedirect', 'linkForLogin', 'linkByEmail', 'trustEmail', 'pkce', 'allowInsecure',
  'federatedLogout', 'cookies', 'generatedEmailDomain', 'clientId', 'roles', 'createRoles'
]
const nativeKeys: Readonly<Record<Kind, readonly string[]>> = {
  oidc: ['issuer', 'authorizationURL', 'tokenURL', 'userInfoURL', 'userProfileURL', 'jwksURI', 'host', 'realm', 'tenant',
    'tenantID', 'identityMetadata', 'baseURL', 'profileFields', 'passReqToCallback', 'responseType', 'responseMode',
    'redirectUrl', 'sslRequired', 'publicClient', 'state', 'store', 'skipUserProfile', 'tokenEndpointAuthMethod'],
  oauth2: ['issuer', 'authorizationURL', 'tokenURL', 'userInfoURL', 'userProfileURL', 'emailsURL', 'profile',
    'profileFields', 'scopeSeparator', 'passReqToCallback', 'state', 'enableProof', 'customHeaders', 'profileURL',
    'baseURL', 'tokenEndpointAuthMethod'],
  local: ['passReqToCallback'],
  ldap: ['server', 'profileAttributesFromLDAP', 'passReqToCallback', 'credentialsLookup'],
  saml: ['entryPoint', 'issuer', 'cert', 'idpCert', 'certPath', 'privateCert', 'privateCertPath', 'privateKey',
    'decryptionPvk', 'decryptionPvkPath', 'audience', 'identifierFormat', 'signatureAlgorithm', 'idAttribute',
    'idpInitiated', 'path', 'protocol', 'host', 'acceptedClockSkewMs', 'forceAuthn', 'passReqToCallback'],
  bridge: []
}

const textOf = (value: unknown): string | undefined => typeof value === 'string' && value !== '' ? value : undefined
const isRecord = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/**
 * Reads an entry.
 * @throws FBK_LOGIN_INVALID_PROVIDER naming entry and key
 */
export function readEntry (name: string, given: unknown, settings: LoginSettings, log: Log, isGenerated =
false): Entry {
  if (!isRecord(given)) throw new InvalidProviderError(name, 'an entry must be an object.')
  const nested = Object.entries(given).find(([key, value]) =>
    !['server', 'authOptions', 'customHeaders', 'cookies'].includes(key) && isRecord(value) &&
    ('module' in value || 'authScheme' in value || ('provider' in value && 'clientID' in value)))
  if (nested !== undefined) {
    throw new InvalidProviderError(name, `"${nested[0]}" is an entry of its own: move it out, beside "${name}".`)
  }
  const options = given as ProviderOptions
  const { kind, preset, authScheme } = kindOf(name, options, log)
  warnOfKeys(name, kind, options, log)
  const link = Boolean(options.link)
  const base = link ? 'link' : 'auth'
  const isPost = kind === 'local' || kind === 'ldap'
  const authPath = textOf(options.authPath) ?? `/${base}/${name}`
  const callbackPath = textOf(options.callbackPath) ?? `/${base}/${name}/callback`
  const said = options.callbackHTTPMethod
  const callbackMethod = said === undefined
    ? kind === 'saml' || preset?.formPost === true ? 'post' : 'get'
    : String(said).toLowerCase() === 'post' ? 'post' : 'get'
  const provider = textOf(options.provider) ?? name
  const callbackURL = textOf(options.callbackURL) ?? callbackPath
  const mapping = profileToUserOf(name, options, log)
  const entry: Entry = {
    name,
    provider,
    kind,
    preset,
    authScheme,
    authPath,
    authMethod: isPost ? 'post' : 'get',
    callbackPath,
    callbackMethod,
    callbackURL,
    successRedirect: options.successRedirect === false
      ? false
      : textOf(options.successRedirect) ?? (kind === 'local' ? undefined : `/${base}/account`),
    failureRedirect: textOf(options.failureRedirect) ?? (link ? '/link.html' : '/login.html'),
    link,
    session: Boolean(options.session),
    json: Boolean(options.json),
    jsonErrors: Boolean(options.jsonErrors),
    autoLogin: options.autoLogin !== false,
    linkForLogin: Boolean(options.linkForLogin ?? settings.linkForLogin ?? isGenerated),
    linkByEmail: (options.linkByEmail ?? settings.linkByEmail) !== false,
    trustEmail: options.trustEmail === true,
    tokenInRedirect: tokenInRedirect(name, options.tokenInRedirect ?? settings.tokenInRedirect ?? (isGenerated ? false : 'query')),
    scope: scopeOf(options.scope),
    clientID: textOf(options.clientID) ?? textOf(options.clientId),
    clientSecret: secretOf(name, options.clientSecret),
    profileToUser: mapping,
    options
  }
  checkUrl(name, entry, log)
  return entry
}

function checkUrl (name: string, { callbackURL, callbackPath, kind }: Entry, log: Log): void {
  if (kind === 'local' || kind === 'ldap') return
  let path
  try {
    path = new URL(callbackURL, 'http://localhost').pathname
  } catch {
    throw new InvalidProviderError(name, '"callbackURL" is no address.')
  }
  const plain = (text: string): string => text.replace(/(.)\/+$/, '$1')
  if (plain(path) !== plain(callbackPath)) {
    log.warn({ provider: name }, `login: "callbackURL" of "${name}" leads to ${path}, but answers are expected at "callbackPath", ${callbackPath}`)
  }
}

function kindOf (name: string, options: ProviderOptions, log: Log): Pick<Entry, 'kind' | 'preset' | 'authScheme'> {
  const module = textOf(options.module)
  const said = textOf(options.authScheme)
  const authScheme = said ?? guessed(options)
  const presetName = textOf(options.preset) ??
    (module === undefined && said === undefined && name in presets ? name : undefined)
  if (options.native === false || isCode(options.module)) {
    if (module === undefined && !isCode(options.module)) throw new InvalidProviderError(name, '"native": false needs "module".')
    return { kind: 'bridge', preset: undefined, authScheme }
  }
  if (presetName !== undefined) {
    const preset = presets[presetName]
    if (preset === undefined) {
      throw new InvalidProviderError(name, `there is no preset "${presetName}".${nearest(presetName, Object.keys(presets))}`)
    }
    const completed = withOwn(presetName, preset, options)
    return { kind: completed.kind, preset: completed, authScheme: said ?? (completed.kind === 'oidc' ? 'openid connect' : 'oAuth 2.0') }
  }
  if (module === undefined) {
    if (['local', 'ldap', 'saml'].includes(authScheme.toLowerCase()) && said !== undefined) {
      return { kind: authScheme.toLowerCase() as Kind, preset: undefined, authScheme }
    }
    throw new InvalidProviderError(name, '"module" is missing: the package of its passport strategy, or give a "preset".')
  }
  const other = otherModules[module]
  const known = knownModules[module]
  const expected = other ?? (known === undefined ? undefined : 'oauth')
  if (said !== undefined && expected !== undefined && !fits(said, expected)) {
    log.warn({ provider: name }, `login: "authScheme" of "${name}" is "${said}", which "${module}" is not; the module counts`)
  }
  if (other !== undefined) return { kind: other, preset: undefined, authScheme }
  const strategy = textOf(options.strategy)
  // OAuth 1 of the same package.
  const isFirst = strategy === 'OAuthStrategy' || (options.consumerKey !== undefined && options.clientID === undefined)
  if (known === undefined || isFirst || (module === 'passport-oauth2' && typeof options.userProfile === 'function')) {
    return { kind: 'bridge', preset: undefined, authScheme }
  }
  const preset = withOwn(known, presets[known] as Preset, options)
  return { kind: preset.kind, preset, authScheme }
}

/** A strategy that code hands over. */
const isCode = (module: unknown): boolean => typeof module === 'function' || (typeof module === 'object' && module !== null)

const fits = (said: string, expected: string): boolean => {
  const scheme = said.toLowerCase().replace(/[\s.]+/g, '')
  if (expected === 'oauth') return scheme.startsWith('oauth') || scheme.startsWith('openid')
  return scheme === expected
}

function guessed (options: ProviderOptions): string {
  if (options.consumerKey !== undefined) return 'oAuth1.0'
  if (options.realm !== undefined && options.module !== 'passport-keycloak-oauth2-oidc') return 'OpenID'
  if (options.clientID !== undefined || options.clientId !== undefined) return 'oAuth 2.0'
  return 'local'
}

/** A preset with what the entry says otherwise: an issuer, or addresses of its own. */
function withOwn (name: string, preset: Preset, options: ProviderOptions): Preset {
  const authorizationURL = textOf(options.authorizationURL)
  const tokenURL = textOf(options.tokenURL)
  const userInfoURL = textOf(options.userInfoURL) ?? textOf(options.userProfileURL) ?? textOf(options.profileURL)
  const issuer = textOf(options.issuer) ?? issuerOf(name, options)
  const own = {
    ...(authorizationURL === undefined ? {} : { authorizationURL }),
    ...(tokenURL === undefined ? {} : { tokenURL }),
    ...(userInfoURL === undefined ? {} : { userInfoURL }),
    ...(textOf(options.emailsURL) === undefined ? {} : { emailsURL: options.emailsURL as string })
  }
  if (preset.kind === 'oidc' && issuer === undefined && authorizationURL !== undefined && tokenURL !== undefined) {
    // Addresses of another server without its issuer: there is no id_token that could be believed.
    const { issuer: _issuer, ...rest } = preset
    return { ...rest, ...own, kind: 'oauth2', scope: preset.scope ?? '' }
  }
  if (preset.kind === 'oidc' && issuer !== undefined && issuer !== preset.issuer) {
    const { userInfoURL: _own, ...rest } = preset
    return { ...rest, issuer, ...own }
  }
  // Mail of one server is no business of another.
  const { emailsURL, ...rest } = preset
  const keepsEmails = userInfoURL === undefined && emailsURL !== undefined
  return { ...rest, ...(keepsEmails ? { emailsURL } : {}), ...own, ...(issuer === undefined ? {} : { issuer }) }
}

function issuerOf (preset: string, options: ProviderOptions): string | undefined {
  const text = (key: string): string | undefined => textOf(options[key])?.replace(/\/+$/, '')
  if (preset === 'microsoft') {
    const metadata = text('identityMetadata')?.replace(/\/\.well-known\/.*$/, '')
    const tenant = text('tenant') ?? text('tenantID')
    return metadata ?? (tenant === undefined ? undefined : `https://login.microsoftonline.com/${tenant}/v2.0`)
  }
  if (preset === 'keycloak') {
    const host = text('host') ?? text('authServerURL')
    return host === undefined ? undefined : `${host}/realms/${String(options.realm)}`
  }
  if (preset === 'auth0') return text('domain') === undefined ? undefined : `https://${text('domain') as string}/`
  if (preset === 'gitlab') return text('baseURL')
  return undefined
}

export const scopeOf = (scope: unknown): string | undefined =>
  Array.isArray(scope) ? scope.join(' ') : textOf(scope)

function secretOf (name: string, given: unknown): string | undefined {
  if (!isRecord(given)) return textOf(given)
  const { env } = given
  const value = typeof env === 'string' ? process.env[env] : undefined
  if (value === undefined || value === '') {
    throw new InvalidProviderError(name, `"clientSecret" names the environment variable "${String(env)}", which is not set.`)
  }
  return value
}

function tokenInRedirect (name: string, value: unknown): Entry['tokenInRedirect'] {
  if (value === 'query' || value === 'fragment' || value === 'code' || value === false) return value
  throw new InvalidProviderError(name, '"tokenInRedirect" is "query", "fragment", "code" or false.')
}

function warnOfKeys (name: string, kind: Kind, options: ProviderOptions, log: Log): void {
  if (kind === 'bridge') return
  const known = [...ownKeys, ...nativeKeys[kind]]
  for (const key of Object.keys(options)) {
    const wrong = key === 'clientId' && options.module !== undefined
    if (known.includes(key) && !wrong) continue
    const other = wrong ? 'clientID' : /"(.+)"/.exec(nearest(key, known))?.[1]
    if (other !== undefined) {
      log.warn({ provider: name, key }, `login: "${name}" has the unknown key "${key}"; did you mean "${other}"?`)
    } else log.info({ provider: name, key }, `login: the key "${key}" of "${name}" means nothing here`)
  }
}

/** Never taken from a profile: who logs in does not choose them. */
const refused = ['emailVerified', 'verificationToken', 'id', 'password', 'realm', 'roles', 'accessTokens', 'identities',
  'credentials', 'status']

interface Mapped { readonly userField: string, readonly providerField: string }

function profileToUserOf (name: string, options: ProviderOptions, log: Log): ProfileToUser | undefined {
  if (typeof options.profileToUser === 'function') return options.profileToUser as ProfileToUser
  if (options.profileMapping === undefined) return undefined
  if (!Array.isArray(options.profileMapping)) throw new InvalidProviderError(name, '"profileMapping" must be a list.')
  const mapping = (options.profileMapping as unknown[]).filter((each): each is Mapped => {
    if (!isRecord(each) || typeof each.userField !== 'string' || typeof each.providerField !== 'string') {
      throw new InvalidProviderError(name, '"profileMapping" has entries { userField, providerField }.')
    }
    if (!refused.includes(each.userField)) return true
    log.warn({ provider: name }, `login: "profileMapping" of "${name}" does not set "${each.userField}": a profile cannot decide that`)
    return false
  })
  return (_provider, profile) => Object.fromEntries(
    mapping.map(({ userField, providerField }) => [userField, valueAt(profile, providerField)])
      .filter(([, value]) => value !== undefined)
  )
}

/** `emails[0].value` of a profile. */
export function valueAt (from: unknown, path: string): unknown {
  let value = from
  for (const part of path.split(/[.[\]]+/).filter(each => each !== '')) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, part)) return undefined
    value = (value as Record<string, unknown>)[part]
  }
  return value
}

/** What a profile may say of a user, whoever mapped it. */
export const withoutRefused = (data: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(data).filter(([key]) => !refused.includes(key)))
