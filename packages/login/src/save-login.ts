/** A session for who logged in, and its end. */
import { isAsItWas, storedId } from '@fastback/auth/service'
import type { ModelClass } from '@fastback/core'
import { deleteById } from '@fastback/core/remote'
import { idOfUser } from './accounts.js'
import type { Entry } from './entry.js'
import { LoginFailure } from './errors.js'
import type { Outcome } from './kinds/kind.js'
import { lacksNewFactor } from './second-factor.js'
import type { Logins } from './logins.js'
import type { Session } from './session.js'

/** @throws LoginFailure where the account was changed meanwhile */
export async function keepLogin (logins: Logins, entry: Entry, session: Session,
  { user, token, idToken, amr }: Outcome): Promise<void> {
  const { User } = logins.models
  await session.logIn({
    model: User.modelName,
    id: String(idOfUser(User, user)),
    at: Date.now(),
    ...(amr === undefined ? {} : { amr }),
    // As it is stored: it ends the token, and logs nobody in.
    ...(token === undefined ? {} : { tokenId: storedId(String(token.id)) }),
    ...(idToken === undefined ? {} : { idToken }),
    entry: entry.name
  })
  // Whoever comes in by code of the application comes in as that says.
  const isByCode = typeof entry.options.loginCallback === 'function'
  if (await isAsItWas(User, user) && (isByCode || !await lacksNewFactor(User, user, amr))) return
  await session.logOut()
  throw new LoginFailure('LOCKED', 'the account was changed during the login')
}

/** Ends the token that a login made, by the id of its row. */
export async function removeToken ({ registry }: Logins, id: string): Promise<void> {
  const Token = registry.findModel('AccessToken') && registry.getModelByType('AccessToken') as ModelClass | undefined
  if (Token !== undefined && Token.dataSource !== null) await deleteById(Token.compiled, id)
}
