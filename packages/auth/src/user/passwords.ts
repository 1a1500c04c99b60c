/** Changing, resetting and setting passwords. */
import type { ModelInstance, OperationOptions } from '@fastback/core'
import { deleteRows } from '@fastback/core/remote'
import { resultOf, isOwn } from '../builtin.js'
import {
  authorizationRequired,
  emailNotFound,
  invalidAccessToken,
  invalidCurrentPassword,
  missingArgument,
  resetNotVerified,
  userNotFound
} from '../errors.js'
import { checkPassword } from '../passwords/check-password.js'
import { isPasswordOf } from '../passwords/has-password.js'
import { isFreed } from '../passwords/freed.js'
import { ACCEPTED, acceptNewPassword } from '../passwords/new-password.js'
import { authService, isMailable } from '../service.js'
import { respondInTime } from './response-time.js'
import { isAsItWas, newToken, removeToken } from './new-token.js'
import { withTransaction } from './own-options.js'
import { isFromClient } from './reset-caller.js'
import { resetCondition } from './reset-condition.js'
import { defaultResetTtl } from './ttl.js'
import { onInstance, statically, tokensOf, type User, type UserModel } from './user-model.js'

/** Tokens that a reset made have it among their scopes: such a token changes a password once. */
export const resetScope = 'reset-password'

async function userWith (Model: UserModel, id: unknown, options: OperationOptions | undefined): Promise<User> {
  if (id === undefined || id === null) throw authorizationRequired()
  const user = await Model.findById(id, undefined, options)
  if (user === null) throw userNotFound(id, 401)
  return user
}

function mustBeGiven (values: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(values)) {
    if (typeof value !== 'string' || value === '') throw missingArgument(name)
  }
}

function mustBeLongEnough (Model: UserModel, newPassword: unknown, options: unknown): void {
  if (!isFreed(options as OperationOptions | undefined)) checkPassword(Model, newPassword, 'newPassword')
}

/** `User.changePassword(id, oldPassword, newPassword, [options], [callback])` */
export const changePassword = statically(async (Model, [id, oldPassword, newPassword, options]) => {
  mustBeGiven({ oldPassword, newPassword })
  // Before the account is looked up (OI-267).
  mustBeLongEnough(Model, newPassword, options)
  const user = await userWith(Model, id, options as OperationOptions)
  await callOwn(user, 'changePassword', [oldPassword, newPassword], options as OperationOptions)
})

/** `user.changePassword(oldPassword, newPassword, [options], [callback])` */
export const changeOwnPassword = onInstance((user, Model, [oldPassword, newPassword, options]) =>
  change(user, Model, oldPassword, newPassword, options as OperationOptions)
)

async function change (
  user: User,
  Model: UserModel,
  oldPassword: unknown,
  newPassword: unknown,
  options: OperationOptions | undefined
): Promise<void> {
  mustBeLongEnough(Model, newPassword, options)
  if (!(await isPasswordOf(user, oldPassword))) {
    authService(Model.registry).audit({ event: 'password change failed', model: Model.modelName, userId: user.id })
    throw invalidCurrentPassword()
  }
  await callOwn(user, 'setPassword', [newPassword], options)
}

/** The account's own function. One of the application's with one parameter more than the values gets no options. */
async function callOwn (
  user: User, name: 'changePassword' | 'setPassword', values: readonly unknown[], options: OperationOptions | undefined
): Promise<void> {
  const own: unknown = user[name]
  if (!isOwn(own)) await (own as (...args: unknown[]) => unknown).call(user, ...values, options)
  else await resultOf(own, user, ...values, ...(own.length === values.length + 1 ? [] : [options]))
}

/** `User.setPassword(id, newPassword, [options], [callback])` */
export const setPassword = statically(async (Model, [id, newPassword, options]) => {
  mustBeGiven({ newPassword })
  mustBeLongEnough(Model, newPassword, options)
  const user = await userWith(Model, id, options as OperationOptions)
  // What is refused does not use the token up.
  const isFree = isFreed(options as OperationOptions | undefined)
  await acceptNewPassword(Model, newPassword, 'newPassword', { accounts: [user], isFree })
  await useUp(Model, (options as OperationOptions | undefined)?.accessToken as ModelInstance | undefined)
  await callOwn(user, 'setPassword', [newPassword], { ...options, [ACCEPTED]: newPassword })
})

