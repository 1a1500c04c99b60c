/** The option `openid`: as it is written, checked and completed (openid.md, section 1). */
import { Type, type Static } from '@sinclair/typebox'
import type { Row } from '@fastback/core'
import { nearest } from '@fastback/core/remote'
import { InvalidOptionsError } from '../errors.js'

/** What signs. The first of the option is the default of a client. */
export const signingAlgorithms = ['RS256', 'ES256', 'PS256', 'EdDSA'] as const
export type SigningAlgorithm = typeof signingAlgorithms[number]

/** What a function of the option `claims` gets beside the user. */
export interface ClaimContext {
  /** Id of the client that will read the claim. */
  readonly clientId: string
  /** The granted scopes. */
  readonly scopes: readonly string[]
}

/**
 * Computes a claim: undefined, null and empty texts leave it out.
 *
 * ```js
 * const claims = { name: user => `${user.first} ${user.last}` }
 * ```
 * @param user the user's row, without password and verification token
 */
export type ClaimFunction = (user: Readonly<Row>, context: ClaimContext) => unknown

const Seconds = Type.Integer({ minimum: 1 })
const Path = Type.String({ pattern: '^/' })
const EndpointPath = Type.Union([Type.Literal(false), Path])
const Secret = Type.String({ minLength: 16 })
const Page = Type.String({ minLength: 1 })

export const KeysSchema = Type.Object({
  rotateEvery: Type.Optional(Seconds),
  publishBefore: Type.Optional(Seconds),
  keepAfter: Type.Optional(Seconds),
  secret: Type.Optional(Type.Union([Secret, Type.Array(Secret, { minItems: 1 })])),
  rsaBits: Type.Optional(Type.Integer({ minimum: 2048, maximum: 4096 }))
})

/** `claims`, `scopes` and `signingAlgorithms` are checked by hand: messages name what is wrong with them. */
export const OpenIdSchema = Type.Object({
  configurationPath: Type.Optional(Path),
  jwksPath: Type.Optional(Path),
  userinfoPath: Type.Optional(EndpointPath),
  endSessionPath: Type.Optional(EndpointPath),
  grantsPath: Type.Optional(EndpointPath),
  signingAlgorithms: Type.Optional(Type.Unsafe<SigningAlgorithm[]>(Type.Array(Type.String(), { minItems: 1 }))),
  keys: Type.Optional(KeysSchema),
  idTokenTTL: Type.Optional(Type.Integer({ minimum: 1, maximum: 86_400 })),
  claims: Type.Optional(Type.Unsafe<Readonly<Record<string, string | ClaimFunction>>>(Type.Object({}))),
  scopes: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String({ minLength: 1 })))),
  subject: Type.Optional(Type.Union([Type.Literal('public'), Type.Literal('pairwise')])),
  pairwiseSecret: Type.Optional(Secret),
  acrValues: Type.Optional(Type.Array(Type.String({ pattern: '^[\\x21-\\x7e]+$' }), { minItems: 3, maxItems: 3 })),
  offlineAccess: Type.Optional(Type.Boolean()),
  backchannelLogout: Type.Optional(Type.Boolean()),
  frontchannelLogout: Type.Optional(Type.Boolean()),
  secondFactorPage: Type.Optional(Page),
  registrationPage: Type.Optional(Page)
})
export type OpenIdOptions = Static<typeof OpenIdSchema>

export interface KeySettings {
  /** Seconds that a key signs. */
  readonly rotateEvery: number
  /** Seconds that a key is published before it signs. */
  readonly publishBefore: number
  /** Seconds that a key is published after the last token that it signed has expired. */
  readonly keepAfter: number
  /** The first seals, all open; none: development without a secret. */
  readonly secrets: readonly string[]
  readonly rsaBits: number
}

export interface OpenIdSettings {
  /** The first is the default of a client. `RS256` is among them (OI-13). */
  readonly signingAlgorithms: readonly SigningAlgorithm[]
  readonly keys: KeySettings
  /** Seconds. */
  readonly idTokenTTL: number
  readonly claims: Readonly<Record<string, string | ClaimFunction>>
  /** Scope → claims, the standard ones among them. */
  readonly scopes: ReadonlyMap<string, readonly string[]>
  readonly subject: 'public' | 'pairwise'
  readonly pairwiseSecret: string | undefined
  /** Names of the three levels: one factor, two factors, passkey with user verification. */
  readonly acrValues: readonly [string, string, string]
  readonly offlineAccess: boolean
  readonly backchannelLogout: boolean
  readonly frontchannelLogout: boolean
  readonly secondFactorPage: string
  /** Undefined: `prompt=create` is refused. */
  readonly registrationPage: string | undefined
}

