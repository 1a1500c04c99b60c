/** How an entry of providers.json becomes an `Entry`: checked, and with its defaults. */
import type { Entry } from './entry.js'
import { warnOfKeys } from './entry-keys.js'
import { kindOf } from './entry-kind.js'
import { isRecord, scopeOf, textOf, withoutSlash } from './entry-values.js'
import { InvalidProviderError } from './errors.js'
import { profileToUserOf } from './profile-mapping.js'
import type { Log, ProviderOptions } from './provider-options.js'
import type { LoginSettings } from './settings.js'

/** What holds for all entries of an application. */
interface Surroundings {
  readonly settings: LoginSettings
  /** Whether the application is new: its defaults are safer than those of LoopBack's component. */
  readonly isNew: boolean
  readonly log: Log
}

/** @throws FBK_LOGIN_INVALID_PROVIDER naming entry and key */
export function readEntry (name: string, given: unknown, { settings, isNew, log }: Surroundings): Entry {
  if (!isRecord(given)) throw new InvalidProviderError(name, 'an entry must be an object.')
  refuseNested(name, given)
  const options: ProviderOptions = given
  const { kind, preset, authScheme } = kindOf(name, options, log)
  warnOfKeys(name, kind, options, log)
  const isDirect = kind === 'local' || kind === 'ldap'
  const link = Boolean(options.link)
  const base = link ? 'link' : 'auth'
  const callbackPath = textOf(options.callbackPath) ?? `/${base}/${name}/callback`
  const entry: Entry = {
    name,
    kind,
    isDirect,
    options,
    preset,
    clientID: textOf(options.clientID) ?? textOf(options.clientId),
    clientSecret: secretOf(name, options.clientSecret),
    scope: scopeOf(options.scope),
    authPath: textOf(options.authPath) ?? `/${base}/${name}`,
    authMethod: isDirect ? 'post' : 'get',
    callbackPath,
    callbackMethod: callbackMethod(options.callbackHTTPMethod, kind === 'saml' || preset?.formPost === true),
    callbackURL: textOf(options.callbackURL) ?? callbackPath,
    provider: textOf(options.provider) ?? name,
    authScheme,
    link,
    linkForLogin: Boolean(options.linkForLogin ?? settings.linkForLogin ?? isNew),
    linkByEmail: (options.linkByEmail ?? settings.linkByEmail) !== false,
    trustEmail: options.trustEmail === true,
    profileToUser: profileToUserOf(name, options, log),
    autoLogin: options.autoLogin !== false,
    session: Boolean(options.session),
    json: Boolean(options.json),
    jsonErrors: Boolean(options.jsonErrors),
    successRedirect: options.successRedirect === false
      ? false
      : textOf(options.successRedirect) ?? (kind === 'local' ? undefined : `/${base}/account`),
    failureRedirect: textOf(options.failureRedirect) ?? (link ? '/link.html' : '/login.html'),
    tokenInRedirect: tokenInRedirect(
      name, options.tokenInRedirect ?? settings.tokenInRedirect ?? (isNew ? false : 'query')
    )
  }
  if (!isDirect) checkUrl(entry, log)
  return entry
}

/** A brace too few makes an entry the value of another one. */
function refuseNested (name: string, given: Readonly<Record<string, unknown>>): void {
  const nested = Object.entries(given).find(([key, value]) =>
    !['server', 'authOptions', 'customHeaders', 'cookies'].includes(key) && isRecord(value) &&
    ('module' in value || 'authScheme' in value || ('provider' in value && 'clientID' in value)))
  if (nested === undefined) return
  throw new InvalidProviderError(name, `"${nested[0]}" is an entry of its own: move it out, beside "${name}".`)
}

function callbackMethod (given: unknown, comesByForm: boolean): 'get' | 'post' {
  const isPost = given === undefined ? comesByForm : String(given).toLowerCase() === 'post'
  return isPost ? 'post' : 'get'
}

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

function checkUrl ({ name, callbackURL, callbackPath }: Entry, log: Log): void {
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
