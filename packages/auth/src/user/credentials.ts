import { invalidEmail, invalidRealm, invalidUsername, nameRequired, realmRequired } from '../errors.js'
import type { UserModel } from './user-model.js'

/** What a login names, checked: text, and nothing that could become a query (security.md, S-41). */
export interface Credentials {
  readonly email?: string
  readonly username?: string
  readonly realm?: string
  [key: string]: unknown
}

/**
 * Reads e-mail or user name and, where the model has realms, the realm: in front of the name (`acme:una`) or beside it.
 * @throws RequestError 400 REALM_REQUIRED, INVALID_REALM, USERNAME_EMAIL_REQUIRED, INVALID_EMAIL, INVALID_USERNAME
 */
export function readCredentials (
  { settings }: Pick<UserModel, 'settings'>, given: Readonly<Record<string, unknown>>
): Credentials {
  const isEmail = isGiven(given.email)
  const name = isEmail ? given.email : given.username
  const found = { realm: given.realm, name }
  if (settings.realmRequired === true) {
    const delimiter = typeof settings.realmDelimiter === 'string' ? settings.realmDelimiter : undefined
    const at = typeof name === 'string' && delimiter !== undefined ? name.indexOf(delimiter) : -1
    if (at > 0) {
      Object.assign(found, {
        realm: (name as string).slice(0, at),
        name: (name as string).slice(at + (delimiter as string).length)
      })
    }
    if (!isGiven(found.realm)) throw realmRequired()
    if (typeof found.realm !== 'string') throw invalidRealm()
  } else found.realm = undefined
  if (!isGiven(found.name)) throw nameRequired()
  if (typeof found.name !== 'string') throw isEmail ? invalidEmail() : invalidUsername()
  const realm = found.realm === undefined ? {} : { realm: found.realm as string }
  if (!isEmail) return { ...realm, username: found.name }
  return { ...realm, email: normalEmail(settings, found.name) }
}

/**
 * As e-mails of the model are stored.
 *
 * ```js
 * normalEmail({ caseSensitiveEmail: false }, 'Ann@example.com') // 'ann@example.com'
 * ```
 */
export const normalEmail = (settings: { caseSensitiveEmail?: boolean }, email: string): string =>
  settings.caseSensitiveEmail === false ? email.toLowerCase() : email

const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && value !== false && value !== 0
