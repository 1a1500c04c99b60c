/** The page where users see and end what is open for them: applications and sessions (OI-115). */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Row } from '@fastback/core'
import { describeScopes } from '../../endpoints/dialog.js'
import { sendToLoginFor } from '../../endpoints/login.js'
import { requireFormToken } from '../../http/page-token.js'
import { InvalidRequest } from '../../errors.js'
import { formOf } from '../../http/forms.js'
import { checkOrigin } from '../../http/origin-check.js'
import { Parameters } from '../../http/parameters.js'
import { grantsPage } from '../../pages/grants-page.js'
import { sendPage, withoutTraces } from '../../pages/send-page.js'
import type { Provider } from '../../provider.js'
import { loginOf, type Session } from '../../session/sessions.js'
import type { OpenId } from '../openid.js'

/** What the page says after a form, by the code in its address: nothing else of the address is shown. */
const done: Readonly<Record<string, string>> = {
  application: 'The application has no access any more.',
  session: 'The session has ended.',
  'other sessions': 'All other sessions have ended.'
}

export function grantsPageEndpoint (provider: Provider) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { session, user } = await callerOf(provider, request)
    if (session === undefined || user === undefined) return await sendToLoginFor(provider, request, reply, 'grants')
    const said = Parameters.ofQuery(request.url).get('ended')
    const sessions = await provider.sessions.of(provider.users.idOf(user))
    const text = grantsPage({
      action: provider.settings.paths.grants as string,
      csrf: provider.csrf.create(session.data.csrf),
      user: provider.users.nameFor(user),
      done: said !== undefined && Object.hasOwn(done, said) ? done[said] : undefined,
      applications: await applicationsOf(provider, provider.users.idOf(user)),
      sessions: sessions.map(each => ({ ...each, isThis: each.sid === session.data.sid }))
    })
    return sendPage(reply, text, { formAction: ["'self'"] })
  }
}

/** Applications with a consent, and those that have tokens without one (`trusted`). */
async function applicationsOf (provider: Provider, userId: unknown) {
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

export function grantsEndpoint (provider: Provider, openId: OpenId) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    checkOrigin(request, provider.issuerOf)
    const body = formOf(request)
    body.refuseRepeated()
    const { session, user } = await callerOf(provider, request)
    if (session === undefined || user === undefined) return await sendToLoginFor(provider, request, reply, 'grants')
    requireFormToken(provider, session, body)
    const what = body.require('end')
    const userId = provider.users.idOf(user)
    if (what === 'application') await endApplication(provider, openId, body.require('client'), userId)
    else if (what === 'session') await provider.sessions.end({ userId, sid: body.require('session') })
    else if (what === 'other sessions') await provider.sessions.end({ userId, except: session.data.sid ?? '' })
    else throw new InvalidRequest('The form is not known.')
    const to = `${provider.settings.paths.grants as string}?${new URLSearchParams({ ended: what }).toString()}`
    return withoutTraces(reply).redirect(to, 303)
  }
}

/** Consent and tokens end first: the client hears of it when nothing works any more. */
async function endApplication (
  { permissions, grants }: Provider, { logins }: OpenId, clientId: string, userId: unknown
): Promise<void> {
  const open = (await logins.grants.of(userId)).filter(grant => grant.clientId === clientId)
  await permissions.withdraw(clientId, userId)
  await grants.revokeAllOf(clientId, userId)
  await logins.ends.endGrants(open.map(grant => ({ ...grant, offline: false })))
}

async function callerOf ({ sessions, users }: Provider, request: FastifyRequest): Promise<{
  session: Session | undefined, user: Row | undefined
}> {
  const session = await sessions.load(request)
  const userId = loginOf(session)
  return { session, user: userId === undefined ? undefined : await users.byId(userId) }
}
