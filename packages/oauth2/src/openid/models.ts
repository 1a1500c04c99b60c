/** What OpenID Connect stores: a model of its own, and fields of clients (OI-05, OI-06). */
import { defineModel } from '@fastback/core'

const texts = ['string'] as const

/**
 * Keys that sign (OI-34). Only where the option `openid` is on has it a table. Of two processes that make a key at the
 * same time the index lets one: the others take that row.
 */
export const keyDefinition = defineModel({
  name: 'OAuthKey',
  base: 'PersistedModel',
  idInjection: false,
  properties: {
    /** SHA-256 thumbprint of the public key (RFC 7638). */
    id: { type: 'string', id: true, length: 64 },
    alg: { type: 'string', required: true, length: 16 },
    /** Counts the keys of an algorithm. */
    generation: { type: 'number', required: true },
    publicKey: 'object',
    /** A compact JWE of the private JWK. */
    privateKey: { type: 'string', hidden: true, length: 20_000 },
    /** Of the key that seals `privateKey`. */
    salt: { type: 'string', hidden: true, length: 64 },
    state: { type: 'string', enum: ['next', 'current', 'past'], length: 16 },
    createdAt: 'date',
    currentFrom: 'date',
    pastFrom: 'date'
  },
  indexes: { OAuthKey_alg_generation: { keys: { alg: 1, generation: 1 }, options: { unique: true } } },
  acls: [{ principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' }]
})

/**
 * Fields that the client model has besides where the option `openid` is on: the tables of other applications stay as
 * they are.
 */
export const openIdClientProperties = {
  postLogoutRedirectURIs: { type: texts },
  backchannelLogoutURI: { type: 'string' },
  backchannelLogoutSessionRequired: { type: 'boolean' },
  idTokenSignedResponseAlg: { type: 'string' },
  userinfoSignedResponseAlg: { type: 'string' },
  subjectType: { type: 'string' },
  sectorIdentifierURI: { type: 'string' },
  /** Seconds. */
  defaultMaxAge: { type: 'number' },
  requireAuthTime: { type: 'boolean' },
  defaultAcrValues: { type: texts },
  dpopBoundAccessTokens: { type: 'boolean' },
  requirePushedAuthorizationRequests: { type: 'boolean' },
  /** A digest. */
  registrationAccessToken: { type: 'string', hidden: true },
  initiateLoginURI: { type: 'string' },
  /** No dialog; set by code only, never by registration (OI-114). */
  trusted: { type: 'boolean' }
} as const

/** With `frontchannelLogout`. */
export const frontChannelClientProperties = {
  frontchannelLogoutURI: { type: 'string' },
  frontchannelLogoutSessionRequired: { type: 'boolean' }
} as const
