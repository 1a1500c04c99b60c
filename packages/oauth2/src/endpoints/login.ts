/** Login and logout (oauth2.md, section 4). */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { authenticateUser } from '../grants/authenticate-user.js'
import { seeOther } from '../http/authorization-response.js'
import { formOf } from '../http/forms.js'
import { checkFormToken, requireFormToken } from '../http/page-token.js'
import { checkOrigin } from '../http/origin-check.js'
import { Parameters } from '../http/parameters.js'
import { withoutTraces } from '../pages/send-page.js'
import type { Provider } from '../provider.js'
import type { PageName, Remembered } from '../session/sessions.js'
import { nextAfterLogin } from './after-login.js'
import { withQuery } from './halfway.js'
import { passkeyButton, passkeyLogin, secondStep } from './second-factor.js'

/** Of a passkey that was all (openid.md, section 6). */
const passkeyAmr = ['pop', 'user', 'mfa'] as const

/** The form. Its response may lead on to the client that waits. */
export function loginPageEndpoint (provider: Provider) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const session = await provider.sessions.open(request, reply)
    const failed = Parameters.ofQuery(request.url).get('error') !== undefined
    const passkey = await passkeyButton(provider)
    return await provider.pages.send(request, reply, 'login', {
      action: provider.settings.paths.login as string,
      csrfToken: provider.csrf.create(session.data.csrf),
      failed,
      username: provider.openId?.loginHintOf(session.data.pushed ?? session.data.pending),
      goOnAs: await provider.openId?.logins.choiceOf(session),
      passkey
    }, {
      session,
      formAction: ["'self'", ...await provider.waitingOrigins(session)],
      ...(passkey === undefined ? {} : { script: "'self'" })
    })
  }
}

export function loginEndpoint (provider: Provider) {
  const { settings, sessions, users } = provider
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    checkOrigin(request, provider.issuerOf)
    const body = formOf(request)
    const before = await sessions.load(request)
    checkFormToken(provider, before, body)
    if (provider.openId !== undefined && before !== undefined && body.get('continue') === 'yes') {
      requireFormToken(provider, before, body)
      if (await provider.openId.logins.choose(before)) {
        return withoutTraces(reply).redirect(nextAfterLogin(settings, before) as string, 303)
      }
    }
    const [name, password] = [body.get('username'), body.get('password')]
    const byPasskey = await passkeyLogin(provider, request, body)
    const user = byPasskey !== undefined
      ? byPasskey?.user
      : name === undefined || password === undefined || body.repeated.size > 0
        ? undefined
        : await authenticateUser(provider, request, name, password)
    withoutTraces(reply)
    const failed = (): FastifyReply => reply.redirect(withQuery(settings.loginPage, { error: '1' }), 303)
    if (user === undefined) return failed()
    const step = byPasskey === undefined ? await secondStep(provider, request, reply, user) : undefined
    if (step !== undefined) return step
    const proof = byPasskey === undefined ? {} : { amr: passkeyAmr }
    const session = await sessions.logIn(request, reply, users.idOf(user), proof)
    // Whoever ended what the user had given out may not have seen this session.
    const holds = byPasskey?.holds ?? (async () => !await users.needsMore(user))
    if (!await users.isAsItWas(user) || !await holds()) {
      await sessions.end(session)
      return failed()
    }
    return reply.redirect(nextAfterLogin(settings, before) ?? settings.successRedirect, 303)
  }
}

/**
 * Sends somebody to the login, who comes back to a page of this server then.
 * @param query what that page is opened with
 */
export async function sendToLoginFor ({ settings, sessions }: Provider, request: FastifyRequest, reply: FastifyReply,
  page: PageName, query?: Remembered): Promise<FastifyReply> {
  const session = await sessions.open(request, reply)
  session.data.page = page
  session.data.query = query
  await sessions.save(session)
  return withoutTraces(reply).redirect(settings.loginPage, seeOther(request))
}

export function logoutEndpoint ({ sessions, issuerOf }: Provider) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    checkOrigin(request, issuerOf)
    await sessions.logOut(request)
    sessions.forget(request, reply)
    return withoutTraces(reply).redirect('/', 303)
  }
}