/** `user.setPassword(newPassword, [options], [callback])` */
export const setOwnPassword = onInstance((user, _Model, [newPassword, options]) =>
  set(user, newPassword, options as OperationOptions)
)

async function set (user: User, password: unknown, options: OperationOptions | undefined): Promise<void> {
  await user.patchAttributes({ password }, { ...options, setPassword: true })
}

/** A token of a reset works once, also when two requests come at the same time (security.md, S-42). */
async function useUp (Model: UserModel, token: ModelInstance | undefined): Promise<void> {
  const TokenModel = tokensOf(Model)?.TokenModel
  if (TokenModel === undefined || !Array.isArray(token?.scopes) || !token.scopes.includes(resetScope)) return
  const idName = TokenModel.getIdName() ?? 'id'
  const { count } = await deleteRows(TokenModel.compiled, { [idName]: token[idName] })
  if (count === 0) throw invalidAccessToken()
}

/**
 * `User.resetPassword({ email, realm }, [callback])`: makes a token and tells the application by the event
 * `resetPasswordRequest`, with `{ email, accessToken, user, options }`; the application sends the mail. To a client an
 * unknown address, and one that must be verified first, is answered like any other, and makes nothing (security.md,
 * S-46). The token is made while the response waits for its time (`accountAnswerTime`), which tells nothing either.
 * @throws RequestError 400 EMAIL_REQUIRED; to code of the application, and to clients where the model has
 * `allowUserEnumeration`, 404 EMAIL_NOT_FOUND and 401 RESET_FAILED_EMAIL_NOT_VERIFIED
 */
export const resetPassword = statically(async (Model, [given]) => {
  const { settings } = Model
  const options = (given ?? {}) as Record<string, unknown>
  const isClient = isFromClient(Model, options)
  const user = await Model.findOne({ where: resetCondition(Model, options, isClient) })
  const isUnverified = user !== null && settings.emailVerificationRequired === true && user.emailVerified !== true
  if ((user === null || isUnverified) && (!isClient || settings.allowUserEnumeration === true)) {
    throw user === null ? emailNotFound() : resetNotVerified()
  }
  // Nobody reads what goes to an address that was made up; the response takes as long.
  const makes = user === null || isUnverified || !isMailable(Model.registry, user.email)
    ? undefined
    : () => request(Model, user, options)
  if (isClient) await respondInTime(Model, makes, 'a password reset failed')
  else await makes?.()
})

/** Whether tokens of a reset are good for the new password alone, and are no logins. */
export const resetsOnly = (Model: UserModel): boolean =>
  Model.settings.restrictResetPasswordTokenScope === true ||
  authService(Model.registry).secondFactors(Model) !== undefined

async function request (Model: UserModel, user: User, options: object): Promise<void> {
  const { resetPasswordTokenTTL = defaultResetTtl } = Model.settings
  const scopes = resetsOnly(Model) ? [resetScope] : ['DEFAULT', resetScope]
  const wanted = { ttl: resetPasswordTokenTTL, scopes }
  // One of the application's own takes a number, or reads the options.
  const own = user.createAccessToken
  const accessToken = isOwn(own)
    ? await newToken(user, own.length > 2 ? wanted : resetPasswordTokenTTL, wanted)
    : await user.createAccessToken(wanted, withTransaction(undefined))
  if (!await isAsItWas(Model, user)) {
    await removeToken(Model, accessToken)
    return
  }
  authService(Model.registry).audit({
    event: 'password reset requested',
    model: Model.modelName,
    userId: user[Model.getIdName() ?? 'id']
  })
  // The caller is answered first, as in LoopBack; what a listener throws is nobody's answer.
  setImmediate(() => {
    try {
      Model.emit('resetPasswordRequest', { email: user.email, accessToken, user, options })
    } catch (err) {
      Model.registry.log.warn({ err, model: Model.modelName }, 'a listener to "resetPasswordRequest" failed')
    }
  })
}
