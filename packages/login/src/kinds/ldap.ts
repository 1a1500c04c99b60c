/** Login at a directory (login.md, section 9), through `ldapts`. */
import type { Client, Entry as Found } from 'ldapts'
import type { Reservation } from '@fastback/auth'
import { accountId, accountName, attemptsOf } from '@fastback/auth/service'
import { RequestError, type ModelClass } from '@fastback/core'
import type { Entry } from '../entry.js'
import { InvalidProviderError, LoginFailure, PackageMissingError } from '../errors.js'
import type { Profile } from '../profile.js'
import type { Visit } from '../visit.js'
import type { Proven } from './kind.js'
import { fieldsOf } from './local.js'

interface Server {
  readonly url: string
  readonly bindDN?: string
  readonly bindCredentials?: string
  readonly searchBase: string
  readonly searchScope?: 'base' | 'one' | 'sub'
  readonly searchFilter?: string
  readonly searchAttributes?: string[]
  readonly groupSearchBase?: string
  readonly groupSearchFilter?: string
  readonly tlsOptions?: object
  readonly starttls?: boolean
}

type Values = Readonly<Record<string, unknown>>
type Ldapts = typeof import('ldapts')

/** Milliseconds for a connection and for a response. */
const patience = 5000

export class LdapKind {
  readonly #server: Server
  readonly #library: Ldapts

  // Private, so that no declaration names types of a package that need not be installed.
  private constructor (readonly entry: Entry, library: Ldapts) {
    const { server } = entry.options
    const given = (server ?? {}) as Partial<Server>
    for (const key of ['url', 'searchBase'] as const) {
      if (typeof given[key] !== 'string') throw new InvalidProviderError(entry.name, `"server.${key}" is missing.`)
    }
    this.#server = given as Server
    this.#library = library
  }

  /** @throws FBK_LOGIN_PACKAGE_MISSING */
  static async load (entry: Entry): Promise<LdapKind> {
    let library
    try {
      library = await import('ldapts')
    } catch {
      throw new PackageMissingError(entry.name, 'ldapts', 'ldapts@8')
    }
    return new LdapKind(entry, library)
  }

  /** @throws LoginFailure; TooManyAttempts 429 */
  async logIn (visit: Visit, User: ModelClass): Promise<Proven> {
    const form = await visit.form()
    const fields = fieldsOf(this.entry)
    const [name, password] = [form[fields.username], form[fields.password]]
    // A bind without a password succeeds as nobody (RFC 4513, section 5.1.2).
    if (typeof name !== 'string' || name === '' || typeof password !== 'string' || password === '' || password.includes('\0')) {
      throw new LoginFailure('LOGIN_FAILED', 'no name or no password')
    }
    const what = `${User.modelName} ${this.entry.name}`
    const attempts = attemptsOf(User.registry).users
    const attempt = { what: 'login', address: visit.ip, name: accountName(what, { name }) }
    await attempts?.check(attempt)
    let reservation: Reservation | undefined
    const found = await this.#authenticated(name, password, async dn => {
      reservation = await attempts?.reserve(dn === undefined ? attempt : { ...attempt, id: accountId(what, dn) })
    })
    await reservation?.succeeded()
    return { profile: ldapProfile(this.entry, found), credentials: {} }
  }

  /**
   * @param count is told before the password is tried whose it would be: a directory takes many names for the same, so
   * that the name alone says little (security.md, S-77)
   */
  async #authenticated (
    name: string, password: string, count: (dn: string | undefined) => Promise<void>
  ): Promise<Values> {
    const { bindDN, bindCredentials } = this.#server
    const client = await this.#connected()
    try {
      if (bindDN !== undefined) await client.bind(bindDN, bindCredentials ?? '')
      const found = await this.#entryOf(client, name)
      await count(found?.dn)
      if (found === undefined) throw new LoginFailure('LOGIN_FAILED', 'not exactly one entry')
      const own = await this.#connected()
      try {
        await own.bind(found.dn, password)
      } catch (error) {
        if (error instanceof this.#library.InvalidCredentialsError) throw new LoginFailure('LOGIN_FAILED', 'wrong password')
        throw error
      } finally {
        await own.unbind().catch(() => {})
      }
      const groups = await this.#groupsOf(client, found)
      return groups === undefined ? found : { ...found, _groups: groups }
    } catch (error) {
      if (error instanceof LoginFailure || error instanceof RequestError) throw error
      throw new LoginFailure('PROVIDER_ERROR', `the directory: ${(error as { code?: unknown }).code as string ?? 'no response'}`)
    } finally {
      await client.unbind().catch(() => {})
    }
  }

  async #connected (): Promise<Client> {
    const { url, tlsOptions, starttls } = this.#server
    const client = new this.#library.Client({
      url, connectTimeout: patience, timeout: patience,
      ...(tlsOptions === undefined || starttls === true ? {} : { tlsOptions })
    })
    if (starttls === true) await client.startTLS(tlsOptions ?? {})
    return client
  }

  /** Undefined: there is none, or there are several. */
  async #entryOf (client: Client, name: string): Promise<Found | undefined> {
    const { searchBase, searchScope = 'sub', searchFilter = '(uid={{username}})', searchAttributes } = this.#server
    const { searchEntries } = await client.search(searchBase.replaceAll('{{username}}', () => escapedName(name)), {
      scope: searchScope,
      filter: searchFilter.replaceAll('{{username}}', () => escapedValue(name)),
      sizeLimit: 2,
      explicitBufferAttributes: ['objectGUID'],
      ...(searchAttributes === undefined ? {} : { attributes: [...searchAttributes] })
    })
    const [found, other] = searchEntries
    return other === undefined ? found : undefined
  }

  async #groupsOf (client: Client, { dn }: Found): Promise<unknown[] | undefined> {
    const { groupSearchBase, groupSearchFilter } = this.#server
    if (groupSearchBase === undefined || groupSearchFilter === undefined) return undefined
    const { searchEntries } = await client.search(groupSearchBase, {
      scope: 'sub', filter: groupSearchFilter.replaceAll('{{dn}}', () => escapedValue(dn))
    })
    return searchEntries
  }
}

