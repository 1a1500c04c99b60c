/** Second factors of one user model (OI-210 … OI-231): what logins and others ask. */
import type { ModelClass, Row } from '@fastback/core'
import type { Reservation } from '../attempts/attempts.js'
import { attemptsOf } from '../attempts/service.js'
import { accountId } from '../attempts/account-keys.js'
import { secondFactorFailed, secondFactorRequired } from '../errors.js'
import { resultOf } from '../builtin.js'
import type { UserModel } from '../user/user-model.js'
import { userModelsOf } from '../user/user-models.js'
import { idOfUser, versionOf } from './account.js'
import { Challenges, challengeTtl } from './challenges.js'
import { Devices } from './devices.js'
import type { FactorKind, FactorWay } from './factor-way.js'
import { FactorRows, type FactorRow, type RowKind } from './factor-rows.js'
import type { FactorModels } from './models.js'
import { RecoveryCodes } from './recovery-codes.js'
import type { SealedTexts } from './sealed-texts.js'
import type { SecondFactorOptions } from './settings.js'
import { TotpFactor } from './totp-factor.js'

/** Order in which clients are told of them. */
const kinds: ReadonlyMap<RowKind, FactorKind> =
  new Map([['totp', 'totp'], ['recovery', 'recovery'], ['passkey', 'webauthn']])

/** What a request gives as proof: `otp`, `recoveryCode`, `response`; other members do not matter. */
export type Proof = Readonly<Record<string, unknown>>

/** What a login found out. */
export interface Proven {
  /** Of the token (RFC 8176): `pwd` first. */
  readonly amr: readonly string[]
  /** Whether the user has a factor: a token that was made without one ends when there is one meanwhile. */
  readonly hasFactors: boolean
  /** For a device that is to be remembered: what it gives back in place of a factor. */
  readonly deviceToken?: string | undefined
}

/**
 * Second factors of a user model: `authService(registry).secondFactors(Customer)`, undefined where they are off.
 *
 * ```js
 * const factors = authService(registry).secondFactors(Customer)
 * if ((await factors.of(user.id)).length > 0) {
 *   const amr = await factors.prove(user, { otp: '492039' }) // ['otp', 'mfa']
 * }
 * ```
 */
export class SecondFactors {
  readonly challenges: Challenges
  readonly rows: FactorRows
  readonly totp: TotpFactor
  readonly recovery: RecoveryCodes
  readonly devices: Devices
  /** By the member of a request that has the proof. Passkeys add `response`. */
  readonly ways: Map<string, FactorWay>

  /**
   * @param models asked for when there is something to read
   * @param sealed the application's secrets, at the first use
   * @param audit writes what happened to an account into the log; no secrets
   */
  constructor (
    readonly Model: ModelClass,
    readonly options: SecondFactorOptions,
    readonly models: FactorModels,
    readonly sealed: () => SealedTexts,
    readonly audit: (event: Readonly<Record<string, unknown>> & { readonly event: string }) => void
  ) {
    this.challenges = new Challenges(Model, () => models.UserChallenge)
    this.rows = new FactorRows(Model, () => models.UserFactor)
    this.totp = new TotpFactor(this.rows, sealed)
    this.recovery = new RecoveryCodes(this.rows)
    this.devices = new Devices(this.rows, options.remember ?? 0)
    this.ways = new Map<string, FactorWay>([['recoveryCode', this.recovery]])
    if (options.totp !== false) this.ways.set('otp', this.totp)
  }

  /** What authenticator applications and browsers show. */
  get issuer (): string {
    return this.options.issuer ?? this.Model.modelName
  }

  /** Kinds that the user has confirmed. Recovery codes count beside another one only. */
  async of (userId: unknown): Promise<FactorKind[]> {
    const rows = await this.rows.of(userId, [...kinds.keys()])
    const has = new Set(rows.filter(({ confirmed }) => confirmed === true).map(({ kind }) => kind))
    return has.has('totp') || has.has('passkey') ? [...kinds].filter(([kind]) => has.has(kind)).map(([, name]) => name) : []
  }

  /**
   * Judges one proof of a user, counted for the account over all ways and addresses (OI-214); a right one is given
   * back, and used up where it works once.
   * @param challenge its text, where the proof is for one
   * @returns what the token's `amr` says of it
   * @throws RequestError 401 SECOND_FACTOR_FAILED, also for none and for several; TooManyAttempts 429, with
   * `retryAfter` in seconds; 503 while nobody can count
   */
  async prove (user: Readonly<Row>, given: Proof, challenge?: string): Promise<readonly string[]> {
    const { Model } = this
    const userId = idOfUser(Model, user)
    const reservation = await this.counted(user)
    const named = this.#named(given)
    const [member, way] = named[0] ?? []
    const isRight = named.length === 1 && way !== undefined && await way.prove(user, given[member as string], challenge)
    if (!isRight) {
      this.audit({ event: 'second factor failed', model: Model.modelName, userId, kind: way?.kind })
      throw secondFactorFailed()
    }
    await reservation?.succeeded()
    if (way.kind === 'recovery') this.audit({ event: 'recovery code used', model: Model.modelName, userId })
    return way.amr
  }

