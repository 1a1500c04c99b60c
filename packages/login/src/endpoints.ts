/**
 * What new applications have beside the entries: logout, the exchange of one-time codes, and what an account page
 * needs.
 */
import { callerOf, endSession, overviewOf, unlink, type Caller } from './account.js'
import { accountPage } from './account-page.js'
import { offerWays, takeCode } from './codes.js'
import { askForFactor, sendChallenge } from './second-step.js'
import type { Redirecting } from './kinds/kind.js'
import type { Logins } from './logins.js'
import { endLogin } from './user-of-request.js'
import type { Visit } from './visit.js'

export function addEndpoints (logins: Logins): void {
  const { host, settings } = logins
  offerWays(logins)
  if (settings.logoutPath !== undefined) host.route('post', settings.logoutPath, logout(logins))
  if (settings.exchangePath !== undefined) host.route('post', settings.exchangePath, exchange(logins))
  if (settings.accountPath !== undefined) addAccountData(logins, settings.accountPath)
  if (settings.accountPage !== undefined) accountPage(logins, settings.accountPage)
}

const refused = (visit: Visit, status: number, code: string): void => {
  visit.json(status, { error: { statusCode: status, name: 'Error', code, message: code } })
}

/** LG-59. Another site's forms end no login. */
const logout = (logins: Logins) => async (visit: Visit): Promise<void> => {
  if (visit.isForeign(logins.settings.pages)) { refused(visit, 403, 'ACCESS_DENIED'); return }
  const session = await logins.sessions.of(visit)
  const { user } = session
  await endLogin(logins, visit, session)
  const entry = user?.entry === undefined ? undefined : logins.entries.get(user.entry)
  let address: string | undefined
  if (entry?.options.federatedLogout === true && entry.kind === 'oidc') {
    const kind = (await logins.installed.get(entry.name))?.flow?.kind as Redirecting | undefined
    address = await kind?.endSession?.(user?.idToken, new URL('/', visit.origin).href).catch(() => undefined)
  }
  visit.redirect(address ?? '/', 303)
}

/** A page's one-time code for its token: once, within a minute, and only by the page's own origin. */
const exchange = (logins: Logins) => async (visit: Visit): Promise<void> => {
  if (visit.isForeign(logins.settings.pages)) { refused(visit, 403, 'ACCESS_DENIED'); return }
  const { code, verifier } = await visit.form()
  const found = await takeCode(logins, code, verifier)
  if (found === undefined) { refused(visit, 400, 'CODE_INVALID'); return }
  if ('token' in found) { visit.json(200, { access_token: found.token, userId: found.userId }); return }
  const question = await askForFactor(logins, found)
  if (question === undefined) { refused(visit, 400, 'CODE_INVALID'); return }
  sendChallenge(visit, question)
}

function addAccountData (logins: Logins, path: string): void {
  const { host } = logins
  /** Anyone who asks for more than a login lets through is told 401. */
  const guarded = (work: (visit: Visit, caller: Caller) => Promise<void>) => async (visit: Visit): Promise<void> => {
    const caller = await callerOf(logins, visit)
    if (caller === undefined) refused(visit, 401, 'AUTHORIZATION_REQUIRED')
    else await work(visit, caller)
  }
  host.route('get', path, guarded(async (visit, caller) => { visit.json(200, await overviewOf(logins, caller)) }))
  host.route('post', `${path}/end-session`, guarded(async (visit, caller) => {
    const { name } = await visit.form()
    const count = await endSession(logins, caller, name)
    if (count === 0) refused(visit, 404, 'SESSION_NOT_FOUND')
    else visit.json(200, { count })
  }))
  host.route('post', `${path}/unlink`, guarded(async (visit, caller) => {
    const { identity } = await visit.form()
    const refusal = await unlink(logins, caller, identity)
    if (refusal === undefined) visit.json(200, { count: 1 })
    else refused(visit, refusal === 'IDENTITY_NOT_FOUND' ? 404 : 409, refusal)
  }))
}
