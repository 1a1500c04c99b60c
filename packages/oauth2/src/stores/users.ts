/** The people that tokens are about. */
import {
  accountName, accountVersion, authService, isAsItWas, isLocked, isPasswordOf, RecentCache
} from '@fastback/auth/service'
import type { MaybePromise, ModelClass, Row } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import { findOneRow, findRowById, forgetOnChange, instantiate } from '@fastback/core/remote'
import type { Halfway } from '../session/session-data.js'

const quiet = { notify: false }

const open = (user: Row | undefined): Row | undefined => user === undefined || isLocked(user) ? undefined : user

interface UserSettings {
  readonly caseSensitiveEmail?: boolean,
  readonly emailVerificationRequired?: boolean,
  readonly realmRequired?: boolean,
  readonly realmDelimiter?: unknown
}

export class Users {
  readonly #recent = new RecentCache<Row>({ size: 10_000, ttl: 1000 })

  constructor (readonly Model: ModelClass) {
    forgetOnChange(Model, ['after save', 'after delete'], () => { this.#recent.clear() })
  }

  idOf (user: Readonly<Row>): unknown {
    return user[this.Model.getIdName() ?? 'id']
  }

  /** What the user is called on pages. */
  nameFor (user: Readonly<Row>): string {
    return String([user.username, user.email, this.idOf(user)].find(each => each !== undefined && each !== null))
  }

  /**
   * Whether the account still has the password and the address that it had. Asked after something was given out for it
   * (security.md, S-43).
   */
  isAsItWas (user: Readonly<Row>): Promise<boolean> {
    return isAsItWas(this.Model, user)
  }

  /** The user with this id. One who is locked is nobody here, whichever way in is asked (security.md, S-190). */
  byId (id: unknown): MaybePromise<Row | undefined> {
    return chain(findRowById(this.Model.compiled, id, undefined, quiet), open)
  }

  /** The user as it was within the last second: for requests that carry a token. */
  recent (id: unknown): MaybePromise<Row | undefined> {
    return this.#recent.getOr(String(id), () => this.byId(id))
  }

  /**
   * The user with this name or e-mail. What looks like an e-mail is looked for as one first: nobody comes into
   * another's account by taking that one's e-mail as a user name. One who is locked is nobody.
   */
  async byName (given: string): Promise<Row | undefined> {
    const { realm, name } = this.#split(given)
    if (name === '') return undefined
    const { caseSensitiveEmail } = this.Model.settings as UserSettings
    const wheres = [{ username: name }, { email: caseSensitiveEmail === false ? name.toLowerCase() : name }]
    for (const where of name.includes('@') ? wheres.reverse() : wheres) {
      const found = await findOneRow(
        this.Model.compiled,
        { where: { ...where, ...(realm === undefined ? {} : { realm }) } },
        quiet
      )
      if (found !== undefined) return open(found)
    }
  }

  /** What attempts on the user with this name or e-mail are counted by. */
  nameOf (given: string): string {
    return accountName(this.Model.modelName, { ...this.#split(given) })
  }

  /** Whether a user that was looked up has this password, and may log in. Nobody takes as long as a wrong password. */
  async authenticate (user: Row | undefined, password: string): Promise<boolean> {
    const instance = user === undefined ? undefined : instantiate(this.Model.compiled, { ...user })
    const right = typeof instance?.hasPassword === 'function'
      ? await isPasswordOf(instance, password)
      : await authService(this.Model.registry).hasher.verify(password, undefined)
    const { emailVerificationRequired } = this.Model.settings as UserSettings
    return right && !(emailVerificationRequired === true && user?.emailVerified !== true)
  }

  /** Whether the right password does not let a user in: there is a second factor, or there must be one. */
  async needsMore (user: Readonly<Row>): Promise<boolean> {
    const factors = authService(this.Model.registry).secondFactors(this.Model)
    return ((await factors?.of(this.idOf(user))) ?? []).length > 0 || await this.mustEnrol(user)
  }

  /** Whether a user has no second factor, and must have one (OI-219). */
  async mustEnrol (user: Readonly<Row>): Promise<boolean> {
    return await authService(this.Model.registry).secondFactors(this.Model)?.mustEnrol(this.idOf(user)) === true
  }

  /** A user who has proved the password just now, and no more (OI-253). */
  halfway (user: Readonly<Row>): Halfway {
    const since = Math.floor(Date.now() / 1000)
    return { userId: this.idOf(user), since, wrong: 0, passwordVersion: accountVersion(user) }
  }

  /** Where users have realms, the name has the realm in front (`acme:una`). */
  #split (given: string): { realm: string | undefined, name: string } {
    const { realmRequired, realmDelimiter } = this.Model.settings as UserSettings
    if (realmRequired !== true) return { realm: undefined, name: given }
    const at = typeof realmDelimiter === 'string' ? given.indexOf(realmDelimiter) : -1
    return at <= 0
      ? { realm: undefined, name: '' }
      : { realm: given.slice(0, at), name: given.slice(at + (realmDelimiter as string).length) }
  }
}
