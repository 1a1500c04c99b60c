/** Profiles in Passport's shape (LG-76), from what providers say in their many ways. */
import { LoginFailure } from './errors.js'
import type { Preset } from './presets.js'

export interface Profile {
  provider: string
  id: string
  displayName?: string
  name?: { familyName?: string, givenName?: string, middleName?: string }
  username?: string
  emails?: Array<{ value: string, verified?: boolean, type?: string }>
  photos?: Array<{ value: string }>
  _json?: unknown
  [key: string]: unknown
}

type Claims = Readonly<Record<string, unknown>>

const longest = 255

/**
 * The id of an account, as text.
 * @throws LoginFailure PROFILE_INVALID for none, an empty one, and what is neither text nor a number (LG-50, LG-127)
 */
export function idOf (value: unknown): string {
  // Larger numbers were rounded when they were read: two accounts would be one (security.md, S-03).
  const text = Number.isSafeInteger(value) ? String(value) : value
  if (typeof text !== 'string' || text.trim() === '') throw new LoginFailure('PROFILE_INVALID', 'the profile has no id')
  if (text.length > longest) throw new LoginFailure('PROFILE_INVALID', 'the id of the profile is too long')
  return text
}

/** A profile from the claims of an id_token and userinfo, or from the JSON of an API. */
export function profileOf (provider: string, id: unknown, given: Claims, preset: Preset | undefined,
  emails?: Profile['emails']): Profile {
  const claims = flattened(given)
  const text = (...names: string[]): string | undefined =>
    names.map(name => claims[name]).find((value): value is string => typeof value === 'string' && value !== '')
  const name = {
    familyName: text('family_name', 'last_name', 'familyName'),
    givenName: text('given_name', 'first_name', 'givenName'),
    middleName: text('middle_name')
  }
  const profile: Profile = { provider, id: idOf(id) }
  const put = (key: string, value: unknown): void => { if (value !== undefined) profile[key] = value }
  put('displayName', text('displayName', 'display_name', 'name', 'global_name'))
  const known = Object.fromEntries(Object.entries(name).filter(([, value]) => value !== undefined))
  if (Object.keys(known).length > 0) put('name', known)
  put('username', text('preferred_username', 'username', 'login', 'nickname'))
  put('emails', emails ?? emailsOf(claims, preset))
  const picture = text('picture', 'avatar_url', 'profile_image_url')
  if (picture !== undefined) put('photos', [{ value: picture }])
  put('_json', given)
  return profile
}

function emailsOf (claims: Claims, preset: Preset | undefined): Profile['emails'] {
  if (Array.isArray(claims.emails)) {
    return (claims.emails as unknown[]).flatMap(each => {
      const value = typeof each === 'string' ? each : (each as { value?: unknown } | null)?.value
      return typeof value === 'string' ? [{ value, verified: false }] : []
    })
  }
  if (typeof claims.email !== 'string' || claims.email === '') return undefined
  const said = claims[preset?.verifiedClaim ?? 'email_verified']
  return [{ value: claims.email, verified: said === true || (preset?.verifiedAsText === true && said === 'true') }]
}

/** Some APIs put all they say into `data`. Where an id stands outside, that is a member like any other. */
function flattened (claims: Claims): Claims {
  const { id, sub, oid, user_id: userId, data } = claims
  if ([id, sub, oid, userId].some(each => each !== undefined)) return claims
  return data !== null && typeof data === 'object' && !Array.isArray(data) ? data as Claims : claims
}

/** The id of an API's answer: `id`, else `sub`, else `user_id` (LG-77). */
export function apiId (given: Claims): unknown {
  const claims = flattened(given)
  return [claims.id, claims.sub, claims.user_id].find(value => value !== undefined && value !== null)
}

/** Whether the provider proves that an address is the account's (LG-80). */
export const isProven = ({ emails }: Profile, address: unknown): boolean =>
  typeof address === 'string' && emails?.some(({ value, verified }) => value === address && verified === true) === true

/** As it is stored: without what a strategy read it from. */
export function storable (profile: Profile): Profile {
  const { _raw, ...rest } = profile
  return JSON.parse(JSON.stringify(rest)) as Profile
}