/** Core, section 5.4. */
const standardScopes: ReadonlyArray<readonly [string, readonly string[]]> = [
  ['profile', [
    'name', 'family_name', 'given_name', 'middle_name', 'nickname', 'preferred_username', 'profile', 'picture',
    'website', 'gender', 'birthdate', 'zoneinfo', 'locale', 'updated_at'
  ]],
  ['email', ['email', 'email_verified']],
  ['phone', ['phone_number', 'phone_number_verified']],
  ['address', ['address']]
]

/** Claims that tokens are made of: no mapping may give them. */
export const reservedClaims: ReadonlySet<string> = new Set([
  'iss', 'sub', 'aud', 'exp', 'iat', 'nbf', 'jti', 'auth_time', 'nonce', 'acr', 'amr', 'azp', 'at_hash', 'c_hash', 'sid',
  'events', 'cnf', 'sub_jwk', '_claim_names', '_claim_sources'
])

/** What no claim can be made of (OI-73), at whatever depth. */
export const forbiddenProperties: ReadonlySet<string> = new Set([
  'password', 'verificationToken', 'realm', 'accessTokens', 'tokens', 'credentials', 'identities', '__proto__',
  'constructor', 'prototype'
])

/** What of the other options counts here. */
export interface OpenIdSurroundings {
  readonly issuer: string | undefined
  readonly sessionSecret: string | undefined
  readonly production: boolean
  readonly warn: (message: string) => void
}

/**
 * Checks the option and fills in what was left out.
 *
 * ```js
 * openIdSettings(true, { issuer: 'https://op.example', sessionSecret, production, warn }).idTokenTTL // 3600
 * ```
 * @param given undefined and false: there is no OpenID Connect
 * @throws FBK_OAUTH2_INVALID_OPTIONS (OI-02, OI-04, OI-35, OI-73)
 */
export function openIdSettings (
  given: boolean | OpenIdOptions | undefined, { issuer, sessionSecret, production, warn }: OpenIdSurroundings
): OpenIdSettings | undefined {
  if (given === undefined || given === false) return undefined
  const options = given === true ? {} : given
  warnOfUnknown(options, warn)
  if (production && issuer?.startsWith('https://') !== true) {
    throw new InvalidOptionsError('the option "issuer" is needed in production with "openid", and must be https.')
  }
  const keys = keySettings(options.keys, 'openid.keys.secret', { sessionSecret, production })
  const subject = options.subject ?? 'public'
  if (subject === 'pairwise' && options.pairwiseSecret === undefined) {
    throw new InvalidOptionsError('the option "openid.pairwiseSecret" is needed with "subject": "pairwise".')
  }
  checkClaims(options.claims ?? {})
  const [one, two, three] = options.acrValues ?? ['1fa', '2fa', 'phr']
  if (new Set([one, two, three]).size < 3) {
    throw new InvalidOptionsError('the option "openid.acrValues" must name three different levels.')
  }
  return {
    signingAlgorithms: algorithmSettings(options.signingAlgorithms ?? ['RS256'], 'openid.signingAlgorithms'),
    keys,
    idTokenTTL: options.idTokenTTL ?? 3600,
    claims: options.claims ?? {},
    scopes: scopes(options.scopes ?? {}),
    subject,
    pairwiseSecret: options.pairwiseSecret,
    acrValues: [one as string, two as string, three as string],
    offlineAccess: options.offlineAccess === true,
    backchannelLogout: options.backchannelLogout !== false,
    frontchannelLogout: options.frontchannelLogout === true,
    secondFactorPage: options.secondFactorPage ?? '/login/second-factor',
    registrationPage: options.registrationPage
  }
}

