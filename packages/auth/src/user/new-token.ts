/** Tokens that were being made while something about their account changed (security.md, S-43). */
import type { ModelClass, ModelInstance, Row } from '@fastback/core'
import { callWithNext, deleteById, findRowById } from '@fastback/core/remote'
import { quietly } from './own-options.js'
import { tokensOf, type User, type UserModel } from './user-model.js'

/**
 * Whether the account still has the password and the address that it had when `user` was read. Ask it after the token
 * is stored: a change ends those before it.
 *
 * ```js
 * const token = await user.createAccessToken(3600)
 * if (!await isAsItWas(Customer, user)) await token.destroy()
 * ```
 */
export async function isAsItWas (Model: ModelClass, user: Readonly<Row>): Promise<boolean> {
  const now = await findRowById(Model.compiled, user[Model.getIdName() ?? 'id'], undefined, quietly(undefined))
  return now !== undefined && now.password === user.password && now.email === user.email
}

export async function removeToken (Model: UserModel, token: ModelInstance): Promise<void> {
  const TokenModel = tokensOf(Model)?.TokenModel
  if (TokenModel !== undefined) await deleteById(TokenModel.compiled, token[TokenModel.getIdName() ?? 'id'])
}

/**
 * By `createAccessToken` of the user, which applications override with a call-back: `(ttl, next)` or
 * `(ttl, options, next)`. The built-in one, whose parameters are any, is left alone with what a login says.
 *
 * ```js
 * const token = await newToken(user, 3600, {})
 * ```
 */
export async function newToken (user: User, given: unknown, options: object): Promise<ModelInstance> {
  const { length } = user.createAccessToken
  const create = user.createAccessToken.bind(user) as (...args: unknown[]) => unknown
  const created: unknown = await callWithNext(
    next => length === 0 ? create(given) : length > 2 ? create(given, options, next) : create(given, next), length > 1
  )
  return created as ModelInstance
}
