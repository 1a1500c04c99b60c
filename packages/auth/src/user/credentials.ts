import { isOwn } from '../builtin.js'
import { invalidEmail, invalidRealm, invalidUsername, nameRequired, realmRequired } from '../errors.js'
import type { UserModel } from './user-model.js'

/** What a login names, checked: text, and nothing that could become a query (security.md, S-41). */
export interface Credentials {
  readonly email?: string
  readonly username?: string
  readonly realm?: string
  [key: string]: unknown
}

type Given = Readonly<Record<string, unknown>>
type Settings = Pick<UserModel, 'settings'>

/**
 * Reads e-mail or user name and, where the model has realms, the realm: in front of the name (`acme:una`) or beside it.
 * @throws RequestError 400 REALM_REQUIRED, INVALID_REALM, USERNAME_EMAIL_REQUIRED, INVALID_EMAIL, INVALID_USERNAME
 */
export const readCredentials = (Model: Settings, given: Given): Credentials =>
  checked(Model, normalCredentials(Model, given))

/**
 * What a login looks for, as the class's `normalizeCredentials` has it. What that gives is checked like what a client
 * sends (security.md, S-41, S-96).
 * @throws as `readCredentials`
 */
export function credentialsOf (Model: UserModel, given: Given): Credentials {
  const own: unknown = Model.normalizeCredentials
  if (!isOwn(own)) return readCredentials(Model, given)
  const { realmRequired, realmDelimiter } = Model.settings
  const normalise = own as (...args: unknown[]) => unknown
  const found = { ...normalise.call(Model, given, realmRequired === true, realmDelimiter) as Given | undefined }
  // An object of the client's own would be a query.
  const sent = new Set(Object.values(given).filter(value => typeof value === 'object' && value !== null))
  const { email, username, realm, ...further } = found
  if (Object.values(further).some(value => sent.has(value as object))) throw invalidUsername()
  return checked(Model, found)
}

/** E-mail or user name, and the realm, as they were given: whatever they are. */
export function normalCredentials ({ settings }: Settings, given: Given): Given {
  const isEmail = isGiven(given.email)
  let name = isEmail ? given.email : given.username
  let realm = settings.realmRequired === true ? given.realm : undefined
  if (settings.realmRequired === true && typeof settings.realmDelimiter === 'string' && typeof name === 'string') {
    const at = name.indexOf(settings.realmDelimiter)
    if (at > 0) {
      realm = name.slice(0, at)
      name = name.slice(at + settings.realmDelimiter.length)
    }
  }
  const named = !isGiven(name)
    ? {}
    : isEmail ? { email: typeof name === 'string' ? normalEmail(settings, name) : name } : { username: name }
  return { ...isGiven(realm) ? { realm } : {}, ...named }
}

function checked ({ settings }: Settings, found: Given): Credentials {
  const { email, username, realm } = found
  if (settings.realmRequired === true && !isGiven(realm)) throw realmRequired()
  if (isGiven(realm) && typeof realm !== 'string') throw invalidRealm()
  if (!isGiven(email) && !isGiven(username)) throw nameRequired()
  if (isGiven(email) && typeof email !== 'string') throw invalidEmail()
  if (isGiven(username) && typeof username !== 'string') throw invalidUsername()
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined)) as Credentials
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
