/** What the endpoints of second factors do. */
import type { OperationOptions } from '@fastback/core'
import { loginOfToken, meets } from '../assurance/assurance.js'
import { attemptsOf } from '../attempts/service.js'
import { accountId } from '../attempts/account-keys.js'
import { challengeInvalid, deviceNotFound, emailNotVerified, loginFailed, secondFactorFailed, userNotFound } from '../errors.js'
import { isPasswordOf } from '../passwords/has-password.js'
import { authService, type ProvenLogin } from '../service.js'
import { finishLogin } from '../user/finish-login.js'
import { statically, type User, type UserModel } from '../user/user-model.js'
import { idOfUser } from './account.js'
import { addToToken, tellOfFactors } from './changes.js'
import type { FactorRow } from './factor-rows.js'
import type { Proof, SecondFactors } from './second-factors.js'

type Body = Readonly<Record<string, unknown>>

export const bodyOf = (given: unknown): Body =>
  given !== null && typeof given === 'object' && !Array.isArray(given) ? given as Body : {}

/** @throws RequestError 404 USER_NOT_FOUND */
export async function userWith (Model: UserModel, id: unknown): Promise<User> {
  const user = await Model.findById(id)
  if (user === null) throw userNotFound(id)
  return user
}

/**
 * A session alone changes no factor (security.md, S-119): its password is asked for, counted for the account.
 * @throws RequestError 401 LOGIN_FAILED; TooManyAttempts 429
 */
export async function provePassword (Model: UserModel, user: User, password: unknown): Promise<void> {
  const userId = idOfUser(Model, user)
  const reservation = await attemptsOf(Model.registry).users?.reserve({
    what: 'password of factors', name: accountId(Model.modelName, userId), address: null
  })
  if (!await isPasswordOf(user, password)) {
    authService(Model.registry).audit({ event: 'password of a second factor failed', model: Model.modelName, userId })
    throw loginFailed()
  }
  await reservation?.succeeded()
}

/** The proofs of these kinds, of what a request gives. */
export const only = (given: Body, ...names: string[]): Proof =>
  Object.fromEntries(names.filter(name => given[name] !== undefined).map(name => [name, given[name]]))

/** Seconds that a login stands for what it proved. */
export const young = 300

/**
 * Of a user who has a factor (security.md, S-119): by a code, or by a login with two factors that is young, for those
 * who have passkeys alone.
 * @throws RequestError 401 SECOND_FACTOR_FAILED; TooManyAttempts 429
 */
export async function proveFactorThere (
  factors: SecondFactors, user: User, own: readonly unknown[], body: Body, accessToken: object | undefined
): Promise<void> {
  if (own.length === 0 || meets(loginOfToken(accessToken), { acr: '2fa', maxAge: young })) return
  await factors.prove(user, only(body, 'otp', 'recoveryCode'))
}

const describe = (row: FactorRow): Body =>
  ({ id: row.id, name: row.name ?? null, created: row.created, lastUsed: row.lastUsed ?? null })

async function tellOfProof (login: ProvenLogin): Promise<void> {
  const { Model: { registry, modelName }, userId } = login
  for (const tell of authService(registry).factorProven) {
    try {
      await tell(login)
    } catch (err) {
      registry.log.warn({ err, model: modelName, userId }, 'what waited for a second factor could not be done')
    }
  }
}

export const tokenIn = (options: unknown): object | undefined =>
  (options as OperationOptions | undefined)?.accessToken as object | undefined

/**
 * The functions of one user model, with a promise or a call-back each.
 */
