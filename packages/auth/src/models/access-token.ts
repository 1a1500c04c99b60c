import { createsRow, type HookContext, type ModelClass, type ModelDefinitionInput } from '@fastback/core'
import { refuseDelegated } from '../tokens/delegated.js'
import { hashedIds } from '../tokens/hashed-ids.js'
import { isExternal } from '../user/external.js'
import { defaultMaxTtl, defaultTtl } from '../user/ttl.js'
import { userModels } from '../user/user-model.js'

/** Tokens are closed to everybody; their text is the id. */
export const accessTokenDefinition: ModelDefinitionInput = {
  name: 'AccessToken',
  base: 'PersistedModel',
  properties: {
    id: { type: 'string', id: true },
    ttl: { type: 'number', default: defaultTtl },
    scopes: { type: ['string'] },
    created: { type: 'date', default: '$now' }
  },
  relations: { user: { type: 'belongsTo', model: 'User', foreignKey: 'userId' } },
  acls: [{ principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' }],
  settings: { accessTokenIdLength: 64 }
}

export function setUpAccessToken (AccessToken: ModelClass): void {
  AccessToken.state.storeLayer = hashedIds
  // A program that a user gave a token to makes itself no login, and reads and ends none (security-second.md, S-72).
  for (const hook of ['access', 'before save'] as const) {
    AccessToken.observe(hook,
      ({ options }) => { refuseDelegated(options.accessToken) })
  }
  AccessToken.observe('before save', protect)
  const has = AccessToken as ModelClass & { DEFAULT?: string }
  has.DEFAULT = 'DEFAULT'
}

/** Who may make tokens from outside still does not choose their text, nor makes them last longer than a login could. */
function protect (context: HookContext): void {
  if (!isExternal(context.options)) return
  const target = (context.instance ?? context.data) as { id?: unknown, ttl?: unknown, created?: unknown, principalType?: unknown }
  if (createsRow(context)) {
    delete target.id
    target.created = new Date()
  } else if (context.data !== undefined) delete target.created
  if (typeof target.ttl === 'number') target.ttl = Math.min(target.ttl, maxTtlOf(context.Model as ModelClass, target.principalType))
}

/** The longest life of a token, in seconds: that of the user model it names; of several that it might be of the shortest. */
function maxTtlOf ({ registry }: ModelClass, principalType: unknown): number {
  const all = userModels(registry)
  const named = all.filter(({ modelName }) => modelName === principalType)
  return Math.min(defaultMaxTtl, ...(named.length > 0 ? named : all).map(({ settings }) => Number(settings.maxTTL ?? defaultMaxTtl)))
}
