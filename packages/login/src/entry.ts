/** One entry of providers.json, read and completed (login.md, section 3). */
import { nearest } from '@fastback/core/remote'
import { InvalidProviderError } from './errors.js'
import { isRecord, kindOf, textOf } from './entry-kind.js'
import { profileToUserOf, type ProfileToUser } from './profile-mapping.js'
import type { Preset } from './presets.js'
import type { LoginSettings } from './settings.js'
import type { Log, ProviderOptions } from './provider-options.js'

export type Kind = 'oauth2' | 'oidc' | 'local' | 'ldap' | 'saml' | 'bridge'

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

/** A path without the slashes at its end; `/` stays. */
export const withoutSlash = (path: string): string => path.replace(/(?<=[^/])\/+$/, '')

function checkUrl (name: string, { callbackURL, callbackPath, kind }: Entry, log: Log): void {
  if (kind === 'local' || kind === 'ldap') return
  let path
  try {
    path = new URL(callbackURL, 'http://localhost').pathname
  } catch {
    throw new InvalidProviderError(name, '"callbackURL" is no address.')
  }
  if (withoutSlash(path) !== withoutSlash(callbackPath)) {
    log.warn({ provider: name }, `login: "callbackURL" of "${name}" leads to ${path}, but answers are expected at "callbackPath", ${callbackPath}`)
  }
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