  /**
   * Whether a user has to set a factor up before anything else (OI-219): the option `required` is for him, and he has
   * none. Roles are asked of the model Role; where there is none, nobody is in one.
   */
  async mustEnrol (userId: unknown): Promise<boolean> {
    const { Model, options: { required = false } } = this
    if (required === false || (await this.of(userId)).length > 0) return false
    if (required === true) return true
    const { registry } = Model
    const Role = registry.findModel('Role') === undefined ? undefined : registry.getModelByType('Role') as ModelClass
    if (typeof Role?.isInRole !== 'function') return false
    const [principalType] = userModelsOf(registry).principalTypes(Model as UserModel)
    for (const role of required) {
      if (await resultOf(Role.isInRole, Role, role, { principalType, principalId: userId }) === true) return true
    }
    return false
  }

  /**
   * Counts a try to prove a factor of a user; to be given back when it is right. By the limit of accounts alone, who
   * knows the password could guess a code within days: a day has a limit of its own, until the password changes.
   * @throws TooManyAttempts 429
   */
  async counted (user: Readonly<Row>): Promise<Reservation | undefined> {
    const { Model, options: { wrongPerDay = 100 } } = this
    const name = accountId(Model.modelName, idOfUser(Model, user))
    return await attemptsOf(Model.registry).users?.reserve({
      what: 'second factor', name, address: null,
      also: { of: `${name} ${versionOf(user)}`, limit: { max: wrongPerDay, timeWindow: 86_400_000 } }
    })
  }

  /** Removes a kind, or one row of it; recovery codes go with the last other factor (OI-227). */
  async remove (user: Readonly<Row>, kind: 'totp' | 'passkey', row?: FactorRow): Promise<boolean> {
    const userId = idOfUser(this.Model, user)
    const removed = row === undefined
      ? await this.rows.removeAll([userId], [kind]) > 0
      : await this.rows.remove(row)
    if ((await this.of(userId)).length === 0) await this.rows.removeAll([userId], ['recovery'])
    return removed
  }

  /**
   * What a login with the right password still needs, and what its token says (OI-210, OI-211, OI-216).
   * @param given the body of the login
   * @param next what the second step gives the token: `ttl`, `realm`, `include`
   * @throws RequestError 401 SECOND_FACTOR_REQUIRED with a challenge; as `prove`
   */
  async atLogin (user: Readonly<Row>, given: Proof, next: Readonly<Record<string, unknown>>): Promise<Proven> {
    const own = await this.of(idOfUser(this.Model, user))
    if (own.length === 0) return { amr: ['pwd'], hasFactors: false }
    if (await this.devices.knows(user, given.deviceToken)) return { amr: ['pwd'], hasFactors: true }
    if (this.#named(given).some(([, { needsChallenge }]) => needsChallenge !== true)) {
      return await this.#proven(user, given, await this.prove(user, given))
    }
    throw secondFactorRequired(await this.ask(user, own, next))
  }

  /**
   * A challenge for the second step of a login, with what the client needs for it: `details` of OI-210.
   * @param next what the second step gives the token; `first`: how the user has proven who they are so far. Default:
   * `['pwd']`
   */
  async ask (
    user: Readonly<Row>, own: readonly FactorKind[], next: Readonly<Record<string, unknown>> = {}
  ): Promise<Record<string, unknown>> {
    const challenge = await this.challenges.make('login', user, next)
    const offers: Record<string, unknown> = {}
    for (const way of this.ways.values()) {
      if (own.includes(way.kind) && way.offer !== undefined) offers[way.kind] = await way.offer(user, challenge)
    }
    return { challenge, factors: own, expiresIn: challengeTtl, ...offers }
  }

  /**
   * The second step: takes the challenge, finds the user again, judges the proof, and uses the challenge up.
   * @param find looks a user up by id
   * @param refuse the error for an account that is not as it was
   * @throws RequestError 401 CHALLENGE_INVALID; as `prove`
   */
  async finish<U extends Row> (given: Proof, find: (userId: string) => Promise<U | null>, refuse: () => Error):
  Promise<Proven & { readonly user: U, readonly next: Readonly<Record<string, unknown>> }> {
    const challenge = await this.challenges.take('login', given.challenge)
    const user = challenge.userId === undefined ? null : await find(challenge.userId)
    if (user === null || !challenge.fits(user)) throw refuse()
    const amr = await this.prove(user, given, given.challenge as string)
    await challenge.use()
    const { first = ['pwd'] } = challenge.data as { first?: readonly string[] }
    return { ...await this.#proven(user, given, amr, first), user, next: challenge.data }
  }

  async #proven (
    user: Readonly<Row>, { remember, deviceName }: Proof, amr: readonly string[], first: readonly string[] = ['pwd']
  ): Promise<Proven> {
    const deviceToken = remember === true ? await this.devices.remember(user, deviceName) : undefined
    const all = [...new Set([...first, ...amr])]
    return { amr: all, hasFactors: true, ...deviceToken === undefined ? {} : { deviceToken } }
  }

  #named (given: Proof): Array<[string, FactorWay]> {
    return [...this.ways].filter(([member]) => given[member] !== undefined)
  }
}
