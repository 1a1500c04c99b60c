/**
 * What a new password goes through, whichever way it is set: what it must be by the framework's rules, by the policy
 * and by the class, and the function that hashes it (security.md, S-96).
 */
import type { ModelClass } from '@fastback/core'
import { resultOf, isOwn } from '../builtin.js'
import { HashNotTextError } from '../errors.js'
import { authService } from '../service.js'
import { acceptPassword, type PasswordContext } from './check-password.js'

/** Where the options of an operation have the password that was accepted already: nobody is asked twice. */
export const ACCEPTED = Symbol('fastback.acceptedPassword')

interface PasswordStatics {
  validatePassword?: unknown
  hashPassword?: unknown
}

/**
 * Refuses what cannot be a password of the model. The class's `validatePassword` throws, or gives a promise that is
 * rejected; what it returns does not matter, as in LoopBack.
 * @param property whose value it is, for the error
 * @param context whose password it is, and what frees it
 * @throws what a password is refused with (422)
 */
export async function acceptNewPassword (
  Model: ModelClass, plain: unknown, property = 'password', context: PasswordContext = {}
): Promise<void> {
  await acceptPassword(Model, plain, property, context)
  const { validatePassword } = Model as PasswordStatics
  if (typeof plain === 'string' && isOwn(validatePassword)) {
    await (validatePassword as (plain: string) => unknown).call(Model, plain)
  }
}

/**
 * The hash of a password: by the class's `hashPassword`, which returns it, promises it or calls back; the built-in one
 * makes argon2id off the event loop.
 * @throws RequestError 503 when too many wait already; FBK_AUTH_HASH_NOT_TEXT
 */
export async function hashNewPassword (Model: ModelClass, plain: string): Promise<string> {
  const { hashPassword } = Model as PasswordStatics
  if (!isOwn(hashPassword)) return await authService(Model.registry).hasher.hash(plain)
  const hash = await resultOf(hashPassword, Model, plain)
  if (typeof hash !== 'string' || hash === '') throw new HashNotTextError(Model.modelName)
  return hash
}
