import { emailRequired } from '../errors.js'
import { normalEmail } from './credentials.js'
import type { UserModel } from './user-model.js'

/**
 * The condition by which a password reset looks its account up. Where realms are not in use, only code of the
 * application narrows it by one: a client could make an account of its own for the limit on attempts of each realm that
 * it makes up (security.md, S-77).
 * @throws RequestError 400 EMAIL_REQUIRED
 */
export function resetCondition (
  { settings }: Pick<UserModel, 'settings'>,
  { email, realm }: Readonly<Record<string, unknown>>,
  isClient = true
): Record<string, string> {
  if (typeof email !== 'string' || email === '') throw emailRequired()
  return {
    email: normalEmail(settings, email),
    ...((settings.realmRequired === true || !isClient) && typeof realm === 'string' && realm !== '' ? { realm } : {})
  }
}
