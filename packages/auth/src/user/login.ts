/** Login and logout. */
import { setTimeout } from 'node:timers/promises'
import type { ModelInstance, OperationOptions } from '@fastback/core'
import { deleteRows, updateRows } from '@fastback/core/remote'
import { emailNotVerified, loginFailed, tokenNotFound, tokenRequiredToLogout } from '../errors.js'
import { authService } from '../service.js'
import { isOwn } from '../builtin.js'
import { meetsPolicy } from '../passwords/check-password.js'
import { isPasswordOf } from '../passwords/has-password.js'
import { isHash } from '../passwords/hasher.js'
import { isSameText } from '../same-text.js'
import { defaultResponseTime } from './response-time.js'
import { credentialsOf } from './credentials.js'
import { BY_CODE } from '../tokens/client-tokens.js'
import { quietly } from './own-options.js'
import { finishLogin } from './finish-login.js'
import { isClosed } from './locked.js'
import { tokenTtl } from './ttl.js'
import { onInstance, statically, tokensOf, type User, type UserModel } from './user-model.js'
import { tokenCondition } from './token-condition.js'

/**
 * `User.login({ email or username, password, realm, ttl }, [include], [callback])`: gives a token. All that is wrong
 * with name or password is answered alike, and takes the same time; so is the right password of a locked account.
 * @throws RequestError 400 for credentials that are none, 401 LOGIN_FAILED, 401 LOGIN_FAILED_EMAIL_NOT_VERIFIED (only
 * for the right password)
 */
export const login = statically(async (Model, [given, include]) => {
  const credentials =
    given !== null && typeof given === 'object' && !Array.isArray(given) ? (given as Record<string, unknown>) : {}
  const where = credentialsOf(Model, credentials)
  const { password } = credentials
  const service = authService(Model.registry)
  const ttl = tokenTtl(credentials.ttl, Model.settings)
  const { hasPassword: check } = Model.prototype as { hasPassword?: unknown }
  const refusal = isOwn(check) ? setTimeout(Model.settings.accountAnswerTime ?? defaultResponseTime) : undefined
  const user = await Model.findOne({ where })
  const isRight = refusal !== undefined && user !== null
    ? await isPassword(Model, user, password)
    : await service.hasher.verify(
      typeof password === 'string' ? password : '',
      typeof password === 'string' ? user?.password : undefined
    )
  if (user === null || !isRight || isClosed(Model, user)) {
    // How long the application's own function takes tells nothing of the account (security.md, S-46).
    await refusal
    service.audit({
      event: 'login failed',
      model: Model.modelName,
      userId: user?.[idName(Model)],
      account: where.email ?? where.username
    })
    throw loginFailed()
  }
  if (Model.settings.emailVerificationRequired === true && user.emailVerified !== true) {
    throw emailNotVerified(user[idName(Model)])
  }
  await rehash(Model, user, password as string)
  const isWeak = service.passwordPolicy !== undefined && !meetsPolicy(Model, password as string, user)
  const next = { ttl, include, realm: credentials.realm, ...isWeak ? { isWeak } : {} }
  const proven = await service.secondFactors(Model)?.atLogin(user, credentials, next)
  return await finishLogin(Model, user, { ttl, credentials, include, proven, isWeak })
})

/** By `hasPassword` of the application; where it fails, nobody is let in. */
async function isPassword (Model: UserModel, user: User, password: unknown): Promise<boolean> {
  if (typeof password !== 'string' || password === '') return false
  try {
    return await isPasswordOf(user, password)
  } catch (err) {
    Model.registry.log.warn({ err, model: Model.modelName }, 'hasPassword failed; the login is refused')
    return false
  }
}

/**
 * Hashes of bcrypt, or with weaker parameters, are made anew while the password is at hand, unless the application
 * makes or compares hashes itself. A change that came in between wins.
 */
async function rehash (Model: UserModel, user: User, password: string): Promise<void> {
  const { hasher } = authService(Model.registry)
  const old = user.password as string
  if (isOwn(Model.hashPassword) || isOwn((Model.prototype as { hasPassword?: unknown }).hasPassword)) return
  if (!await hasher.isOutdated(old)) return
  const hash = await hasher.hash(password)
  const where = { and: [{ [idName(Model)]: user[idName(Model)] }, { password: old }] }
  const { count } = await updateRows(Model.compiled, where, { password: hash }, quietly(undefined))
  if (count === 1) user.password = hash
}

const idName = (Model: { getIdName (): string | undefined }): string => Model.getIdName() ?? 'id'

/**
 * `User.logout(token, [callback])`: removes the token. One of another user model's is not this one's to end
 * (security.md, S-71).
 */
export const logout = statically(async (Model, [tokenId]) => {
  if (typeof tokenId !== 'string' || tokenId === '') throw tokenRequiredToLogout()
  const tokens = tokensOf(Model)
  if (tokens === undefined) throw tokenNotFound()
  const { count } = await deleteRows(
    tokens.TokenModel.compiled,
    tokenCondition(Model, tokens, { [tokens.TokenModel.getIdName() ?? 'id']: tokenId })
  )
  if (count === 0) throw tokenNotFound()
  authService(Model.registry).audit({ event: 'logout', model: Model.modelName })
})

/** `user.createAccessToken(ttl or { ttl, scopes }, [options], [callback])` */
export const createAccessToken = onInstance((user, Model, [given, options]) => {
  const data = given !== null && typeof given === 'object' ? given as Record<string, unknown> : { ttl: given }
  const tokens = user.accessTokens as { create (data: object, options?: OperationOptions): Promise<ModelInstance> }
  const byCode = options === undefined ? undefined : { ...options as OperationOptions, [BY_CODE]: true }
  return tokens.create({ ...data, ttl: tokenTtl(data.ttl, Model.settings) }, byCode)
})

/**
 * `user.hasPassword(plain, [callback])`. One that was not stored yet has the password that it was given: it is hashed
 * when it is saved, off the event loop.
 */
export const hasPassword = onInstance((user, Model, [plain]) => {
  const { password } = user
  if (typeof plain !== 'string' || plain === '' || typeof password !== 'string') return false
  return user.isNewRecord() && !isHash(password)
    ? isSameText(password, plain)
    : authService(Model.registry).hasher.verify(plain, password)
})
