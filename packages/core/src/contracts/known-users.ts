/**
 * Which user models a registry has, for packages that know nothing of accounts: an id alone says whose something is
 * only where one model has users (security.md, S-44). Who keeps accounts fills it in.
 */
import type { ModelRegistry } from '../registry.js'

/** As much of a token as says whose it is. */
export interface TokenOfUser { readonly userId?: unknown, readonly principalType?: unknown }

export interface KnownUsers {
  /** Names of the models that have users; none where nobody keeps accounts. */
  models: () => readonly string[]
  /** The model whose user a token is of; undefined where that is not known. */
  modelOf: (token: TokenOfUser) => string | undefined
  /**
   * A text that requests of this process carry as `authorization` to be a user's, though nothing is stored of it.
   * Undefined where nobody reads tokens.
   */
  lendToken: ((user: LentTo) => Promise<string>) | undefined
}

/** A user by id, and with several user models the name of the model. */
export interface LentTo { readonly userId: string, readonly model?: string | undefined }

const kUsers = Symbol('fastback.knownUsers')

/** `USER` is what tokens say that are of the only user model: others of the same user say nothing. */
const byItself = ({ principalType }: TokenOfUser): string | undefined =>
  typeof principalType === 'string' && principalType !== '' && principalType !== 'USER' ? principalType : undefined

/**
 * What a registry knows of its users.
 *
 * ```js
 * knownUsersIn(app.registry).models() // ['Customer', 'Seller']
 * ```
 */
export const knownUsersIn = (registry: Pick<ModelRegistry, 'slot'>): KnownUsers =>
  registry.slot<KnownUsers>(kUsers, () => ({ models: () => [], modelOf: byItself, lendToken: undefined }))

/**
 * Whom a token is of, as a text that no user of another model has; undefined for a token without a user.
 *
 * ```js
 * userKeyOf(app.registry, { userId: 7, principalType: 'Customer' }) // '["Customer","7"]'
 * ```
 */
export function userKeyOf (
  registry: Pick<ModelRegistry, 'slot'>, token: TokenOfUser | null | undefined
): string | undefined {
  const userId = token?.userId
  if (token === null || token === undefined || userId === undefined || userId === null) return undefined
  const users = knownUsersIn(registry)
  // Tokens of a model that has its own need not name the users' model.
  const model = byItself(token) ?? (users.models().length > 1 ? users.modelOf(token) : undefined) ?? ''
  return JSON.stringify([model, String(userId)])
}
