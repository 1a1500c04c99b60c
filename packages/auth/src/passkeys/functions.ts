/** What the endpoints of passkeys do (OI-240 … OI-246). */
import { loginOfToken, meets } from '../assurance/assurance.js'
import {
  emailNotVerified, loginFailed, passkeyNameInvalid, passkeyNotFound
} from '../errors.js'
import { idOfUser } from '../factors/account.js'
import { addToToken, tellOfFactors } from '../factors/changes.js'
import type { FactorRow } from '../factors/factor-rows.js'
import {
  bodyOf, only, proveFactorThere, provePassword, tokenIn, userWith, young
} from '../factors/functions.js'
import { authService } from '../service.js'
import { finishLogin } from '../user/finish-login.js'
import { removeToken } from '../user/new-token.js'
import { tokenTtl } from '../user/ttl.js'
import { statically, type User, type UserModel } from '../user/user-model.js'
import type { Passkeys } from './passkeys.js'

const longestName = 255

const nameIn = (given: unknown): string | undefined => {
  const name = typeof given === 'string' ? given.trim() : ''
  return name === '' || name.length > longestName ? undefined : name
}

/** The functions of one user model, with a promise or a call-back each. */
export const passkeyFunctions = (
  Model: UserModel, passkeys: Passkeys
): Record<string, (...args: any[]) => unknown> => {
  const { factors } = passkeys

  const passkeyOf = async (user: User, fk: unknown): Promise<FactorRow> => {
    const row = (await passkeys.of(idOfUser(Model, user))).find(({ id }) => id === fk)
    if (row === undefined) throw passkeyNotFound()
    return row
  }

  const shown = (row: FactorRow): object => ({
    id: row.id, name: row.name ?? null, created: row.created, backedUp: passkeys.isBackedUp(row)
  })

  return {
    /** OI-240. Who has a factor proves it: by a code, or by a login with two factors that is young. */
    passkeyOptions: statically(async (_, [id, data, options]) => {
      const user = await userWith(Model, id)
      const body = bodyOf(data)
      await provePassword(Model, user, body.password)
      const own = await factors.of(idOfUser(Model, user))
      await proveFactorThere(factors, user, own, body, tokenIn(options))
      return await passkeys.creationOptions(user)
    }),

    /** OI-241 */
    addPasskey: statically(async (_, [id, data, options]) => {
      const user = await userWith(Model, id)
      const { name, response } = bodyOf(data)
      const row = await passkeys.register(user, nameIn(name) ?? 'Passkey', response)
      await tellOfFactors(Model, user, { change: 'enrolled', kind: 'webauthn' }, tokenIn(options))
      await addToToken(Model, tokenIn(options), passkeys.amr)
      return shown(row)
    }),

    /** OI-246; one that is suspect is trusted again by another factor (OI-245). */
    renamePasskey: statically(async (_, [id, fk, data]) => {
      const user = await userWith(Model, id)
      const body = bodyOf(data)
      const name = nameIn(body.name)
      const row = await passkeyOf(user, fk)
      if (name === undefined) throw passkeyNameInvalid(longestName)
      if (passkeys.isSuspect(row)) await factors.prove(user, only(body, 'otp', 'recoveryCode'))
      if (!await passkeys.rename(row, name)) throw passkeyNotFound()
      return shown({ ...row, name })
    }),

    /** OI-246 */
    removePasskey: statically(async (_, [id, fk, data, options]) => {
      const user = await userWith(Model, id)
      const row = await passkeyOf(user, fk)
      if (!meets(loginOfToken(tokenIn(options)), { acr: '1fa', maxAge: young })) {
        await provePassword(Model, user, bodyOf(data).password)
      }
      if (!await factors.remove(user, 'passkey', row)) throw passkeyNotFound()
      await tellOfFactors(Model, user, { change: 'removed', kind: 'webauthn' }, tokenIn(options))
    }),

    /** OI-242: nothing that is sent makes a difference, so that nothing tells who has an account. */
    passkeyLoginOptions: statically(async () => await passkeys.requestOptions()),

    /** OI-244 */
    passkeyLogin: statically(async (_, [data]) => {
      const { response, ttl: asked } = bodyOf(data)
      const ttl = tokenTtl(asked, Model.settings)
      const { user, row } = await logInByPasskey(Model, passkeys, response)
      const proven = { amr: passkeys.amr, hasFactors: true }
      const token = await finishLogin(Model, user, { ttl, credentials: { ttl }, proven })
      if (await passkeys.isThere(row)) return token
      // It was removed meanwhile, and what it had given out has ended: this was not there yet.
      await removeToken(Model, token)
      throw loginFailed()
    })
  }
}

/**
 * The user whose passkey made a response (OI-244), for ways in that make no token.
 *
 * ```js
 * const passkeys = passkeysOf(authService(registry).secondFactors(Customer))
 * const { user } = await logInByPasskey(Customer, passkeys, response)
 * ```
 * @param response what the browser gave, as JSON: anything
 * @throws RequestError 401 LOGIN_FAILED for whatever is wrong, 401 LOGIN_FAILED_EMAIL_NOT_VERIFIED; TooManyAttempts 429
 */
export async function logInByPasskey (
  Model: UserModel, passkeys: Passkeys, response: unknown
): Promise<{ readonly user: User, readonly row: FactorRow }> {
  const { audit } = authService(Model.registry)
  let user: User | null = null
  let counted: Awaited<ReturnType<Passkeys['factors']['counted']>>
  const row = await passkeys.login(response, async userId => {
    user = await Model.findById(userId)
    if (user !== null) counted = await passkeys.factors.counted(user)
    return user !== null
  })
  const found = user as User | null
  if (row === undefined || found === null) {
    audit({
      event: 'login failed', model: Model.modelName, userId: found === null ? undefined : idOfUser(Model, found), by: 'passkey'
    })
    throw loginFailed()
  }
  await counted?.succeeded()
  if (Model.settings.emailVerificationRequired === true && found.emailVerified !== true) {
    throw emailNotVerified(idOfUser(Model, found))
  }
  return { user: found, row }
}
