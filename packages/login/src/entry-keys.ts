/** The keys that entries have: others are misspelt, or mean nothing here. */
import { nearest } from '@fastback/core/remote'
import type { Kind } from './entry.js'
import type { Log, ProviderOptions } from './provider-options.js'

/** Those of all kinds. */
const ownKeys = [
  'provider', 'module', 'strategy', 'native', 'preset', 'authScheme', 'authPath', 'callbackPath', 'callbackHTTPMethod',
  'callbackURL', 'successRedirect', 'successReturnToOrRedirect', 'successFlash', 'failureRedirect', 'failureFlash',
  'failureQueryString', 'scope', 'link', 'session', 'json', 'jsonErrors', 'setAccessToken', 'autoLogin',
  'profileToUser', 'profileMapping', 'emailOptional', 'createAccessToken', 'loginCallback', 'customCallback', 'fn',
  'clientID', 'clientSecret', 'consumerKey', 'consumerSecret', 'authOptions', 'domain', 'usernameField',
  'passwordField', 'tokenInRedirect', 'linkForLogin', 'linkByEmail', 'trustEmail', 'pkce', 'allowInsecure',
  'federatedLogout', 'cookies', 'generatedEmailDomain', 'clientId', 'roles', 'createRoles'
]
/** Those of one kind. */
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

/** A strategy of Passport has keys of its own, which nobody knows here. */
export function warnOfKeys (name: string, kind: Kind, options: ProviderOptions, log: Log): void {
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
