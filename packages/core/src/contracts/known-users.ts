/**
 * Which user models a registry has, for packages that know nothing of accounts: an id alone says whose something is
 * only where one model has users (security.md, S-44). Who keeps accounts fills it in.
 */
import type { MaybePromise } from '../maybe-promise.js'
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
  /**
   * Are told when users changed how they log in, or were locked or removed: who keeps something that lives by the
   * rights of a user, as a token does (security.md, S-73). Where one of them fails, the change fails.
   */
  readonly changed: Set<(event: UsersChanged) => MaybePromise<unknown>>
}

/** Users whose credentials are others than before. */
export interface UsersChanged {
  /** The name of their model. */
  readonly model: string
  readonly userIds: readonly unknown[]
  readonly reason: 'password' | 'email' | 'second factor' | 'deletion' | 'lock'
  /** The transaction of the change, where that is on this data source. */
  readonly transaction?: unknown
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
  registry.slot<KnownUsers>(kUsers, () => (
    { models: () => [], modelOf: byItself, lendToken: undefined, changed: new Set() }))

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
