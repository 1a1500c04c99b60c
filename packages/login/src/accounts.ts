/**
 * Whose account it is (login.md, sections 4 and 7): users are joined with accounts elsewhere by proof on both sides.
 */
import { randomBytes } from 'node:crypto'
import {
  resultOf, authService, isAsItWas, isLocked, newLoginToken, normalEmail, tokenTtl
} from '@fastback/auth/service'
import type { ModelClass, ModelInstance } from '@fastback/core'
import { deleteById } from '@fastback/core/remote'
import type { Entry } from './entry.js'
import { withoutRefused } from './profile-mapping.js'
import { LoginFailure, failureOf } from './errors.js'
import { idOf, isProven, storable, type Profile } from './profile.js'
import { mergedCredentials } from './provider-tokens.js'
import { lacksNewFactor, proveSecondFactor, type Assurance, type UnprovenAccount } from './second-factor.js'
import { assignRoles } from './roles.js'

type Data = Record<string, unknown>
type Users = ModelClass & {
  findOne (filter: object): Promise<ModelInstance | null>
  findById (id: unknown): Promise<ModelInstance | null>
  create (data: object): Promise<ModelInstance>
  find (filter: object): Promise<ModelInstance[]>
}
type Account = ModelInstance & {
  updateAttributes (data: object): Promise<ModelInstance>
  destroy (): Promise<unknown>
}

/** What a login needs to be told beside the account. */
export interface LoginRules {
  readonly provider: string
  readonly authScheme: string
  readonly profileToUser?: Entry['profileToUser']
  readonly emailOptional: boolean
  readonly linkByEmail: boolean
  readonly trustEmail: boolean
  readonly autoLogin: boolean
  /** With `<provider>` in it. */
  readonly emailDomain: string
  readonly options: Data
}

export interface LoggedInUser {
  readonly user: ModelInstance
  readonly identity: ModelInstance
  readonly token: ModelInstance | undefined
  /** How the login was proven (RFC 8176). */
  readonly amr: readonly string[]
}

export const idOfUser = (User: ModelClass, user: Readonly<Data>): unknown => user[User.getIdName() ?? 'id']

export class Accounts {
  constructor (readonly User: Users, readonly Identity: Users) {}

  /**
   * The user of an account, made where there is none, and a token.
   * @throws LoginFailure
   */
  async logIn (
    rules: LoginRules, given: Profile, credentials: object, assurance: Omit<Assurance, 'isKnown' | 'account'> = {}
  ): Promise<LoggedInUser> {
    const externalId = idOf(given?.id)
    const profile = storable({ ...given, id: externalId })
    const found = await this.#found(rules, externalId, profile, credentials)
    let proven: { readonly user: ModelInstance, readonly amr: readonly string[] | undefined } | undefined
    const prove = async (user: ModelInstance, account?: UnprovenAccount): Promise<void> => {
      const amr = await proveSecondFactor(this.User, user, { ...assurance, isKnown: found !== undefined, account })
      proven = { user, amr }
    }
    const { user, identity } = found ?? await this.#made(rules, externalId, profile, credentials, prove)
    // The second step of a login may take place elsewhere, which knows nothing of the account's provider.
    await assignRoles(this.User, user, rules.options.roles, profile)
    if (proven?.user !== user) await prove(user)
    const amr = proven?.amr
    const token = rules.autoLogin ? await this.token(user, rules.options, amr) : undefined
    authService(this.User.registry).audit({
      event: 'login', model: this.User.modelName, userId: idOfUser(this.User, user), provider: rules.provider
    })
    return { user, identity, token, amr: amr ?? [...new Set(['fed', ...assurance.amr ?? []])] }
  }

  /** Compared exactly: a store may take other letters for the same (LG-127). */
  async identityOf (provider: string, externalId: string): Promise<Account | undefined> {
    const rows = await this.Identity.find({ where: { provider, externalId }, limit: 20 })
    return rows.find(row => row.provider === provider && row.externalId === externalId) as Account | undefined
  }

