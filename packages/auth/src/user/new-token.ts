/** Tokens that were being made while something about their account changed (security.md, S-43). */
import type { ModelClass, ModelInstance, Row } from '@fastback/core'
import { deleteById, findRowById, mayCallBack } from '@fastback/core/remote'
import { isOwn } from '../builtin.js'
import { isLocked } from './locked.js'
import { quietly } from './own-options.js'
import { tokensOf, type User, type UserModel } from './user-model.js'

/**
 * Whether the account still has the password and the address that it had when `user` was read, and is locked no more
 * than then. Ask it after the token is stored: a change ends those before it.
 *
 * ```js
 * const token = await user.createAccessToken(3600)
 * if (!await isAsItWas(Customer, user)) await token.destroy()
 * ```
 */
export async function isAsItWas (Model: ModelClass, user: Readonly<Row>): Promise<boolean> {
  const now = await findRowById(Model.compiled, user[Model.getIdName() ?? 'id'], undefined, quietly(undefined))
  return now !== undefined && isLocked(now) === isLocked(user) && now.password === user.password &&
    now.email === user.email
}

export async function removeToken (Model: UserModel, token: ModelInstance): Promise<void> {
  const TokenModel = tokensOf(Model)?.TokenModel
  if (TokenModel !== undefined) await deleteById(TokenModel.compiled, token[TokenModel.getIdName() ?? 'id'])
}

/**
 * By `createAccessToken` of the user, which applications override with a call-back: `(ttl, next)` or
 * `(ttl, options, next)`. The built-in one is left alone with what a login says.
 *
 * ```js
 * const token = await newToken(user, 3600, {})
 * ```
 */
export async function newToken (user: User, given: unknown, options: object): Promise<ModelInstance> {
  const own = user.createAccessToken
  if (!isOwn(own)) return await user.createAccessToken(given)
  const values = own.length === 2 ? [given] : [given, options]
  const callsBack = mayCallBack(own, values.length)
  return await new Promise((resolve, reject) => {
    const next = (error: unknown, token: ModelInstance): void => { error ? reject(error as Error) : resolve(token) }
    const returned = (own as (...args: unknown[]) => unknown).call(user, ...values, ...(callsBack ? [next] : []))
    Promise.resolve(returned as ModelInstance).then(token => {
      // One that hands its call-back on, and promises nothing, still gives a token.
      if (token !== undefined || !callsBack) resolve(token)
    }, reject)
  })
}
