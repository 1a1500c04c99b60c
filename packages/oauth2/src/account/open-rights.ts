/** What is open for a user: the applications that act for him, and his sessions; and how it ends (OI-115). */
import { describeScopes } from '../endpoints/dialog.js'
import { InvalidRequest } from '../errors.js'
import type { Parameters } from '../http/parameters.js'
import type { Rights } from '../pages/rights-sections.js'
import type { Texts } from '../pages/texts/en.js'
import type { Provider } from '../provider.js'
import type { Session } from '../session/sessions.js'

/** What a page says after a form, by the code in its address: nothing else of the address is shown. */
const done: Readonly<Record<string, keyof Texts>> = {
  application: 'applicationEnded',
  session: 'sessionEnded',
  'other sessions': 'otherSessionsEnded'
}

/** What a form that has ended something says afterwards. */
export const saidOf = (ended: string | undefined): keyof Texts | undefined =>
  ended !== undefined && Object.hasOwn(done, ended) ? done[ended] : undefined

/** Applications and sessions of whoever is logged in. */
export async function rightsOf (
  provider: Provider, { data }: Session, userId: unknown
): Promise<Pick<Rights, 'applications' | 'sessions'>> {
  const sessions = await provider.sessions.of(userId)
  return {
    applications: await applicationsOf(provider, userId),
    sessions: sessions.map(each => ({ ...each, isThis: each.sid === data.sid }))
  }
}

/** Applications with a consent, and those that have tokens without one (`trusted`). */
async function applicationsOf (provider: Provider, userId: unknown): Promise<Rights['applications']> {
  const { permissions, tokens, clients } = provider
  const found = new Map<string, { scopes: readonly string[], since: Date | undefined }>()
  for (const { appId, scopes, issuedAt } of await permissions.ofUser(userId)) {
    found.set(appId, { scopes, since: issuedAt })
  }
  for (const { appId, scopes } of await tokens.liveOf(userId)) {
    if (!found.has(appId)) found.set(appId, { scopes, since: undefined })
  }
  return await Promise.all([...found].map(async ([id, { scopes, since }]) => ({
    id, since, name: (await clients.find(id))?.name ?? id, scopes: await describeScopes(provider, scopes)
  })))
}

/**
 * Ends what a form names.
 * @returns its code, for `saidOf`
 * @throws InvalidRequest
 */
export async function endRight (
  provider: Provider, session: Session, userId: unknown, body: Parameters
): Promise<string> {
  const what = body.require('end')
  if (what === 'application') await endApplication(provider, body.require('client'), userId)
  else if (what === 'session') await provider.sessions.end({ userId, sid: body.require('session') })
  else if (what === 'other sessions') await provider.sessions.end({ userId, except: session.data.sid ?? '' })
  else throw new InvalidRequest('The form is not known.')
  return what
}

/** Consent and tokens end first: the client hears of it when nothing works any more. */
async function endApplication (
  { permissions, grants, openId }: Provider, clientId: string, userId: unknown
): Promise<void> {
  const open = (await openId?.logins.grants.of(userId) ?? []).filter(grant => grant.clientId === clientId)
  await permissions.withdraw(clientId, userId)
  await grants.revokeAllOf(clientId, userId)
  await openId?.logins.ends.endGrants(open.map(grant => ({ ...grant, offline: false })))
}