/** Where the endpoints of the option are; all undefined without it. */
export function openIdPaths (given: boolean | OpenIdOptions | undefined): {
  readonly configuration: string | undefined
  readonly jwks: string | undefined
  readonly userinfo: string | undefined
  readonly endSession: string | undefined
  readonly grants: string | undefined
} {
  if (given === undefined || given === false) {
    return { configuration: undefined, jwks: undefined, userinfo: undefined, endSession: undefined, grants: undefined }
  }
  const options = given === true ? {} : given
  const path = (path: string | false): string | undefined => path === false ? undefined : path
  return {
    configuration: options.configurationPath ?? '/.well-known/openid-configuration',
    jwks: options.jwksPath ?? '/oauth/jwks',
    userinfo: path(options.userinfoPath ?? '/oauth/userinfo'),
    endSession: path(options.endSessionPath ?? '/oauth/logout'),
    grants: path(options.grantsPath ?? '/oauth/grants')
  }
}

function warnOfUnknown (options: OpenIdOptions, warn: (message: string) => void): void {
  const known = Object.keys(OpenIdSchema.properties)
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) warn(`OAuth: there is no option "openid.${name}"${nearest(name, known) ?? ''}`)
  }
}

/**
 * How keys are kept.
 *
 * ```js
 * keySettings({ secret: 'a long random text' }, 'openid.keys.secret', { sessionSecret, production }).rsaBits // 2048
 * ```
 * @param option the name of the option of the secret
 * @throws FBK_OAUTH2_INVALID_OPTIONS without a secret in production (OI-35)
 */
export function keySettings (
  given: Static<typeof KeysSchema> = {}, option: string,
  { sessionSecret, production }: Pick<OpenIdSurroundings, 'sessionSecret' | 'production'>
): KeySettings {
  const secrets = [given.secret ?? sessionSecret ?? []].flat()
  if (production && secrets.length === 0) {
    throw new InvalidOptionsError(`the option "${option}", or "session.secret", is needed in production.`)
  }
  return {
    rotateEvery: given.rotateEvery ?? 7_776_000,
    publishBefore: given.publishBefore ?? 86_400,
    keepAfter: given.keepAfter ?? 86_400,
    secrets,
    rsaBits: given.rsaBits ?? 2048
  }
}

/** Scopes that are about the user and this server: standard ones, and those of the option. */
export const openIdScopes = ({ scopes }: OpenIdSettings): readonly string[] =>
  ['openid', 'offline_access', ...scopes.keys()]

/**
 * What signs, RS256 among them (OI-13).
 *
 * ```js
 * algorithmSettings(['ES256'], 'openid.signingAlgorithms') // ['ES256', 'RS256']
 * ```
 * @param option its name
 * @throws FBK_OAUTH2_INVALID_OPTIONS
 */
export function algorithmSettings (given: readonly SigningAlgorithm[], option: string): readonly SigningAlgorithm[] {
  for (const name of given) {
    if (signingAlgorithms.includes(name)) continue
    throw new InvalidOptionsError(
      `the option "${option}" names "${name}", which is not one of ${signingAlgorithms.join(', ')}.`
    )
  }
  return [...new Set([...given, 'RS256' as const])]
}

function checkClaims (claims: Readonly<Record<string, unknown>>): void {
  for (const [claim, from] of Object.entries(claims)) {
    const name = `the option "openid.claims.${claim}"`
    if (reservedClaims.has(claim)) throw new InvalidOptionsError(`${name} names a claim that no property can give.`)
    if (typeof from === 'function') continue
    if (typeof from !== 'string' || from === '') {
      throw new InvalidOptionsError(`${name} must be the name of a property, a dotted path or a function.`)
    }
    const forbidden = from.split('.').find(part => forbiddenProperties.has(part))
    if (forbidden !== undefined) {
      throw new InvalidOptionsError(`${name} reads "${forbidden}", which is never given to clients.`)
    }
  }
}

function scopes (given: Readonly<Record<string, readonly string[]>>): ReadonlyMap<string, readonly string[]> {
  for (const [scope, claims] of Object.entries(given)) {
    if (scope === 'openid' || scope === 'offline_access' || !/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope)) {
      throw new InvalidOptionsError(`the option "openid.scopes" names "${scope}", which cannot have claims.`)
    }
    const reserved = claims.find(claim => reservedClaims.has(claim))
    if (reserved !== undefined) {
      throw new InvalidOptionsError(`the option "openid.scopes.${scope}" names "${reserved}", which no scope can give.`)
    }
  }
  return new Map([...standardScopes, ...Object.entries(given)])
}
