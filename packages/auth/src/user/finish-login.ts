/** The end of a login: the token of a user who has proven everything that is to be proven. */
import type { ModelInstance, Row } from '@fastback/core'
import { setIncluded, updateRows } from '@fastback/core/remote'
import { loginFailed } from '../errors.js'
import type { Proven } from '../factors/second-factors.js'
import { isOwn } from '../builtin.js'
import { authService } from '../service.js'
import { isClosed } from './locked.js'
import { isAsItWas, newToken, removeToken } from './new-token.js'
import { quietly } from './own-options.js'
import { tokensOf, type User, type UserModel } from './user-model.js'

export interface Login {
  /** Seconds. */
  readonly ttl: number
  /** What the login said: for an application's own `createAccessToken`. */
  readonly credentials: Readonly<Record<string, unknown>>
  readonly include?: unknown
  /** Where the user model has second factors. */
  readonly proven?: Proven | undefined
  /** Whether the policy would refuse the password today. */
  readonly isWeak?: boolean
}

/**
 * A token, unless the account is locked, or password, address or factors were changed while it was made.
 * @throws RequestError 401 LOGIN_FAILED
 */
export async function finishLogin (
  Model: UserModel, user: User, { ttl, credentials, include, proven, isWeak = false }: Login
): Promise<ModelInstance> {
  if (isClosed(Model, user)) throw loginFailed()
  const token = await newLoginToken(Model, user, { ttl, credentials, amr: proven?.amr })
  if (!await isAsItWas(Model, user) || !await hasSameFactors(Model, user, proven)) {
    await removeToken(Model, token)
    throw loginFailed()
  }
  if (proven?.deviceToken !== undefined) token.deviceToken = proven.deviceToken
  if (includesUser(include)) setIncluded(token as Row, 'user', user as Row)
  authService(Model.registry).audit({
    event: 'login', model: Model.modelName, userId: user[Model.getIdName() ?? 'id'],
    ...proven === undefined ? {} : { amr: proven.amr },
    ...isWeak ? { passwordPolicy: 'refused' } : {}
  })
  return token
}

/**
 * A token that says how its user has proven who he is. The application's own `createAccessToken` knows nothing of
 * `amr`: it is stored with the token that it makes.
 *
 * ```js
 * const token = await newLoginToken(Customer, user, { ttl: 3600, amr: ['fed'] })
 * ```
 * @param login `ttl` in seconds; `credentials`: what the login said; `amr`: undefined where there are no second factors
 */
export async function newLoginToken (Model: UserModel, user: User, { ttl, credentials = {}, amr }: {
  readonly ttl: number
  readonly credentials?: object
  readonly amr?: readonly string[] | undefined
}): Promise<ModelInstance> {
  if (amr === undefined) return await newToken(user, ttl, credentials)
  if (!isOwn(user.createAccessToken)) return await user.createAccessToken({ ttl, amr })
  const token = await newToken(user, ttl, credentials)
  const TokenModel = tokensOf(Model)?.TokenModel
  if (TokenModel !== undefined) {
    const idName = TokenModel.getIdName() ?? 'id'
    await updateRows(TokenModel.compiled, { [idName]: token[idName] }, { amr }, quietly(undefined))
  }
  return token
}

/** A factor that was confirmed since ended the tokens of before: this one was made without it. */
const hasSameFactors = async (Model: UserModel, user: User, proven: Proven | undefined): Promise<boolean> =>
  proven?.hasFactors !== false ||
  (await authService(Model.registry).secondFactors(Model)?.of(user[Model.getIdName() ?? 'id']))?.length === 0

const includesUser = (include: unknown): boolean =>
  [include].flat().some(name => typeof name === 'string' && name.toLowerCase() === 'user')
