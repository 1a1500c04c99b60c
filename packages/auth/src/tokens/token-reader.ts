/** From the text of a token to the token: known, not expired, of a user that exists and is not locked. */
import type { MaybePromise, ModelClass, ModelInstance, Relation, Row } from '@fastback/core'
import { chain, isPromise } from '@fastback/core/connector'
import {
  deleteById,
  extendsModel,
  findRowById,
  forgetOnChange,
  instantiate,
  relationsOf
} from '@fastback/core/remote'
import { resultOf, isOwn } from '../builtin.js'
import { invalidAccessToken } from '../errors.js'
import { isClosed } from '../user/locked.js'
import { userModels, type UserModel } from '../user/user-model.js'
import { userModelsOf, type UserModels } from '../user/user-models.js'
import { measureCache, RecentCache, type RecentOptions } from '../recent-cache.js'

const quiet = { notify: false }

/** A token's row, with whether its user may have tokens that do not end. */
interface KnownToken {
  readonly row: Row
  readonly eternal: boolean
}

export class TokenReader {
  readonly #cache: RecentCache<KnownToken>
  readonly #users: UserModels
  readonly #userKey: string

  constructor (readonly TokenModel: ModelClass, options: RecentOptions) {
    this.#users = userModelsOf(TokenModel.registry)
    this.#userKey =
      (relationsOf(TokenModel).get('user') as (Relation & { readonly foreignKey?: string }) | undefined)
        ?.foreignKey ?? 'userId'
    this.#cache = new RecentCache(options)
    if (options.ttl > 0) measureCache(TokenModel.registry, 'tokens', this.#cache)
    const clear = (): void => { this.#cache.clear() }
    forgetOnChange(TokenModel, ['after save'], clear, context => context.isNewInstance !== true)
    forgetOnChange(TokenModel, ['after delete'], clear)
    for (const Model of userModels(TokenModel.registry)) {
      forgetOnChange(Model, ['after delete'], clear)
      // Also where tokens are to be kept (`preserveAccessTokens`): nobody's they are at once (security.md, S-190).
      forgetOnChange(Model, ['after save'], clear, ({ instance, data }) =>
        isClosed(Model, (instance ?? data ?? {}) as Row))
    }
  }

  /**
   * The token with one of these texts, or null.
   * @throws RequestError 401 INVALID_TOKEN for one that has expired; it is removed by that
   */
  read (texts: readonly string[], from = 0): MaybePromise<ModelInstance | null> {
    const text = texts[from]
    if (text === undefined) return null
    const found = this.#cache.getOr(text, () => this.#find(text))
    return chain(found, known => known === undefined ? this.read(texts, from + 1) : this.#accept(known))
  }

  #find (text: string): MaybePromise<KnownToken | undefined> {
    return chain(findRowById(this.TokenModel.compiled, text, undefined, quiet), row =>
      row === undefined
        ? undefined
        : chain(this.#owner(row), owner =>
          owner === null ? undefined : { row, eternal: owner?.settings.allowEternalTokens === true }
        )
    )
  }

  #accept ({ row, eternal }: KnownToken): MaybePromise<ModelInstance> {
    const model = this.TokenModel.compiled
    if (validatesItself(this.TokenModel)) return this.#judge(instantiate(model, { ...row }))
    if (isValid(row, eternal)) return instantiate(model, { ...row })
    const removed = deleteById(model, row[model.id?.name ?? 'id'])
    const refuse = (): never => { throw invalidAccessToken() }
    return isPromise(removed) ? removed.then(refuse) : refuse()
  }

  /** By `validate` of the application, which also decides what becomes of a token that has ended. */
  async #judge (token: ModelInstance): Promise<ModelInstance> {
    if (await resultOf(token.validate, token) !== true) throw invalidAccessToken()
    return token
  }

  /**
   * The model of the token's user. Undefined: the token is nobody's (an application's, for instance). Null: its user
   * does not exist (any more), or is locked.
   */
  #owner (row: Row): MaybePromise<UserModel | undefined | null> {
    const userId = row[this.#userKey]
    if (userId === undefined || userId === null) return undefined
    const Model = this.#users.ofToken(row, this.TokenModel)
    return Model === undefined || Model.dataSource === null
      ? null
      : chain(findRowById(Model.compiled, userId, undefined, quiet), user =>
        user === undefined || isClosed(Model, user) ? null : Model)
  }
}

/** Whether a token has not ended. `ttl` is in seconds; -1 does not end, where the user model allows that. */
export function isValid ({ ttl, created }: Row, eternal: boolean): boolean {
  if (ttl === -1) return eternal
  const begun = created instanceof Date ? created.getTime() : Number.NaN
  return typeof ttl === 'number' && ttl > 0 && begun + ttl * 1000 > Date.now()
}

/** Asked each time: boot scripts put it on the class at any time. */
const validatesItself = (TokenModel: ModelClass): boolean =>
  isOwn((TokenModel.prototype as { validate?: unknown }).validate) && extendsModel(TokenModel, 'AccessToken')