  async #found (rules: LoginRules, externalId: string, profile: Profile,
    credentials: object): Promise<{ user: ModelInstance, identity: ModelInstance } | undefined> {
    const identity = await this.identityOf(rules.provider, externalId)
    if (identity === undefined) return undefined
    const { userId } = identity
    const user = userId === undefined || userId === null ? null : await this.User.findById(userId)
    if (user === null) {
      // Its user is gone: anyone who comes is somebody new (LG-85).
      await identity.destroy()
      return undefined
    }
    if (isLocked(user)) throw new LoginFailure('LOCKED', 'the user is locked')
    await identity.updateAttributes({
      profile, credentials: mergedCredentials(identity.credentials, credentials), modified: new Date()
    })
    return { user, identity }
  }

  /**
   * @param prove asks for the second factor of a user whom the account is to be linked with: it is nobody's before, so
   * that the word of its provider counts for nothing (security.md, S-153)
   */
  async #made (rules: LoginRules, externalId: string, profile: Profile, credentials: object,
    prove: (owner: ModelInstance, account: UnprovenAccount) => Promise<void>
  ): Promise<{ user: ModelInstance, identity: ModelInstance }> {
    const { data, mapped } = await this.#userData(rules, profile)
    const owner = mapped ? await this.#ownerOf(data.email) : undefined
    if (owner !== undefined) {
      this.#mustBeProven(rules, profile, data.email, owner)
      await prove(owner, { provider: rules.provider, authScheme: rules.authScheme, externalId })
    }
    const user = owner ?? await this.#createUser(data, mapped)
    try {
      const identity = await this.Identity.create(this.#row(rules, externalId, profile, credentials, user,
        owner === undefined))
      if (owner !== undefined) this.#tellOfLink(rules, user)
      return { user, identity }
    } catch (error) {
      // Another request of the same account was faster: what this one made is not needed.
      const found = await this.identityOf(rules.provider, externalId)
      if (owner === undefined) await deleteById(this.User.compiled, idOfUser(this.User, user))
      const other = found === undefined ? null : await this.User.findById(found.userId)
      if (found === undefined || other === null) throw failureOf(error, 'PROFILE_INVALID')
      return { user: other, identity: found }
    }
  }

  #row (rules: LoginRules, externalId: string, profile: Profile, credentials: object, user: ModelInstance,
    madeUser: boolean): Data {
    const now = new Date()
    return {
      provider: rules.provider, externalId, authScheme: rules.authScheme, profile, credentials,
      userId: idOfUser(this.User, user), created: now, modified: now, madeUser
    }
  }

  /** What the user will be, and whether its address is one that the profile has. */
  async #userData (rules: LoginRules, profile: Profile): Promise<{ data: Data, mapped: boolean }> {
    const name = String(profile.username ?? profile.id)
    const username = `${rules.provider}.${name}`
    const password = `${randomBytes(32).toString('base64url')}aA1!`
    if (rules.profileToUser === undefined) {
      const own = rules.provider === 'ldap' ? profile.emails?.[0]?.value : undefined
      if (rules.provider === 'ldap' && own === undefined && !rules.emailOptional) {
        throw new LoginFailure('EMAIL_MISSING', 'the directory has no address for the user')
      }
      const email = rules.provider === 'ldap' ? own : madeUpAddress(name, rules)
      const data = { username, password, ...(email === undefined ? {} : { email }) }
      return {
        data: { ...data, emailVerified: own !== undefined && this.#proves(rules, profile, own) },
        mapped: own !== undefined
      }
    }
    const made = await rules.profileToUser(rules.provider, profile, rules.options)
    const own = withoutRefused(made !== null && typeof made === 'object' ? made as Data : {})
    const { email } = own
    const hasEmail = typeof email === 'string' && email !== ''
    if (!hasEmail) delete own.email
    if (!hasEmail && !rules.emailOptional) throw new LoginFailure('EMAIL_MISSING', 'the profile has no address')
    return { data: { password, ...own, emailVerified: this.#proves(rules, profile, email) }, mapped: hasEmail }
  }

  #proves (rules: LoginRules, profile: Profile, email: unknown): boolean {
    return rules.trustEmail || isProven(profile, email)
  }

  async #ownerOf (email: unknown): Promise<ModelInstance | undefined> {
    const wanted = normalEmail(this.User.settings, String(email))
    const rows = await this.User.find({ where: { email: wanted }, limit: 5 })
    return rows.find(row => row.email === wanted)
  }

  /** LG-82, LG-84: the provider proves the address, and so did the user here. */
  #mustBeProven (rules: LoginRules, profile: Profile, email: unknown, owner: ModelInstance): void {
    if (!rules.linkByEmail || !this.#proves(rules, profile, email) || owner.emailVerified !== true) {
      throw new LoginFailure('ACCOUNT_EXISTS', 'another user has the address, and it is not proven on both sides')
    }
    if (isLocked(owner)) throw new LoginFailure('LOCKED', 'the user is locked')
  }

  #tellOfLink ({ provider }: LoginRules, user: ModelInstance): void {
    authService(this.User.registry).audit({
      event: 'identity linked by e-mail', model: this.User.modelName, userId: idOfUser(this.User, user), provider
    })
  }

  /** A name that somebody has already is varied: it is never logged into, and locks nobody out (LG-83). */
  async #createUser (data: Data, mapped: boolean): Promise<ModelInstance> {
    const tried = { ...data }
    for (let left = 5; ; left--) {
      try {
        return await this.User.create(tried)
      } catch (error) {
        const taken = takenIn(error)
        if (left === 0 || taken.length === 0) throw failureOf(error, 'PROFILE_INVALID')
        const part = randomBytes(3).toString('hex')
        if (taken.includes('email')) {
          if (mapped) throw new LoginFailure('ACCOUNT_EXISTS', 'the address was taken meanwhile')
          const [local, domain] = String(data.email).split('@') as [string, string]
          tried.email = `${local}.${part}@${domain}`
        }
        if (taken.includes('username')) tried.username = `${String(data.username)}.${part}`
      }
    }
  }

  /** A token, unless the account was changed while it was made. */
  async token (user: ModelInstance, options: Data, amr?: readonly string[]): Promise<ModelInstance> {
    const own = options.createAccessToken
    const ttl = tokenTtl(undefined, this.User.settings)
    const token = typeof own === 'function'
      ? await resultOf(own, options, user) as ModelInstance
      : await newLoginToken(this.User as never, user as never, { ttl, amr })
    if (await isAsItWas(this.User, user) && !await lacksNewFactor(this.User, user, amr)) return token
    await (token as Account).destroy()
    throw new LoginFailure('LOCKED', 'the account was changed during the login')
  }
}

/** Properties whose value another row has. */
function takenIn (error: unknown): string[] {
  const { details, statusCode } =
    (error ?? {}) as { details?: { codes?: Record<string, unknown[]> }, statusCode?: number }
  const codes = details?.codes ?? {}
  const names = Object.keys(codes)
  const taken = names.filter(name => [codes[name]].flat().includes('uniqueness'))
  if (names.length > 0) return taken.length === names.length ? taken : []
  // A unique index says less than a validation.
  return statusCode === 409 ? ['username', 'email'] : []
}

/** Nobody owns it, so nobody gets mail there (LG-81). */
function madeUpAddress (name: string, { provider, emailDomain }: LoginRules): string {
  const local = name.replace(/[^\w.+-]/g, '_').slice(0, 64)
  return `${local}@${emailDomain.replaceAll('<provider>', provider)}`
}