export const factorFunctions = (
  Model: UserModel, factors: SecondFactors
): Record<string, (...args: any[]) => unknown> => ({
  /** `User.secondFactor({ challenge, otp, … })`: the token of a login that waited (OI-212). */
  secondFactor: statically(async (_, [data]) => {
    const { user, next, ...proven } = await factors.finish(bodyOf(data), id => Model.findById(id), challengeInvalid)
    const { ttl, include, realm, isWeak, first } = next
    // Who came by an account elsewhere needs no address here.
    if (Model.settings.emailVerificationRequired === true && user.emailVerified !== true && first === undefined) {
      throw emailNotVerified(idOfUser(Model, user))
    }
    const credentials = { ttl, ...realm === undefined ? {} : { realm } }
    const token = await finishLogin(Model, user, {
      ttl: ttl as number, credentials, include, proven, isWeak: isWeak === true
    })
    await tellOfProof({ Model, userId: idOfUser(Model, user), next })
    return token
  }),

  /** OI-221 */
  enrolTotp: statically(async (_, [id, data, options]) => {
    const user = await userWith(Model, id)
    const body = bodyOf(data)
    await provePassword(Model, user, body.password)
    const own = await factors.of(idOfUser(Model, user))
    // Whoever has one already is told so.
    if (!own.includes('totp')) await proveFactorThere(factors, user, own, body, tokenIn(options))
    return await factors.totp.enrol(user, factors.issuer)
  }),

  /** OI-222 */
  confirmTotp: statically(async (_, [id, data, options]) => {
    const user = await userWith(Model, id)
    const reservation = await factors.counted(user)
    if (!await factors.totp.confirm(user, bodyOf(data).otp)) throw secondFactorFailed()
    await reservation?.succeeded()
    const recoveryCodes = await factors.recovery.renew(user)
    await tellOfFactors(Model, user, { change: 'enrolled', kind: 'totp' }, tokenIn(options))
    await addToToken(Model, tokenIn(options), factors.totp.amr)
    return { recoveryCodes }
  }),

  /** OI-227 */
  disableTotp: statically(async (_, [id, data, options]) => {
    const user = await userWith(Model, id)
    await provePassword(Model, user, bodyOf(data).password)
    await factors.prove(user, only(bodyOf(data), 'otp', 'recoveryCode'))
    await factors.remove(user, 'totp')
    await tellOfFactors(Model, user, { change: 'removed', kind: 'totp' }, tokenIn(options))
  }),

  /** OI-226 */
  renewRecoveryCodes: statically(async (_, [id, data, options]) => {
    const user = await userWith(Model, id)
    await provePassword(Model, user, bodyOf(data).password)
    await factors.prove(user, only(bodyOf(data), 'otp'))
    const recoveryCodes = await factors.recovery.renew(user)
    await tellOfFactors(Model, user, { change: 'renewed', kind: 'recovery' }, tokenIn(options))
    return { recoveryCodes }
  }),

  /** OI-228 */
  listSecondFactors: statically(async (_, [id]) => {
    const user = await userWith(Model, id)
    const userId = idOfUser(Model, user)
    const rows = await factors.rows.of(userId, ['totp', 'passkey'])
    const passkeys = rows.filter(({ kind, confirmed }) => kind === 'passkey' && confirmed === true)
    return {
      totp: rows.some(({ kind, confirmed }) => kind === 'totp' && confirmed === true),
      recoveryCodes: await factors.recovery.left(userId),
      passkeys: passkeys.map(row => ({
        ...describe(row), backedUp: (JSON.parse(row.data ?? '{}') as { backedUp?: unknown }).backedUp === true
      })),
      devices: (await factors.devices.of(userId)).map(describe)
    }
  }),

  forgetDevice: statically(async (_, [id, fk]) => {
    const user = await userWith(Model, id)
    const row = (await factors.devices.of(idOfUser(Model, user))).find(each => each.id === fk)
    if (row === undefined || !await factors.rows.remove(row)) throw deviceNotFound()
    authService(Model.registry).audit({ event: 'device forgotten', model: Model.modelName, userId: idOfUser(Model, user) })
  }),

  /** `User.removeSecondFactors(id)`: for an administrator, in process only (OI-231). All tokens of the user end. */
  removeSecondFactors: statically(async (_, [id]) => {
    const user = await userWith(Model, id)
    await factors.rows.removeAll([idOfUser(Model, user)])
    await tellOfFactors(Model, user, { change: 'removed', kind: undefined })
  })
})
