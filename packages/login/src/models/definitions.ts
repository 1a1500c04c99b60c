/** The models, with the fields of LoopBack's component (LG-125), and what several processes share. */
import type { ModelDefinitionInput } from '@fastback/core'

const closed = { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' }
const forOwner = { principalType: 'ROLE', principalId: '$owner', permission: 'ALLOW' }
const text = { type: 'string', length: 255 }

/** Nobody sees tokens of providers over the network, nor asks about them (LG-96). */
const credentials = { type: 'object', hidden: true }
const account = {
  provider: text,
  authScheme: text,
  externalId: text,
  profile: 'object',
  credentials,
  created: 'date',
  modified: 'date'
}
const user = { type: 'belongsTo', model: 'User', foreignKey: 'userId' }
const rows = [closed, { ...forOwner, accessType: 'READ' }, { ...forOwner, property: 'deleteById' }]

export const identityDefinition: ModelDefinitionInput = {
  name: 'UserIdentity',
  plural: 'UserIdentities',
  base: 'PersistedModel',
  properties: {
    ...account,
    /** Whether the user was made by this account's first login, and has set no password since (LG-67). */
    madeUser: { type: 'boolean', hidden: true }
  },
  indexes: { UserIdentity_account: { keys: { provider: 1, externalId: 1 }, options: { unique: true } } },
  relations: { user },
  acls: rows
}

export const credentialDefinition: ModelDefinitionInput = {
  name: 'UserCredential',
  plural: 'UserCredentials',
  base: 'PersistedModel',
  properties: account,
  relations: { user },
  acls: rows
}

export const applicationCredentialDefinition: ModelDefinitionInput = {
  name: 'ApplicationCredential',
  plural: 'ApplicationCredentials',
  base: 'PersistedModel',
  properties: {
    provider: { ...text, required: true },
    authScheme: text,
    credentials,
    created: 'date',
    modified: 'date'
  },
  relations: { application: { type: 'belongsTo', model: 'Application', foreignKey: 'appId' } },
  acls: [closed]
}

/** What is used once: states of a login on its way, one-time codes, assertions that were seen. */
export const stateDefinition: ModelDefinitionInput = {
  name: 'LoginState',
  base: 'PersistedModel',
  idInjection: false,
  properties: {
    /** A digest: who reads the table cannot go on with a login. */
    id: { type: 'string', id: true, length: 300 },
    kind: 'string',
    /** The digest of the browser that it belongs to. */
    browser: { type: 'string', length: 128, index: true },
    data: 'object',
    created: 'date',
    expiredAt: { type: 'date', index: true }
  },
  acls: [closed]
}

export const sessionDefinition: ModelDefinitionInput = {
  name: 'LoginSession',
  base: 'PersistedModel',
  idInjection: false,
  properties: {
    /** The digest of the cookie. */
    id: { type: 'string', id: true, length: 300 },
    /** What the account page calls it; opens nothing. */
    name: { type: 'string', length: 64 },
    userModel: { type: 'string', length: 128 },
    userId: { type: 'string', length: 128, index: true },
    data: 'object',
    agent: { type: 'string', length: 255 },
    created: 'date',
    lastUsed: 'date',
    expiredAt: { type: 'date', index: true }
  },
  acls: [closed]
}