/**
 * A value within a filter (RFC 4515, section 3).
 *
 * ```js
 * escapedValue('*)(uid=*') // '\\2a\\29\\28uid=\\2a'
 * ```
 */
const escapedValue = (value: string): string =>
  // eslint-disable-next-line no-control-regex -- NUL is one of the characters
  value.replace(/[\\*()\u0000]/g, character => `\\${character.charCodeAt(0).toString(16).padStart(2, '0')}`)

/** A value within a distinguished name (RFC 4514, section 2.4). */
export const escapedName = (value: string): string =>
  // eslint-disable-next-line no-control-regex -- NUL is one of the characters
  value.replace(/[\\,+"<>;=\u0000]|^[ #]|[ ]$/g, character => `\\${character.charCodeAt(0).toString(16).padStart(2, '0')}`)

const defaults: Readonly<Record<string, string>> = {
  username: 'uid', id: 'uid', displayName: 'displayName', email: 'mail', familyName: 'sn', givenName: 'givenName'
}

/** LG-106. */
export function ldapProfile ({ provider, options }: Entry, found: Values): Profile {
  const mapping = { ...defaults, ...(options.profileAttributesFromLDAP as Record<string, string> | undefined) }
  const profile: Record<string, unknown> = { provider }
  for (const [name, attribute] of Object.entries(mapping)) {
    const value = attributeOf(found, attribute)
    if (value !== undefined) profile[name] = value
  }
  const text = (name: string): string | undefined => {
    const value = attributeOf(found, name)
    return typeof value === 'string' ? value : undefined
  }
  const name = { familyName: text('sn'), givenName: text('givenName') }
  if (name.familyName !== undefined || name.givenName !== undefined) {
    profile.name = Object.fromEntries(Object.entries(name).filter(([, value]) => value !== undefined))
  }
  const mail = text('mail') ?? (typeof profile.email === 'string' ? profile.email : undefined)
  if (mail !== undefined) profile.emails = [{ value: mail }]
  profile.username ??= text('cn')
  profile.id ??= text('uid') ?? text('objectGUID')
  return profile as unknown as Profile
}

const lists = new Set(['_groups', 'memberof'])

function attributeOf (found: Values, name: string): unknown {
  const key = Object.keys(found).find(each => each.toLowerCase() === name.toLowerCase())
  const value = key === undefined ? undefined : found[key]
  if (lists.has(name.toLowerCase())) return value === undefined ? undefined : [value].flat()
  const first: unknown = Array.isArray(value) ? value[0] : value
  if (Buffer.isBuffer(first)) return name.toLowerCase() === 'objectguid' ? guidOf(first) : first.toString()
  return first === '' ? undefined : first
}

/** Of the sixteen bytes that Active Directory has; the first three groups are little-endian. */
function guidOf (bytes: Buffer): string {
  if (bytes.length !== 16) return bytes.toString()
  const order = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15]
  const hex = order.map(index => (bytes[index] as number).toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
