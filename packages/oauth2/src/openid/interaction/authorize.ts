/** The user's part of an authorization request of OpenID Connect: what is needed of them, and where they go for it. */
import type { Row } from '@fastback/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AuthorizationRequest } from '../../checks/authorization-request.js'
import type { Client } from '../../clients/client.js'
import { askUser } from '../../endpoints/dialog.js'
import { remember } from '../../endpoints/remember.js'
import { seeOther } from '../../http/authorization-response.js'
import type { Parameters } from '../../http/parameters.js'
import { withoutTraces } from '../../pages/send-page.js'
import type { Session } from '../../session/sessions.js'
import type { OpenId } from '../openid.js'
import { interact, type Step } from './checks.js'
import type { InteractionRequest } from './interaction-request.js'
import { factorsOf, startStepUp } from './step-up.js'
import { withoutOfflineAccess } from '../request.js'

export interface AuthorizationVisit {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly parameters: Parameters
  /** What the browser brought, where the client has pushed the parameters. */
  readonly sent: Parameters
  readonly session: Session
  readonly client: Client
  readonly user: Row | undefined
  readonly asked: AuthorizationRequest
  readonly interaction: InteractionRequest
  readonly isPermitted: (user: Row) => Promise<boolean>
}

/**
 * Sends the page that is needed, if one is. (What it gives is no reply: a reply that was sent is awaited away.)
 * @returns the request as its response is made of it; undefined: a page was sent
 * @throws OAuthError to be sent to the client
 */
export async function interactWithUser (
  openId: OpenId, visit: AuthorizationVisit
): Promise<AuthorizationRequest | undefined> {
  const { session, client, asked } = visit
  const { provider, settings, logins: { waiting } } = openId
  // A session of before the option `openid` does not know when the login was.
  const user = session.data.sid === undefined ? undefined : visit.user
  const { step, marks } = await interact({
    wish: visit.interaction,
    session,
    user,
    waiting,
    acrValues: settings.acrValues,
    subject: () => user === undefined ? undefined : openId.subjects.of(client, provider.users.idOf(user)),
    factors: () => user === undefined ? [] : factorsOf(provider, user),
    isPermitted: () => user !== undefined && visit.isPermitted(user)
  })
  const interaction = { ...visit.interaction, marks }
  // Nobody was asked about access while the user is away (OI-63).
  if (step === undefined) return { ...asked, scopes: withoutOfflineAccess(asked.scopes), interaction }
  await goTo(step, openId, { ...visit, user, interaction })
}

/** A request that waits for a login is remembered with the login that there is now (OI-92, OI-93). */
async function goTo (
  step: Step, { provider, settings, logins }: OpenId, visit: AuthorizationVisit
): Promise<FastifyReply> {
  const { request, reply, session, client, user, asked, interaction, parameters, sent } = visit
  if (step === 'decision') {
    return await askUser(provider, request, reply, {
      session, client, user: user as Row, asked: { ...asked, interaction }
    })
  }
  await logins.waiting.add(session, interaction.key)
  if (step === 'second factor') startStepUp(provider, session, user as Row)
  await remember(provider, session, sent, parameters)
  const pages = {
    login: provider.settings.loginPage,
    registration: settings.registrationPage as string,
    'second factor': settings.secondFactorPage
  }
  return withoutTraces(reply).redirect(pages[step], seeOther(request))
}
