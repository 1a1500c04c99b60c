/**
 * Providers that are known by name: what an entry leaves out is taken from here (LG-70). Data alone; nothing is fetched
 * until somebody logs in.
 */

export interface Preset {
  /** `oidc`: everything else is found by the issuer's own description. */
  readonly kind: 'oidc' | 'oauth2'
  readonly issuer?: string
  readonly authorizationURL?: string
  readonly tokenURL?: string
  readonly userInfoURL?: string
  /** A list of addresses with `email`, `primary` and `verified`. */
  readonly emailsURL?: string
  /** Of `oauth2`: the issuer has metadata (RFC 8414), and tells by introspection (RFC 7662) whose a token is. */
  readonly isDescribed?: boolean
  readonly scope?: string
  /** Further parameters of the authorization request. */
  readonly parameters?: Readonly<Record<string, string>>
  /** Claim that says whether the address was verified. Default: `email_verified`. */
  readonly verifiedClaim?: string
  /** The response comes as a form from the provider's page (LG-100). */
  readonly formPost?: boolean
  /** Whether a verified address is told as text, `"true"`. */
  readonly verifiedAsText?: boolean
}

const email = 'email profile'

export const presets: Readonly<Record<string, Preset>> = {
  oidc: { kind: 'oidc', scope: email },
  google: {
    kind: 'oidc',
    issuer: 'https://accounts.google.com',
    userInfoURL: 'https://openidconnect.googleapis.com/v1/userinfo',
    scope: email
  },
  microsoft: { kind: 'oidc', issuer: 'https://login.microsoftonline.com/common/v2.0', scope: email },
  apple: {
    kind: 'oidc', issuer: 'https://appleid.apple.com', scope: 'email name', formPost: true, verifiedAsText: true,
    parameters: { response_mode: 'form_post' }
  },
  gitlab: { kind: 'oidc', issuer: 'https://gitlab.com', scope: email },
  linkedin: { kind: 'oidc', issuer: 'https://www.linkedin.com/oauth', scope: email },
  slack: { kind: 'oidc', issuer: 'https://slack.com', scope: email },
  keycloak: { kind: 'oidc', scope: email },
  auth0: { kind: 'oidc', scope: email },
  facebook: {
    kind: 'oauth2',
    authorizationURL: 'https://www.facebook.com/v21.0/dialog/oauth',
    tokenURL: 'https://graph.facebook.com/v21.0/oauth/access_token',
    userInfoURL: 'https://graph.facebook.com/v21.0/me?fields=id,name,first_name,last_name,middle_name,email',
    scope: 'email'
  },
  github: {
    kind: 'oauth2',
    authorizationURL: 'https://github.com/login/oauth/authorize',
    tokenURL: 'https://github.com/login/oauth/access_token',
    userInfoURL: 'https://api.github.com/user',
    emailsURL: 'https://api.github.com/user/emails',
    scope: 'user:email'
  },
  discord: {
    kind: 'oauth2',
    authorizationURL: 'https://discord.com/oauth2/authorize',
    tokenURL: 'https://discord.com/api/oauth2/token',
    userInfoURL: 'https://discord.com/api/users/@me',
    scope: 'identify email',
    verifiedClaim: 'verified'
  },
  x: {
    kind: 'oauth2',
    authorizationURL: 'https://x.com/i/oauth2/authorize',
    tokenURL: 'https://api.x.com/2/oauth2/token',
    userInfoURL: 'https://api.x.com/2/users/me',
    scope: 'users.read tweet.read'
  },
  /** Another Fastback: it describes itself, and tells by introspection whose a token is and what it may. */
  fastback: { kind: 'oauth2', isDescribed: true, verifiedClaim: 'emailVerified' },
  oauth2: { kind: 'oauth2' }
}

/** Modules whose work is done here, by the name of the preset that has their values. */
export const knownModules: Readonly<Record<string, string>> = {
  'passport-openidconnect': 'oidc',
  'passport-azure-ad': 'microsoft',
  'passport-google-oauth': 'google',
  'passport-google-oauth20': 'google',
  'passport-google-oauth2': 'google',
  'passport-github': 'github',
  'passport-github2': 'github',
  'passport-microsoft': 'microsoft',
  'passport-apple': 'apple',
  'passport-facebook': 'facebook',
  'passport-gitlab2': 'gitlab',
  'passport-discord': 'discord',
  'passport-linkedin-oauth2': 'linkedin',
  'passport-slack': 'slack',
  'passport-keycloak-oauth2-oidc': 'keycloak',
  'passport-oauth2': 'oauth2'
}

/** The same for ways in that are no redirect to a page of OAuth. */
export const otherModules: Readonly<Record<string, 'local' | 'ldap' | 'saml'>> = {
  'passport-local': 'local',
  'passport-ldapauth': 'ldap',
  'passport-saml': 'saml',
  '@node-saml/passport-saml': 'saml'
}
