/** The page of a user's account: factors, applications and sessions, with their forms. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { factorsIn } from '../endpoints/factors-in.js'
import { InvalidRequest } from '../errors.js'
import { Parameters } from '../http/parameters.js'
import { withoutTraces } from '../pages/send-page.js'
import type { Texts } from '../pages/texts/en.js'
import type { Provider } from '../provider.js'
import type { Session } from '../session/sessions.js'
import { factorSteps, type Outcome } from './factor-steps.js'
import { listFactors } from './list-factors.js'
import { endRight, rightsOf, saidOf } from './open-rights.js'
import { formOfPage, pageOf, type PageCaller } from './page-caller.js'
import { problemOf, refusalOf } from './problems.js'
import { sendStepPage } from './send-step-page.js'

/** What the page says after a form, by a code in its address. */
const changed: Readonly<Record<string, keyof Texts>> = {
  'remove totp': 'authenticatorRemoved',
  'new passkey': 'passkeyAdded',
  'rename passkey': 'passkeyRenamed',
  'remove passkey': 'passkeyRemoved',
  'forget device': 'deviceForgotten'
}

const textOf = (texts: Readonly<Record<string, keyof Texts>>, code: string | undefined): keyof Texts | undefined =>
  code !== undefined && Object.hasOwn(texts, code) ? texts[code] : undefined

export function accountEndpoints (scope: FastifyInstance, provider: Provider, path: string): void {
  const to = (reply: FastifyReply, query: Readonly<Record<string, string>>): FastifyReply =>
    withoutTraces(reply).redirect(`${path}?${new URLSearchParams(query).toString()}`, 303)
  const page = pageOf(provider, 'account', async ({ session, user, userId }, request, reply) => {
    const query = Parameters.ofQuery(request.url)
    return await provider.pages.send(request, reply, 'account', {
      action: path,
      csrfToken: provider.csrf.create(session.data.csrf),
      user: provider.users.nameFor(user),
      done: saidOf(query.get('ended')) ?? textOf(changed, query.get('changed')),
      problem: problemOf(query.get('problem')),
      factors: await listFactors(provider, user),
      ...await rightsOf(provider, session, userId)
    }, { session, formAction: ["'self'"] })
  })
  scope.get(path, { exposeHeadRoute: false }, page)
  scope.post(path, formOfPage(provider, 'account', async (caller, body, request, reply) => {
    if (!body.has('factor')) return to(reply, { ended: await endRight(provider, caller.session, caller.userId, body) })
    let outcome
    try {
      outcome = await changeFactor(provider, caller, body)
    } catch (error) {
      const code = refusalOf(error)
      if (code === undefined) throw error
      request.log.info({ userId: caller.userId, code }, 'OAuth: a change of factors was refused')
      return to(reply, { problem: code })
    }
    return await show(outcome, caller, request, reply)
  }))

  /** The next page, in the session that goes on. */
  async function show (
    { page, amr }: Outcome, { session, user, userId }: PageCaller, request: FastifyRequest, reply: FastifyReply
  ): Promise<FastifyReply> {
    let own: Session = session
    if (amr !== undefined) {
      own = await provider.sessions.goOn(request, reply, session, amr)
      // Whoever changed the account meanwhile may not have seen this session.
      if (!await provider.users.isAsItWas(user)) {
        await provider.sessions.end(own)
        provider.sessions.forget(request, reply)
        return withoutTraces(reply).redirect(provider.settings.loginPage, 303)
      }
    }
    if ('changed' in page) return to(reply, { changed: page.changed })
    return await sendStepPage(provider, request, reply, page,
      { action: path, csrfToken: provider.csrf.create(own.data.csrf) }, { session: own, formAction: ["'self'"] })
  }
}

/** @throws InvalidRequest for a form that is not the page's; as the functions of the user model */
async function changeFactor (provider: Provider, { session, userId }: PageCaller, body: Parameters): Promise<Outcome> {
  const step = factorSteps.get(body.require('factor'))
  if (step === undefined || factorsIn(provider) === undefined) throw new InvalidRequest('The form is not known.')
  return await step({ Model: provider.users.Model, userId, body, login: session.data })
}
