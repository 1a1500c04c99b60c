/**
 * What new applications have beside the entries: logout, the exchange of one-time codes, and the account page's data.
 */
import type { ModelClass, ModelInstance } from '@fastback/core'
import { deleteRows, remoteOptions } from '@fastback/core/remote'
import { offerWays, takeCode } from './codes.js'
import type { Logins } from './logins.js'
import { sessionName, type LoggedIn, type Session } from './session.js'
import { endLogin } from './user-of-request.js'
import type { Visit } from './visit.js'
import type { Redirecting } from './kinds/kind.js'

type Rows = ModelClass & { find (filter: object): Promise<ModelInstance[]> }

export function addEndpoints (logins: Logins): void {
  const { host, settings } = logins
  if (settings.logoutPath !== undefined) host.route('post', settings.logoutPath, logout(logins))
  offerWays(logins)
  if (settings.exchangePath !== undefined) host.route('post', settings.exchangePath, exchange(logins))
  const { accountPath } = settings
  if (accountPath === undefined) return
  host.route('get', accountPath, overview(logins))
  host.route('post', `${accountPath}/end-session`, endSession(logins))
  host.route('post', `${accountPath}/unlink`, unlink(logins))
}

const refused = (visit: Visit, status: number, code: string): void => {
  visit.json(status, { error: { statusCode: status, name: 'Error', code, message: code } })
}

/** LG-59. Another site's forms end no login. */
const logout = (logins: Logins) => async (visit: Visit): Promise<void> => {
  if (visit.isCrossSite) { refused(visit, 403, 'ACCESS_DENIED'); return }
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
  if (visit.isCrossSite) { refused(visit, 403, 'ACCESS_DENIED'); return }
  const { code, verifier } = await visit.form()
  const found = await takeCode(logins, code, verifier)
  if (found === undefined) { refused(visit, 400, 'CODE_INVALID'); return }
  visit.json(200, { access_token: found.token, userId: found.userId })
}

/** Whoever asks for more than a login lets through is told 401. */
async function caller (logins: Logins, visit: Visit): Promise<{ session: Session, user: LoggedIn } | undefined> {
  const session = await logins.sessions.of(visit)
  const user = await logins.callerOf(visit, session)
  if (user !== undefined && !(visit.method === 'POST' && visit.isCrossSite)) return { session, user }
  refused(visit, 401, 'AUTHORIZATION_REQUIRED')
  return undefined
}

/** Sessions, identities, linked accounts and ways to link more: nothing that opens anything. */
const overview = (logins: Logins) => async (visit: Visit): Promise<void> => {
  const found = await caller(logins, visit)
  if (found === undefined) return
  const userId = await logins.idOf(found.user)
  const { Identity, Credential } = logins.models
  const accounts = async (Model: ModelClass): Promise<object[]> =>
    (await (Model as Rows).find({ where: { userId }, limit: 100 })).map(row => ({
      id: row[Model.getIdName() ?? 'id'], provider: row.provider, created: row.created,
      name: (row.profile as { displayName?: unknown } | null)?.displayName
    }))
  const own = sessionName(found.session)
  const sessions = await logins.sessionRecords.where({ userModel: found.user.model, userId: found.user.id })
  visit.json(200, {
    userId,
    identities: await accounts(Identity),
    credentials: await accounts(Credential),
    sessions: sessions.map(({ name, agent, created, expiredAt }) =>
      ({ name, agent, created, expires: expiredAt, current: name === own })),
    links: [...logins.entries.values()].filter(({ link }) => link).map(({ name, authPath }) =>
      ({ name, path: authPath }))
  })
}

const endSession = (logins: Logins) => async (visit: Visit): Promise<void> => {
  const found = await caller(logins, visit)
  if (found === undefined) return
  const { name } = await visit.form()
  const count = typeof name === 'string'
    ? await logins.sessionRecords.removeAll({ userModel: found.user.model, userId: found.user.id, name })
    : 0
  if (count === 0) refused(visit, 404, 'SESSION_NOT_FOUND')
  else visit.json(200, { count })
}

/** As over the relation of the user: the last way to log in stays (LG-67). What was linked with it goes, too. */
const unlink = (logins: Logins) => async (visit: Visit): Promise<void> => {
  const found = await caller(logins, visit)
  if (found === undefined) return
  const { identity } = await visit.form()
  const userId = await logins.idOf(found.user)
  const { Identity, Credential } = logins.models
  const idName = Identity.getIdName() ?? 'id'
  const row = (await (Identity as Rows).find({ where: { userId }, limit: 100 })).find(each =>
    String(each[idName]) === String(identity))
  if (row === undefined) { refused(visit, 404, 'IDENTITY_NOT_FOUND'); return }
  try {
    await deleteRows(Identity.compiled, { [idName]: row[idName] }, remoteOptions({}))
  } catch (error) {
    const { statusCode, code } = error as { statusCode?: number, code?: string }
    if (statusCode !== 409) throw error
    refused(visit, 409, String(code))
    return
  }
  await deleteRows(Credential.compiled, { userId, provider: row.provider, externalId: row.externalId },
    { notify: false })
  visit.json(200, { count: 1 })
}
