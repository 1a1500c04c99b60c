/**
 * The second step of a login that ends on a page or in JSON (OI-210): the page exchanges its code for a challenge, or
 * the response has it, and the factor is proven to the user model, which gives the token.
 */
import {
  accountVersion, authService, isLocked, isSameText, secondFactorRequired, tokenTtl
} from '@fastback/auth/service'
import type { ModelInstance, RequestError } from '@fastback/core'
import { idOfUser } from './accounts.js'
import { makeCode, type CodeContent } from './codes.js'
import type { Entry } from './entry.js'
import type { Logins } from './logins.js'
import type { SecondFactorWanted, UnprovenAccount } from './second-factor.js'
import type { Visit } from './visit.js'

/**
 * Whether the user model can make the token: it knows nothing of code of the application that makes or allows tokens,
 * nor of entries that want none.
 */
const isOfModel = ({ link, autoLogin, options: { createAccessToken, loginCallback } }: Entry): boolean =>
  !link && autoLogin && ![createAccessToken, loginCallback].some(each => typeof each === 'function')

/** The code that a page gets for a login that lacks the second factor; undefined: none, and the login has failed. */
export async function codeForFactor (
  logins: Logins, entry: Entry, { user, first, account }: SecondFactorWanted, challenge?: string
): Promise<string | undefined> {
  if (!isOfModel(entry)) return undefined
  const content = { first, version: accountVersion(user), ...account === undefined ? {} : { account } }
  return await makeCode(logins, content, idOfUser(logins.models.User, user), challenge)
}

/** Responds with the challenge, as the login of the user model does. */
export function sendChallenge (visit: Visit, { statusCode, name, message, code, details }: RequestError): void {
  visit.json(statusCode, { error: { statusCode, name, message, code, details } })
}

/** What a page is asked that has exchanged such a code; undefined: the account is not as it was. */
export async function askForFactor (
  logins: Logins, { userId, first, version, account }: Exclude<CodeContent, { token: string }> & { userId: unknown }
): Promise<RequestError | undefined> {
  const user = await logins.userOf({ id: userId as string })
  if (user === null || isLocked(user) || !isSameText(version, accountVersion(user))) return undefined
  return await challengeFor(logins, user, first, account)
}

/** What a login in JSON responds with that lacks the second factor; undefined: the login has failed. */
export async function askInJson (
  logins: Logins, entry: Entry, { user, first, account }: SecondFactorWanted
): Promise<RequestError | undefined> {
  return isOfModel(entry) ? await challengeFor(logins, user, first, account) : undefined
}

async function challengeFor (
  { models: { User } }: Logins, user: ModelInstance, first: readonly string[], account: UnprovenAccount | undefined
): Promise<RequestError | undefined> {
  const factors = authService(User.registry).secondFactors(User)
  if (factors === undefined) return undefined
  const own = await factors.of(idOfUser(User, user))
  if (own.length === 0) return undefined
  const next = { ttl: tokenTtl(undefined, User.settings), first, ...account === undefined ? {} : { account } }
  return secondFactorRequired(await factors.ask(user, own, next))
}
