import { ValidationError, type ModelClass, type ModelRegistry } from '@fastback/core'
import { sentenceOf } from '@fastback/core/remote'
import { passwordTooLong } from '../errors.js'
import { authService } from '../service.js'

/** In bytes. bcrypt ignores what is beyond; migrated hashes were made with that limit, so it stays. */
export const bcryptLength = 72

/** The limits that hold in a registry, or undefined where it has no policy. */
export function passwordLimits (registry: ModelRegistry): { minLength: number, maxLength: number } | undefined {
  const policy = authService(registry).passwordPolicy
  return policy === undefined
    ? undefined
    : { minLength: policy.minLength ?? 1, maxLength: policy.maxLength ?? bcryptLength }
}

/**
 * Refuses passwords that cannot be. Text only: everything else is left to the validation of the property.
 * @param property whose value it is, for the error
 * @throws ValidationError 422 for an empty one, or one that the policy refuses; without a policy RequestError 422
 * PASSWORD_TOO_LONG
 */
export function checkPassword (Model: ModelClass, password: unknown, property = 'password'): void {
  if (typeof password !== 'string') return
  if (password === '') throw emptyPassword(Model.modelName)
  const length = Buffer.byteLength(password)
  const limits = passwordLimits(Model.registry)
  if (limits === undefined) {
    if (length > bcryptLength) throw passwordTooLong(bcryptLength, length)
    return
  }
  const { minLength, maxLength } = limits
  if (length > maxLength) throw refused(Model, property, 'maxLength', { limit: maxLength })
  if ([...password].length < minLength) throw refused(Model, property, 'minLength', { limit: minLength })
}

/**
 * The same, and asks the policy's own check.
 * @throws as `checkPassword`, and what the check throws
 */
export async function acceptPassword (
  Model: ModelClass, password: unknown, property = 'password'
): Promise<void> {
  checkPassword(Model, password, property)
  const { check } = authService(Model.registry).passwordPolicy ?? {}
  if (check === undefined || typeof password !== 'string') return
  const answer = await check(password, { model: Model.modelName })
  if (typeof answer === 'string') throw refused(Model, 'password', 'policy', {}, answer)
  if (answer === false) throw refused(Model, 'password', 'policy', {})
}

const refused = (
  Model: ModelClass,
  property: string,
  code: string,
  info: Record<string, unknown>,
  message = sentenceOf(code, info) ?? 'must not be this one'
): ValidationError => new ValidationError(Model.modelName, [{ path: `.${property}`, code, message, info }])

function emptyPassword (modelName: string): ValidationError {
  const error = new ValidationError(modelName, [
    { path: '.password', code: 'presence', message: "can't be blank", info: {} }
  ])
  error.code = 'INVALID_PASSWORD'
  error.message = 'Invalid password.'
  return error
}
