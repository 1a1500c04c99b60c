/**
 * Tokens that were made before they named a user model, and folders that do not say whose they are (security.md, S-71).
 */
import type { ModelClass, ModelRegistry } from '@fastback/core'
import { countRows, updateRows } from '@fastback/core/remote'
import { InvalidOptionsError, TokenColumnError } from '../errors.js'
import { quietly } from '../user/own-options.js'
import { tokensOf } from '../user/user-model.js'
import { userModelsOf } from '../user/user-models.js'
import { discriminator } from './name-tokens.js'

/** User models that share a token model whose rows do not tell them apart. */
export interface UntypedTokens {
  readonly TokenModel: ModelClass
  readonly users: readonly ModelClass[]
}

/**
 * What of a registry's models makes the tokens of one user those of another, as far as relations and rows go; undefined
 * where they tell models apart, or only one user model in use has its tokens there. The option `untypedTokens` does not
 * count: for tools that look at a folder.
 *
 * ```js
 * untypedTokens(registry.getModel('AccessToken'))?.users.map(({ modelName }) => modelName) // ['Customer', 'Merchant']
 * ```
 */
export function untypedTokens (TokenModel: ModelClass): UntypedTokens | undefined {
  const users = userModelsOf(TokenModel.registry)
  const makers = users.makersOf(TokenModel)
  return makers.length < 2 || makers.every(Model => users.namesItself(Model))
    ? undefined
    : { TokenModel, users: makers }
}

/**
 * Says what happens to tokens whose rows do not tell whose they are. LoopBack takes such a token for that of any user
 * with its id; here new ones name their model, and those of before are nobody's until the folder says more.
 * @throws FBK_AUTH_INVALID_OPTIONS for an option that names no user model
 */
export function checkUntypedTokens (TokenModel: ModelClass): void {
  const { untyped, attached } = userModelsOf(TokenModel.registry)
  if (typeof untyped === 'string' && !attached.some(({ modelName }) => modelName === untyped)) {
    throw new InvalidOptionsError(
      `the option "untypedTokens" names "${untyped}", which is no user model that is attached. ` +
        `There are ${names(attached)}.`
    )
  }
  const shared = untyped === undefined ? untypedTokens(TokenModel) : undefined
  if (shared === undefined) return
  TokenModel.registry.log.warn(
    { model: TokenModel.modelName, users: shared.users.map(({ modelName }) => modelName) },
    `The user models ${names(shared.users)} share the token model "${TokenModel.modelName}", whose relations compare ids ` +
      'only. Every new token names its model; those of before, and principals of the type "USER", are nobody\'s. ' + howToName
  )
}

const howToName =
  'Make both relations polymorphic: "accessTokens" of each user model with "polymorphic": { "foreignKey": "userId", ' +
  '"discriminator": "principalType" }, and "user" of a token model of your own with the same and an "idType". Or ' +
  'say whose they are with untypedTokens of "auth" in config.json: the name of a user model (false: nobody, and no warning).'

const names = (models: readonly ModelClass[]): string => models.map(({ modelName }) => `"${modelName}"`).join(', ')

/**
 * Stores the model's name in rows that were made without one, where it is known whose they are. What nobody is known to
 * own stays, and opens nothing.
 * @throws FBK_AUTH_TOKEN_COLUMN where the table has no such column
 */
export async function nameOldTokens (registry: ModelRegistry): Promise<void> {
  const users = userModelsOf(registry)
  for (const TokenModel of users.namedTokens) {
    const owner = users.ofUnnamed(TokenModel)
    const where = { [discriminator]: null, [keyOf(users.attached, TokenModel)]: { neq: null } }
    try {
      if (owner === undefined) {
        tellOfUnnamed(TokenModel, await countRows(TokenModel.compiled, where, quietly(undefined)))
      } else await updateRows(TokenModel.compiled, where, { [discriminator]: owner.modelName }, quietly(undefined))
    } catch (err) {
      const { code } = err as { code?: unknown }
      if (code === 'FBK_SQL_COLUMN_MISSING') throw new TokenColumnError(TokenModel.modelName, discriminator)
      registry.log.warn({ err, model: TokenModel.modelName }, 'Tokens that name no user model could not be looked for')
    }
  }
}

function tellOfUnnamed ({ registry, modelName }: ModelClass, count: number): void {
  if (count === 0) return
  const advice = 'set "auth.untypedTokens" to the model that they are of, or remove them'
  registry.log.warn({ model: modelName, count }, `Tokens that name no user model are nobody's; ${advice}`)
}

const keyOf = (users: readonly ModelClass[], TokenModel: ModelClass): string =>
  users.map(tokensOf).find(tokens => tokens?.TokenModel === TokenModel)?.foreignKey ?? 'userId'
