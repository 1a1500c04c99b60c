/** The page of a user's account: factors, applications and sessions, with their forms. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { factorsIn } from '../endpoints/second-factor.js'
import { InvalidRequest, OAuthError } from '../errors.js'
import { Parameters } from '../http/parameters.js'
import { withoutTraces } from '../pages/send-page.js'
import type { Texts } from '../pages/texts/en.js'
import type { Provider } from '../provider.js'
import type { Session } from '../session/sessions.js'
import { factorSteps, type Outcome } from './factor-steps.js'
import { listFactors } from './list-factors.js'
import { endRight, rightsOf, saidOf } from './open-rights.js'
import { formOfPage, pageOf, type PageCaller } from './page-caller.js'

/** What the page says after a form, by a code in its address. */
const changed: Readonly<Record<string, keyof Texts>> = {
  'remove totp': 'authenticatorRemoved',
  'new passkey': 'passkeyAdded',
  'remove passkey': 'passkeyRemoved',
  'forget device': 'deviceForgotten'
}

/** What it says of a step that was refused, by the code of the error. */
const problems: Readonly<Record<string, keyof Texts>> = {
  LOGIN_FAILED: 'passwordWrong',
  SECOND_FACTOR_FAILED: 'codeWrong',
  TOTP_EXISTS: 'totpExists',
  PASSKEY_REFUSED: 'passkeyRefused',
  PASSKEY_LIMIT: 'passkeyLimit',
  PASSKEY_NOT_FOUND: 'notFound',
  DEVICE_NOT_FOUND: 'notFound'
}

const textOf = (texts: Readonly<Record<string, keyof Texts>>, code: string | undefined): keyof Texts | undefined =>
  code !== undefined && Object.hasOwn(texts, code) ? texts[code] : undefined

export function accountEndpoints (scope: FastifyInstance, provider: Provider, path: string): void {
  const to = (reply: FastifyReply, query: Readonly<Record<string, string>>): FastifyReply =>
    withoutTraces(reply).redirect(`${path}?${new URLSearchParams(query).toString()}`, 303)
  const page = pageOf(provider, 'account', async ({ session, user, userId }, request, reply) => {
    const query = Parameters.ofQuery(request.url)
    const problem = query.get('problem')
    return await provider.pages.send(request, reply, 'account', {
      action: path,
      csrfToken: provider.csrf.create(session.data.csrf),
      user: provider.users.nameFor(user),
      done: saidOf(query.get('ended')) ?? textOf(changed, query.get('changed')),
      problem: problem === undefined ? undefined : textOf(problems, problem) ?? 'tryAgain',
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
    const common = { action: path, csrfToken: provider.csrf.create(own.data.csrf) }
    const sent = { session: own, formAction: ["'self'"] }
    switch (page.name) {
      case 'authenticator':
        return await provider.pages.send(request, reply, page.name, { ...common, ...page }, sent)
      case 'recoveryCodes':
        return await provider.pages.send(request, reply, page.name, { ...common, ...page }, sent)
      case 'newPasskey':
        return await provider.pages.send(request, reply, page.name, { ...common, ...page }, { ...sent, script: "'self'" })
    }
  }
}

/** @throws InvalidRequest for a form that is not the page's; as the functions of the user model */
async function changeFactor (provider: Provider, { session, userId }: PageCaller, body: Parameters): Promise<Outcome> {
  const step = factorSteps.get(body.require('factor'))
  if (step === undefined || factorsIn(provider) === undefined) throw new InvalidRequest('The form is not known.')
  return await step({ Model: provider.users.Model, userId, body, login: session.data })
}

/** Code of a refusal that the page tells of; undefined: it is for the page of errors, as too many attempts are. */
function refusalOf (error: unknown): string | undefined {
  const { statusCode, code } = error as { statusCode?: unknown, code?: unknown }
  if (error instanceof OAuthError || typeof statusCode !== 'number' || typeof code !== 'string') return undefined
  return statusCode >= 400 && statusCode < 500 && statusCode !== 429 ? code : undefined
}
