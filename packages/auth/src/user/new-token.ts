/** Tokens that were being made while something about their account changed (security.md, S-43). */
import type { ModelClass, ModelInstance, Row } from '@fastback/core'
import { deleteById, findRowById } from '@fastback/core/remote'
import { quietly } from './own-options.js'
import { tokensOf, type UserModel } from './user-model.js'

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
