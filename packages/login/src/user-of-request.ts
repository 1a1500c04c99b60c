/** What application code has of the user of a request (LG-07). */
import type { ModelInstance } from '@fastback/core'
import { idOfUser } from './accounts.js'
import { flashOf } from './flash.js'
import { removeToken } from './save-login.js'
import type { Logins } from './logins.js'
import type { Session } from './session.js'
import type { Visit } from './visit.js'

type Rows = { find (filter: object): Promise<ModelInstance[]> }
type Done = (error?: unknown) => void

/** A user with `profiles` (its identities) and `accounts` (its credentials). */
export type RequestUser =
  ModelInstance & { profiles?: ModelInstance[], accounts?: ModelInstance[], accessToken?: unknown }

export async function describeUser (logins: Logins, user: ModelInstance): Promise<RequestUser> {
  const { User, Identity, Credential } = logins.models
  const where = { userId: idOfUser(User, user) }
  const [profiles, accounts] = await Promise.all([
    (Identity as unknown as Rows).find({ where, limit: 100 }),
    (Credential as unknown as Rows).find({ where, limit: 100 })
  ])
  for (const [name, value] of Object.entries({ profiles, accounts })) {
    Object.defineProperty(user, name, { value, enumerable: false, configurable: true, writable: true })
  }
  return user as RequestUser
}

/** Gives a request of Express code the functions of passport, and its user where a session has one. */
export async function introduce (logins: Logins, visit: Visit): Promise<void> {
  const { req } = visit
  // Who brings neither a cookie nor a session has nobody to be.
  const session = await logins.sessions.of(visit)
  const token = logins.cookies.tokenOf(visit)
  if (token !== undefined && req.signedCookies?.access_token === undefined) {
    req.signedCookies = { ...req.signedCookies, access_token: token }
  }
  if (session.user !== undefined && logins.hasSessions) await loadUser(logins, session, req)
  const isAuthenticated = (): boolean => req.user !== undefined && req.user !== null
  const logOut = (): Promise<void> => {
    delete req.user
    return endLogin(logins, visit, session)
  }
  const logIn = async (user: ModelInstance): Promise<void> => {
    await session.logIn({
      model: logins.models.User.modelName, id: String(idOfUser(logins.models.User, user)),
      at: Date.now()
    })
    req.user = user
  }
  const calling = (work: Promise<void>, done: Done | undefined): Promise<void> | undefined => {
    if (done !== undefined) {
      work.then(() => { done() }, done)
      return undefined
    }
    // Code of passport's first versions waits for nothing.
    work.catch((error: unknown) => { logins.registry.log.warn({ err: error }, 'a login or logout failed') })
    return work
  }
  const login = (user: ModelInstance, ...rest: unknown[]): Promise<void> | undefined =>
    calling(logIn(user), rest.find(each => typeof each === 'function') as Done | undefined)
  const logout = (...rest: unknown[]): Promise<void> | undefined =>
    calling(logOut(), rest.find(each => typeof each === 'function') as Done | undefined)
  const members = {
    isAuthenticated, isUnauthenticated: () => !isAuthenticated(), login, logIn: login, logout,
    logOut: logout
  }
  for (const [name, value] of Object.entries(members)) if (!(name in req)) req[name] = value
  if (!('flash' in req)) req.flash = flashOf(session)
}

async function loadUser (logins: Logins, session: Session, req: Visit['req']): Promise<void> {
  const { user } = session
  const row = user === undefined || user.model !== logins.models.User.modelName ? null : await logins.userOf(user)
  if (user === undefined || row === null) await session.logOut()
  else if (await logins.isOpen(user, row)) req.user = await describeUser(logins, row)
}

/**
 * LG-59: the session is another one then, and the token that its login made is gone. Headers are set at once: code that
 * waits for nothing answers in the next line.
 */
export async function endLogin (logins: Logins, visit: Visit, session: Session): Promise<void> {
  const { user } = session
  const entry = user?.entry === undefined ? undefined : logins.entries.get(user.entry)
  logins.cookies.clear(visit, entry)
  await session.logOut()
  if (user?.tokenId !== undefined) await removeToken(logins, user.tokenId)
}
