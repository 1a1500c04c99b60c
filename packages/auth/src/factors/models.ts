/**
 * Where second factors are kept: rows that no client reads, in the data source of the users. Ids of users are texts
 * here, whatever they are in their own model, and always with the name of that model (security.md, S-44).
 */
import { defineModel, type ModelClass, type ModelRegistry } from '@fastback/core'
import { InvalidOptionsError } from '../errors.js'

const closed = [{ principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' }]
const userKey = {
  userId: { type: 'string', length: 255, required: true, index: true },
  principalType: { type: 'string', length: 100, required: true }
} as const

/** One row for each factor of a user; that of recovery codes has all of them, a remembered device is one as well. */
const userFactorDefinition = defineModel({
  name: 'UserFactor',
  base: 'PersistedModel',
  strict: true,
  properties: {
    id: { type: 'string', id: true, length: 64 },
    ...userKey,
    kind: { type: 'string', length: 16, required: true },
    name: { type: 'string', length: 255 },
    secret: { type: 'string' },
    /** Names the secret that sealed `secret`. */
    keyId: { type: 'string', length: 32, index: true },
    data: { type: 'string' },
    confirmed: { type: 'boolean' },
    lastStep: { type: 'number' },
    counter: { type: 'number' },
    created: { type: 'date' },
    lastUsed: { type: 'date' }
  },
  hidden: ['secret', 'data', 'keyId', 'lastStep', 'counter'],
  acls: closed
})

/** What a login, or a registration of a factor, waits for. The id is the digest of what the client has. */
const userChallengeDefinition = defineModel({
  name: 'UserChallenge',
  base: 'PersistedModel',
  strict: true,
  properties: {
    id: { type: 'string', id: true, length: 64 },
    userId: { type: 'string', length: 255, index: true },
    principalType: { type: 'string', length: 100, required: true },
    purpose: { type: 'string', length: 32, required: true },
    /** Of password and address, when it was made. */
    version: { type: 'string', length: 64 },
    data: { type: 'string' },
    tries: { type: 'number', required: true },
    expires: { type: 'date', required: true, index: true }
  },
  hidden: ['data', 'version'],
  acls: closed
})

export interface FactorModels {
  readonly UserFactor: ModelClass
  readonly UserChallenge: ModelClass
}

const kModels = Symbol('fastback.factorModels')

/**
 * Defines and attaches both models, once for a registry.
 * @throws FBK_AUTH_INVALID_OPTIONS where the application has models of these names, or user models are in several data
 * sources and nothing says which of them has the factors
 */
export function attachFactorModels (registry: ModelRegistry, dataSource: string): FactorModels {
  const made = registry.slot<{ models?: FactorModels }>(kModels, () => ({}))
  if (made.models === undefined) {
    for (const { name } of [userFactorDefinition, userChallengeDefinition]) {
      if (registry.findModel(name) === undefined) continue
      throw new InvalidOptionsError(`second factors need a model with the name "${name}" for themselves; give that of the application another one`)
    }
    const [UserFactor, UserChallenge] = [userFactorDefinition, userChallengeDefinition].map(definition =>
      registry.defineModel(definition as never)) as unknown as [ModelClass, ModelClass]
    made.models = { UserFactor, UserChallenge }
  }
  const { UserFactor, UserChallenge } = made.models
  const attached = UserFactor.dataSource?.name
  if (attached !== undefined && attached !== dataSource) {
    throw new InvalidOptionsError(
      `users with second factors are in the data sources "${attached}" and "${dataSource}"; say in "secondFactors.dataSource" which of them has the factors`
    )
  }
  if (attached === undefined) {
    for (const Model of [UserFactor, UserChallenge]) registry.attach(Model, dataSource, { public: false })
  }
  return made.models
}
