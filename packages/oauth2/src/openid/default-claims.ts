/** What standard claims are made of where the option `claims` says nothing (OI-72), and the types they have (OI-74). */
import type { Row } from '@fastback/core'

type Read = (name: string) => unknown

const firstOf = (read: Read, ...names: string[]): unknown =>
  names.map(read).find(value => value !== undefined && value !== null && value !== '')

/** The property of a name in camel or snake case. */
const either = (read: Read, camel: string): unknown =>
  firstOf(read, camel, camel.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`))

const fullName = (read: Read): unknown => {
  const parts = [given(read), family(read)].filter(part => typeof part === 'string')
  return parts.length === 0 ? undefined : parts.join(' ')
}
const given: (read: Read) => unknown = read => firstOf(read, 'givenName', 'firstName')
const family: (read: Read) => unknown = read => firstOf(read, 'familyName', 'lastName')

interface DefaultClaim {
  /** Without one of these properties no user has the claim. */
  readonly from: readonly string[]
  readonly read: (read: Read) => unknown
}

/** By the name of the claim. */
export const defaultClaims: ReadonlyMap<string, DefaultClaim> =
  new Map(Object.entries({
    preferred_username: { from: ['username'], read: read => read('username') },
    email: { from: ['email'], read: read => read('email') },
    email_verified: { from: ['email'], read: read => read('emailVerified') === true },
    name: {
      from: ['name', 'displayName', 'givenName', 'firstName', 'familyName', 'lastName'],
      read: read => firstOf(read, 'name', 'displayName') ?? fullName(read)
    },
    given_name: { from: ['givenName', 'firstName'], read: given },
    family_name: { from: ['familyName', 'lastName'], read: family },
    middle_name: { from: ['middleName', 'middle_name'], read: read => either(read, 'middleName') },
    nickname: { from: ['nickname'], read: read => read('nickname') },
    picture: { from: ['picture', 'avatar'], read: read => firstOf(read, 'picture', 'avatar') },
    profile: { from: ['profile'], read: read => read('profile') },
    website: { from: ['website'], read: read => read('website') },
    gender: { from: ['gender'], read: read => read('gender') },
    birthdate: { from: ['birthdate'], read: read => read('birthdate') },
    zoneinfo: { from: ['zoneinfo', 'timezone'], read: read => firstOf(read, 'zoneinfo', 'timezone') },
    locale: { from: ['locale'], read: read => read('locale') },
    updated_at: {
      from: ['updatedAt', 'lastUpdated', 'modified'], read: read => firstOf(read, 'updatedAt', 'lastUpdated', 'modified')
    },
    phone_number: { from: ['phoneNumber', 'phone'], read: read => firstOf(read, 'phoneNumber', 'phone') },
    phone_number_verified: { from: ['phoneNumber', 'phone'], read: read => read('phoneNumberVerified') === true },
    address: { from: ['address'], read: read => read('address') }
  } satisfies Record<string, DefaultClaim>))

const isPlain = (value: unknown): value is Row =>
  value !== null && typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date)

/** Every standard claim that is not listed is a text. */
const types: Readonly<Record<string, (value: unknown) => unknown>> = {
  email_verified: value => value === true,
  phone_number_verified: value => value === true,
  updated_at: seconds,
  birthdate: value => value instanceof Date ? value.toISOString().slice(0, 10) : text(value),
  address: value => isPlain(value) ? value : typeof value === 'string' && value !== '' ? { formatted: value } : undefined
}

function seconds (value: unknown): number | undefined {
  const time = value instanceof Date ? value.getTime() : typeof value === 'string' ? Date.parse(value) : undefined
  const found = typeof value === 'number' ? value : time === undefined ? undefined : time / 1000
  return found === undefined || !Number.isFinite(found) ? undefined : Math.floor(found)
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'bigint' ? String(value) : undefined

/**
 * A value as a client gets it; undefined for one that is left out (OI-74).
 *
 * ```js
 * claimValue('updated_at', new Date(1_500)) // 1
 * ```
 */
export function claimValue (claim: string, value: unknown): unknown {
  if (value === undefined || value === null) return undefined
  const typed = Object.hasOwn(types, claim)
    ? types[claim]?.(value)
    : defaultClaims.has(claim) ? text(value) : value
  if (typed === '' || typed === undefined || typed === null) return undefined
  return isPlain(typed) && Object.keys(typed).length === 0 ? undefined : typed
}
