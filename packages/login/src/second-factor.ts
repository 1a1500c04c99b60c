/**
 * Second factors of users who come by an account elsewhere: they are asked for here as well, unless the provider says
 * in what it signed that it asked for one itself (RFC 8176; security.md, S-119).
 */
import { authService, levelOf, meets } from '@fastback/auth/service'
import type { ModelClass, ModelInstance } from '@fastback/core'
import { LoginFailure } from './errors.js'
import type { LoggedIn } from './logged-in.js'

/** An account elsewhere that is linked with a user once the user's second factor is proven (security.md, S-153). */
export interface UnprovenAccount {
  readonly provider: string
  readonly authScheme: string
  readonly externalId: string
}

/** The account is right, and the user's second factor was not proven. Pages that end the login can ask for it. */
export class SecondFactorWanted extends LoginFailure {
  /**
   * @param first how the user has proven who they are so far (RFC 8176)
   * @param account what is linked with the user when the factor is proven
   */
  constructor (
    readonly user: ModelInstance, readonly first: readonly string[], readonly account: UnprovenAccount | undefined
  ) {
    super('SECOND_FACTOR_REQUIRED', 'the user has a second factor, and it was not proven')
  }
}

/** What a login brings beside the account. */
export interface Assurance {
  /** How the provider says that it asked: `amr` of the id_token it signed. */
  readonly amr?: readonly string[] | undefined
  /** Whether account and user belonged together before: a provider's word counts then. */
  readonly isKnown: boolean
  /** One that is to be linked with the user. */
  readonly account?: UnprovenAccount | undefined
  /** How the user has proven who they are here. Default: `fed`, by the provider. */
  readonly by?: 'fed' | 'pwd'
  /** The form of a way in that has one: `otp`, `recoveryCode`. */
  readonly form?: Readonly<Record<string, unknown>> | undefined
}

/**
 * What the token of a login says of how it was proven; undefined where the user model has no second factors.
 * @throws SecondFactorWanted; TooManyAttempts 429
 */
export async function proveSecondFactor (
  User: ModelClass, user: ModelInstance, { amr = [], isKnown, account, by = 'fed', form = {} }: Assurance
): Promise<readonly string[] | undefined> {
  const factors = authService(User.registry).secondFactors(User)
  if (factors === undefined) return undefined
  const own = await factors.of(user[User.getIdName() ?? 'id'])
  const first = [...new Set([by, ...isKnown || own.length === 0 ? amr : []])]
  if (own.length === 0 || (isKnown && amr.includes('mfa'))) return first
  const { otp, recoveryCode } = form
  const given = { ...otp === undefined ? {} : { otp }, ...recoveryCode === undefined ? {} : { recoveryCode } }
  if (Object.keys(given).length === 0) throw new SecondFactorWanted(user, first, account)
  try {
    return [...first, ...await factors.prove(user, given)]
  } catch (error) {
    const isWanted = (error as { code?: unknown }).code === 'SECOND_FACTOR_FAILED'
    throw isWanted ? new SecondFactorWanted(user, first, account) : error
  }
}

/**
 * Whether a factor was confirmed while a login without one was made: it ended what there was, and this was not there
 * yet (security.md, S-43, S-119).
 */
export async function lacksNewFactor (
  User: ModelClass, user: Readonly<Record<string, unknown>>, amr: readonly string[] | undefined
): Promise<boolean> {
  const factors = authService(User.registry).secondFactors(User)
  return factors !== undefined && amr?.includes('mfa') !== true &&
    (await factors.of(user[User.getIdName() ?? 'id'])).length > 0
}

/** Seconds that a login with two factors may be old to add a way in, as one that adds a passkey. */
const young = 300

/**
 * An account that logs in may stand for the second factor from then on (`amr` of its provider): a session alone, which
 * may be stolen, adds none to a user who has one (security.md, S-151).
 * @throws LoginFailure SECOND_FACTOR_REQUIRED
 */
export async function mayAddWayIn (User: ModelClass, { id, at, amr }: LoggedIn): Promise<void> {
  const factors = authService(User.registry).secondFactors(User)
  const hasFactors = (await factors?.of(id) ?? []).length > 0
  // A login elsewhere has rules of its own (OI-219); whoever came here by a password sets a factor up first.
  const mustEnrol = !hasFactors && amr?.includes('fed') !== true && await factors?.mustEnrol(id) === true
  if (!mustEnrol && !hasFactors) return
  if (meets({ acr: levelOf(amr), time: at }, { acr: '2fa', maxAge: young })) return
  throw new LoginFailure('SECOND_FACTOR_REQUIRED', 'the login to link to had no second factor within five minutes')
}

/** The `amr` of claims that a provider signed: short words, or nothing. */
export const amrOf = ({ amr }: Readonly<Record<string, unknown>>): string[] =>
  Array.isArray(amr) ? amr.filter(each => typeof each === 'string' && /^[\w-]{1,32}$/.test(each)).slice(0, 16) : []
