/**
 * The second step of a login that ends on a page (OI-210): the page exchanges its code for a challenge, and proves the
 * factor to the user model, which gives the token.
 */
import { accountVersion, authService, isSameText, secondFactorRequired, tokenTtl } from '@fastback/auth/service'
import type { RequestError } from '@fastback/core'
import { idOfUser, isLocked } from './accounts.js'
import { makeCode } from './codes.js'
import type { Entry } from './entry.js'
import type { Logins } from './logins.js'
import type { SecondFactorWanted } from './second-factor.js'

/** Whose tokens code of the application makes or allows: the user model, which makes this one, knows nothing of it. */
const isOfCode = ({ options: { createAccessToken, loginCallback } }: Entry): boolean =>
  [createAccessToken, loginCallback].some(each => typeof each === 'function')

/** The code that a page gets for a login that lacks the second factor; undefined: none, and the login has failed. */
export async function codeForFactor (
  logins: Logins, entry: Entry, { user, first }: SecondFactorWanted, challenge: string
): Promise<string | undefined> {
  if (isOfCode(entry)) return undefined
  return await makeCode(logins, { first, version: accountVersion(user) }, idOfUser(logins.models.User, user), challenge)
}

/** What a page is asked that has exchanged such a code; undefined: the account is not as it was. */
export async function askForFactor (
  logins: Logins, { userId, first, version }: { userId: unknown, first: readonly string[], version: string }
): Promise<RequestError | undefined> {
  const { User } = logins.models
  const user = await logins.userOf({ id: userId as string })
  const factors = authService(User.registry).secondFactors(User)
  if (user === null || factors === undefined || isLocked(user) || !isSameText(version, accountVersion(user))) {
    return undefined
  }
  const own = await factors.of(idOfUser(User, user))
  if (own.length === 0) return undefined
  return secondFactorRequired(await factors.ask(user, own, { ttl: tokenTtl(undefined, User.settings), first }))
}
