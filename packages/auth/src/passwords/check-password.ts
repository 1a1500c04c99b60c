import { ValidationError } from '@fastback/core'
import { passwordTooLong } from '../errors.js'

/** In bytes. bcrypt ignores what is beyond; migrated hashes were made with that limit, so it stays. */
export const maxLength = 72

/**
 * Refuses passwords that cannot be. Text only: everything else is left to the validation of the property.
 * @throws ValidationError 422 for an empty one, RequestError 422 PASSWORD_TOO_LONG
 */
export function checkPassword (modelName: string, password: unknown): void {
  if (typeof password !== 'string') return
  if (password === '') throw emptyPassword(modelName)
  const length = Buffer.byteLength(password)
  if (length > maxLength) throw passwordTooLong(maxLength, length)
}

function emptyPassword (modelName: string): ValidationError {
  const error = new ValidationError(modelName, [
    { path: '.password', code: 'presence', message: "can't be blank", info: {} }
  ])
  error.code = 'INVALID_PASSWORD'
  error.message = 'Invalid password.'
  return error
}
