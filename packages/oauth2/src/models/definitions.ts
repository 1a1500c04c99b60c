/**
 * The models, with the fields of LoopBack's component and those that single use and revocation need (oauth2.md, section
 * 12).
 */
import { defineModel, type ModelDefinitionInput } from '@fastback/core'

const text = { type: 'string' } as const
const texts = ['string'] as const
const closed = [{ principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' }] as const

/**
 * What tokens, codes and permissions have in common. `userId` comes with the relation to the user model and has the
 * type of its ids.
 */
const granted = {
  appId: { type: 'string', length: 128, index: true },
  issuedAt: 'date',
  /** Seconds. */
  expiresIn: 'number',
  expiredAt: { type: 'date', index: true },
  scopes: texts
} as const
const digestId = { type: 'string', id: true, length: 300 } as const
const parameters = [{ name: 'string', value: 'string' }] as const

export const accessTokenDefinition = defineModel({
  name: 'OAuthAccessToken',
  base: 'PersistedModel',
  idInjection: false,
  properties: {
    /** The digest of the token. */
    id: digestId,
    ...granted,
    parameters,
    /** The digest of the code that the token was given for. */
    authorizationCode: text,
    /** The digest of the refresh token. */
    refreshToken: { type: 'string', index: true },
    tokenType: { type: 'string', default: 'Bearer', enum: ['Bearer', 'MAC', 'DPoP'] },
    hash: text,
    /** Everything that came of one authorization has the same. */
    grantId: { type: 'string', index: true },
    /** When the last refresh token of the grant ends. */
    grantExpiredAt: 'date',
    refreshTokenExpiredAt: 'date',
    refreshTokenSpent: { type: 'boolean', default: false },
    /**
     * When it was presented; null again when the grant was ended, after which the option `refreshTokenGrace` forgives
     * nothing.
     */
    refreshTokenSpentAt: 'date',
    revoked: { type: 'boolean', default: false },
    resource: texts,
    jkt: text,
    /** What the grant covers; `scopes` may be less. */
    originalScopes: texts
  },
  acls: closed
})

export const authorizationCodeDefinition = defineModel({
  name: 'OAuthAuthorizationCode',
  base: 'PersistedModel',
  idInjection: false,
  properties: {
    id: digestId,
    ...granted,
    parameters,
    used: { type: 'boolean', default: false },
    redirectURI: text,
    hash: text,
    codeChallenge: text,
    codeChallengeMethod: text,
    grantId: text,
    /** Whether the authorization request named the redirect URI. */
    redirectURIGiven: 'boolean',
    resource: texts
  },
  acls: closed
})

/** `userId` of its index comes with the relation. */
export const permissionDefinition = {
  name: 'OAuthPermission',
  base: 'PersistedModel',
  properties: granted,
  indexes: { OAuthPermission_client_user: { keys: { appId: 1, userId: 1 }, options: { unique: true } } },
  acls: closed
} as const satisfies ModelDefinitionInput

export const scopeDefinition = defineModel({
  name: 'OAuthScope',
  base: 'PersistedModel',
  idInjection: false,
  properties: { scope: { type: 'string', id: true, length: 255 }, description: text, iconURL: text, ttl: 'number' },
  acls: closed
})

export const scopeMappingDefinition = defineModel({
  name: 'OAuthScopeMapping',
  base: 'PersistedModel',
  properties: { scope: { type: 'string', length: 255, index: true }, route: text },
  acls: closed
})

/** Properties of the base model that clients do not have. */
const switchedOff = {
  callbackUrls: false,
  permissions: false,
  authenticationEnabled: false,
  anonymousAllowed: false,
  authenticationSchemes: false,
  icon: false,
  url: false
} as const

export const clientDefinition = defineModel({
  name: 'OAuthClientApplication',
  base: 'Application',
  properties: {
    id: { type: 'string', id: true, length: 128 },
    clientType: { type: 'string', enum: ['public', 'confidential'] },
    redirectURIs: texts,
    tokenEndpointAuthMethod: {
      type: 'string',
      enum: ['none', 'client_secret_post', 'client_secret_basic', 'private_key_jwt']
    },
    grantTypes: texts,
    responseTypes: texts,
    tokenType: { type: 'string', enum: ['bearer', 'jwt', 'mac'] },
    clientSecret: { type: 'string', hidden: true },
    clientName: text,
    clientURI: text,
    logoURI: text,
    scopes: texts,
    contacts: texts,
    tosURI: text,
    policyURI: text,
    jwksURI: text,
    /** A JWK Set as text or object, or a PEM public key. */
    jwks: { type: 'any' },
    publicKey: text,
    softwareId: text,
    softwareVersion: text,
    resourceServer: 'boolean',
    requirePkce: 'boolean',
    allowedOrigins: texts,
    ...switchedOff
  },
  acls: closed
})

/**
 * What several processes must share: sessions, open transactions, assertions that were used, grants that were revoked.
 */
export const stateDefinition = defineModel({
  name: 'OAuthState',
  base: 'PersistedModel',
  idInjection: false,
  properties: {
    id: digestId,
    kind: text,
    data: 'object',
    expiredAt: { type: 'date', index: true },
    issuedAt: 'date',
    /** As text, whatever the type of the user model's ids. */
    userId: { type: 'string', length: 128, index: true }
  },
  acls: closed
})
