/** Which way in an entry of providers.json is: by its module, its preset or its scheme (LG-17, LG-18). */
import { nearest, withoutEndSlashes } from '@fastback/core/remote'
import type { Entry, Kind } from './entry.js'
import { textOf } from './entry-values.js'
import type { Log, ProviderOptions } from './provider-options.js'
import { InvalidProviderError } from './errors.js'
import { knownModules, otherModules, presets, type Preset } from './presets.js'

/** @throws FBK_LOGIN_INVALID_PROVIDER naming entry and key */
export function kindOf (name: string, options: ProviderOptions, log: Log): Pick<Entry, 'kind' | 'preset' | 'authScheme'> {
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
  const text = (key: string): string | undefined => {
    const given = textOf(options[key])
    return given === undefined ? undefined : withoutEndSlashes(given)
  }
  if (preset === 'microsoft') {
    const metadata = text('identityMetadata')?.replace(/\/\.well-known\/[^]*$/, '')
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
