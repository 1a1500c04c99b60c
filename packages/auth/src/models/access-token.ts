import { createsRow, type HookContext, type ModelClass, type ModelDefinitionInput } from '@fastback/core'
import { hashedIds } from '../tokens/hashed-ids.js'
import { isExternal } from '../user/external.js'
import { defaultMaxTtl, defaultTtl } from '../user/ttl.js'

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
  AccessToken.observe('before save', protect)
  const has = AccessToken as ModelClass & { DEFAULT?: string }
  has.DEFAULT = 'DEFAULT'
}

/** Who may make tokens from outside still does not choose their text, nor makes them last longer than a login could. */
function protect (context: HookContext): void {
  if (!isExternal(context.options)) return
  const target = (context.instance ?? context.data) as { id?: unknown, ttl?: unknown, created?: unknown }
  if (createsRow(context)) {
    delete target.id
    target.created = new Date()
  } else if (context.data !== undefined) delete target.created
  if (typeof target.ttl === 'number') target.ttl = Math.min(target.ttl, defaultMaxTtl)
}
