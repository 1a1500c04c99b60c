import {
  defineModel,
  isRemote,
  type HookContext,
  type MaybePromise,
  type ModelClass,
  type Row
} from '@fastback/core'
import { chain } from '@fastback/core/connector'
import { createsRow, findRowById, relationsOf, setStoreLayer } from '@fastback/core/remote'
import { resultOf, isOwn } from '../builtin.js'
import { TokenIdError } from '../errors.js'
import { refuseDelegated } from '../tokens/delegated.js'
import { hashedIds } from '../tokens/hashed-ids.js'
import { narrowScopes, withoutClaims } from '../tokens/client-tokens.js'
import { discriminator, nameTokens } from '../tokens/name-tokens.js'
import { tokenMethods, tokenStatics } from '../tokens/token-statics.js'
import { mayBeToken } from '../tokens/token-text.js'
import { typeUserKeys } from '../tokens/user-key.js'
import { quietly } from '../user/own-options.js'
import { defaultMaxTtl, defaultTtl } from '../user/ttl.js'
import { userModels } from '../user/user-model.js'
import { userModelsOf } from '../user/user-models.js'

/** Tokens are closed to everybody; their text is the id. */
export const accessTokenDefinition = defineModel({
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
})

export function setUpAccessToken (AccessToken: ModelClass): void {
  setStoreLayer(AccessToken, hashedIds)
  // A program that a user gave a token to makes itself no login, and reads and ends none (security.md, S-72).
  for (const hook of ['access', 'before save'] as const) {
    AccessToken.observe(hook, ({ options }) => { refuseDelegated(options.accessToken) })
  }
  AccessToken.observe('before save', nameOwner)
  AccessToken.observe('before save', protect)
  AccessToken.observe('before save', giveOwnId)
  AccessToken.registry.on('closing', () => {
    nameTokens(AccessToken.registry)
    typeUserKeys(AccessToken.registry)
  })
  Object.assign(AccessToken, tokenStatics)
  Object.assign(AccessToken.prototype, tokenMethods)
}

/**
 * Tokens that code makes without a relation are of the only model that they can be of. Anyone who changes one from
 * outside does not make it another's.
 */
function nameOwner (context: HookContext): MaybePromise<void> {
  const Model = context.Model as ModelClass
  const users = userModelsOf(Model.registry)
  if (users.attached.length < 2) return
  const target = (context.instance ?? context.data) as Row
  if (createsRow(context)) {
    if (users.namedTokens.has(Model) && (target[discriminator] ?? null) === null) {
      const owner = users.ofUnnamed(Model)
      if (owner !== undefined) target[discriminator] = owner.modelName
    }
    return
  }
  if (!isRemote(context.options)) return
  delete target[discriminator]
  if (context.instance === undefined) return
  const { compiled } = Model
  return chain(findRowById(compiled, target[compiled.id?.name ?? 'id'], undefined, quietly(context.options)), row => {
    if (row !== undefined) target[discriminator] = row[discriminator]
  })
}

/**
 * Who may make tokens from outside still does not choose their text, nor makes them last longer than a login could, nor
 * open more than their own (security.md, S-159). One that is there stays its user's, and as old and as good as it is.
 */
function protect (context: HookContext): MaybePromise<void> {
  if (!isRemote(context.options)) return
  const target = (context.instance ?? context.data) as Row
  const { registry } = context.Model as ModelClass
  withoutClaims(registry, target, createsRow(context), context.options)
  if (createsRow(context)) {
    delete target.id
    target.created = new Date()
    narrowScopes(target, context.options)
  }
  if (typeof target.ttl === 'number') {
    target.ttl = Math.min(target.ttl, maxTtlOf(context.Model as ModelClass, target.principalType))
  }
  if (!createsRow(context)) return leaveSettled(context)
}

/** Puts back what no client changes of a token. */
function leaveSettled ({ instance, data, options, ...context }: HookContext): MaybePromise<void> {
  const Model = context.Model as ModelClass
  const settled = ['created', 'scopes', 'amr', 'authTime', 'appId', userKeyOfTokens(Model)]
  for (const name of settled) delete (data as Row | undefined)?.[name]
  if (instance === undefined) return
  const { compiled } = Model
  return chain(findRowById(compiled, instance[compiled.id?.name ?? 'id'], undefined, quietly(options)), row => {
    for (const name of row === undefined ? [] : settled) {
      if (row?.[name] !== undefined) instance[name] = row[name]
      else Reflect.deleteProperty(instance, name)
    }
  })
}

/** The property that says whose a token is. */
const userKeyOfTokens = (Model: ModelClass): string =>
  (relationsOf(Model).get('user') as { readonly foreignKey?: string } | undefined)?.foreignKey ?? 'userId'

/** The text of a new token, where the application makes it; the built-in one is made where tokens are stored. */
async function makeOwnId (Model: ModelClass, target: Row): Promise<void> {
  const id = await resultOf(Model.createAccessTokenId, Model)
  if (typeof id !== 'string' || !mayBeToken(id)) throw new TokenIdError(Model.modelName)
  target[Model.getIdName() ?? 'id'] = id
}

function giveOwnId (context: HookContext): MaybePromise<void> {
  const Model = context.Model as ModelClass
  const target = (context.instance ?? context.data) as Row
  if (!isOwn(Model.createAccessTokenId) || !createsRow(context)) return
  return (target[Model.getIdName() ?? 'id'] ?? '') === '' ? makeOwnId(Model, target) : undefined
}

/**
 * The longest life of a token, in seconds: that of the user model it names; of several that it might be of the
 * shortest.
 */
function maxTtlOf ({ registry }: ModelClass, principalType: unknown): number {
  const all = userModels(registry)
  const named = all.filter(({ modelName }) => modelName === principalType)
  return Math.min(
    defaultMaxTtl,
    ...(named.length > 0 ? named : all).map(({ settings }) => Number(settings.maxTTL ?? defaultMaxTtl))
  )
}
