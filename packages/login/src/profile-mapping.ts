/** What of a profile becomes what of a user: by code, or by `profileMapping` (LG-33). */
import { isRecord } from './entry-values.js'
import type { Log, ProviderOptions } from './provider-options.js'
import { InvalidProviderError } from './errors.js'
import type { Profile } from './profile.js'

export type ProfileToUser = (provider: string, profile: Profile, options: object) => unknown

/** Never taken from a profile: who logs in does not choose them. */
const refused = ['emailVerified', 'verificationToken', 'id', 'password', 'realm', 'roles', 'accessTokens', 'identities',
  'credentials', 'status']

interface Mapped { readonly userField: string, readonly providerField: string }

/** @throws FBK_LOGIN_INVALID_PROVIDER */
export function profileToUserOf (name: string, options: ProviderOptions, log: Log): ProfileToUser | undefined {
  if (typeof options.profileToUser === 'function') return options.profileToUser as ProfileToUser
  if (options.profileMapping === undefined) return undefined
  if (!Array.isArray(options.profileMapping)) throw new InvalidProviderError(name, '"profileMapping" must be a list.')
  const mapping = (options.profileMapping as unknown[]).filter((each): each is Mapped => {
    if (!isRecord(each) || typeof each.userField !== 'string' || typeof each.providerField !== 'string') {
      throw new InvalidProviderError(name, '"profileMapping" has entries { userField, providerField }.')
    }
    if (!refused.includes(each.userField)) return true
    log.warn({ provider: name }, `login: "profileMapping" of "${name}" does not set "${each.userField}": a profile cannot decide that`)
    return false
  })
  return (_provider, profile) => Object.fromEntries(
    mapping.map(({ userField, providerField }) => [userField, valueAt(profile, providerField)])
      .filter(([, value]) => value !== undefined)
  )
}

/** `emails[0].value` of a profile. */
export function valueAt (from: unknown, path: string): unknown {
  let value = from
  for (const part of path.split(/[.[\]]+/).filter(each => each !== '')) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, part)) return undefined
    value = (value as Record<string, unknown>)[part]
  }
  return value
}

/** What a profile may say of a user, whoever mapped it. */
export const withoutRefused = (data: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(data).filter(([key]) => !refused.includes(key)))
