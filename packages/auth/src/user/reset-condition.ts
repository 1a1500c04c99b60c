import { emailRequired } from '../errors.js'
import { normalEmail } from './credentials.js'
import type { UserModel } from './user-model.js'

/**
 * The condition by which a password reset looks its account up.
 * @throws RequestError 400 EMAIL_REQUIRED
 */
export function resetCondition (
  { settings }: Pick<UserModel, 'settings'>,
  { email, realm }: Readonly<Record<string, unknown>>
): Record<string, string> {
  if (typeof email !== 'string' || email === '') throw emailRequired()
  return {
    email: normalEmail(settings, email),
    ...(typeof realm === 'string' && realm !== '' ? { realm } : {})
  }
}
