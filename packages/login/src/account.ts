/** What a user sees and ends of his own account: sessions, identities, linked accounts. Nothing that opens anything. */
import type { ModelClass, ModelInstance } from '@fastback/core'
import { deleteRows, remoteOptions } from '@fastback/core/remote'
import { removeToken } from './save-login.js'
import type { Logins } from './logins.js'
import type { LoggedIn } from './logged-in.js'
import { sessionName, type Session } from './session.js'
import type { Visit } from './visit.js'

type Rows = ModelClass & { find (filter: object): Promise<ModelInstance[]> }

/** Rows of a kind that one page shows. */
const limit = 100

export interface Caller {
  readonly session: Session
  readonly user: LoggedIn
}

export interface Account {
  readonly id: unknown
  readonly provider: unknown
  readonly created: unknown
  /** Of its profile; undefined where it has none. */
  readonly name: unknown
}

export interface Overview {
  readonly userId: unknown
  readonly identities: readonly Account[]
  readonly credentials: readonly Account[]
  readonly sessions: ReadonlyArray<{
    readonly name: unknown, readonly agent: unknown, readonly created: unknown, readonly expires: unknown
    /** Whether it is the one that asks. */
    readonly current: boolean
  }>
  /** Where accounts are linked. */
  readonly links: ReadonlyArray<{ readonly name: string, readonly path: string }>
}

/** Who is logged in; undefined where nobody is, and for what another site sent. */
export async function callerOf (logins: Logins, visit: Visit): Promise<Caller | undefined> {
  const session = await logins.sessions.of(visit)
  const user = await logins.callerOf(visit, session)
  return user === undefined || (visit.method === 'POST' && visit.isForeign(logins.settings.pages)) ? undefined : { session, user }
}

export async function overviewOf (logins: Logins, { session, user }: Caller): Promise<Overview> {
  const userId = await logins.idOf(user)
  const { Identity, Credential } = logins.models
  const accounts = async (Model: ModelClass): Promise<Account[]> =>
    (await (Model as Rows).find({ where: { userId }, limit })).map(row => ({
      id: row[Model.getIdName() ?? 'id'], provider: row.provider, created: row.created,
      name: (row.profile as { displayName?: unknown } | null)?.displayName
    }))
  const own = sessionName(session)
  const sessions = await logins.sessionRecords.where({ userModel: user.model, userId: user.id })
  return {
    userId,
    identities: await accounts(Identity),
    credentials: await accounts(Credential),
    sessions: sessions.map(({ name, agent, created, expiredAt }) =>
      ({ name, agent, created, expires: expiredAt, current: name === own })),
    links: [...logins.entries.values()].filter(({ link }) => link).map(({ name, authPath }) =>
      ({ name, path: authPath }))
  }
}

/**
 * Ends a session, and the access token that its login made, which opens as much.
 * @returns how many sessions ended: 0 for one that is not the user's
 */
export async function endSession (logins: Logins, { user }: Caller, name: unknown): Promise<number> {
  if (typeof name !== 'string') return 0
  const own = { userModel: user.model, userId: user.id, name }
  const rows = await logins.sessionRecords.where(own)
  const count = await logins.sessionRecords.removeAll(own)
  for (const { data } of rows) {
    const { tokenId } = (data as { user?: LoggedIn } | null)?.user ?? {}
    if (tokenId !== undefined) await removeToken(logins, tokenId)
  }
  return count
}

/**
 * As over the relation of the user: the last way to log in stays (LG-67). What was linked with it goes, too.
 * @returns why it stays: `IDENTITY_NOT_FOUND`, or the code of a rule
 */
export async function unlink (logins: Logins, { user }: Caller, identity: unknown): Promise<string | undefined> {
  const userId = await logins.idOf(user)
  const { Identity, Credential } = logins.models
  const idName = Identity.getIdName() ?? 'id'
  const row = (await (Identity as Rows).find({ where: { userId }, limit })).find(each =>
    String(each[idName]) === String(identity))
  if (row === undefined) return 'IDENTITY_NOT_FOUND'
  try {
    await deleteRows(Identity.compiled, { [idName]: row[idName] }, remoteOptions({}))
  } catch (error) {
    const { statusCode, code } = error as { statusCode?: number, code?: string }
    if (statusCode !== 409) throw error
    return String(code)
  }
  await deleteRows(Credential.compiled, { userId, provider: row.provider, externalId: row.externalId },
    { notify: false })
  return undefined
}
