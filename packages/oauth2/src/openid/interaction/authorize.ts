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
import type { Provider } from '../../provider.js'
import type { Session } from '../../session/sessions.js'
import type { OpenId } from '../openid.js'
import { interact, type Step } from './checks.js'
import type { InteractionRequest } from './interaction-request.js'
import { LoginRequired } from './refusals.js'
import { factorsOf, startStepUp } from './step-up.js'

export interface AuthorizationVisit {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly parameters: Parameters
  readonly session: Session
  readonly client: Client
  readonly user: Row | undefined
  readonly asked: AuthorizationRequest & { readonly interaction: InteractionRequest }
  readonly isPermitted: (user: Row) => Promise<boolean>
}

/**
 * Shows the page that is needed; undefined when the response can be made.
 * @throws OAuthError to be sent to the client
 */
export async function interactWithUser (
  provider: Provider, openId: OpenId, visit: AuthorizationVisit
): Promise<{ readonly response: FastifyReply } | { readonly asked: AuthorizationRequest }> {
  const { session, user, client, asked } = visit
  const { logins: { waiting }, settings } = openId
  const { step, marks } = await interact({
    wish: asked.interaction,
    session,
    user,
    waiting,
    acrValues: settings.acrValues,
    subject: () => user === undefined ? undefined : openId.subjects.of(client, provider.users.idOf(user)),
    factors: () => user === undefined ? [] : factorsOf(provider, user),
    isPermitted: () => user !== undefined && visit.isPermitted(user)
  })
  const marked = { ...asked, interaction: { ...asked.interaction, marks } }
  return step === undefined
    ? { asked: marked }
    : { response: await goTo(step, provider, openId, { ...visit, asked: marked }) }
}

/** A request that waits for a login is remembered with the login that there is now (OI-92, OI-93). */
async function goTo (step: Step, provider: Provider, openId: OpenId, visit: AuthorizationVisit): Promise<FastifyReply> {
  const { request, reply, session, client, user, asked, parameters } = visit
  const { settings } = provider
  const { secondFactorPage, registrationPage } = openId.settings
  if (step === 'decision') return await askUser(provider, request, reply, { session, client, user: user as Row, asked })
  await openId.logins.waiting.add(session, asked.interaction.key)
  if (step === 'second factor') startStepUp(provider, session, user as Row)
  await remember(provider, session, parameters)
  const pages = {
    login: settings.loginPage, registration: registrationPage as string, 'second factor': secondFactorPage
  }
  return withoutTraces(reply).redirect(pages[step], seeOther(request))
}

/**
 * Uses up what a request stands on, before its response is made: one login satisfies one request once (OI-92).
 * @throws LoginRequired when another response was made of it
 */
export async function useMarks ({ logins: { waiting } }: OpenId, { marks = [] }: InteractionRequest): Promise<void> {
  for (const mark of marks) {
    if (!await waiting.use(mark)) throw new LoginRequired('The login was used for another response.')
  }
}
