/** Second factors and passkeys at the login pages (openid.md, section 10.4). */
import { logInByPasskey, type SecondFactors } from '@fastback/auth/service'
import type { Row } from '@fastback/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { formOf, pageErrors, readForms } from '../http/forms.js'
import { checkOrigin } from '../http/origin-check.js'
import { Parameters } from '../http/parameters.js'
import type { PasskeyForm } from '../pages/passkey-form.js'
import { passkeyScript } from '../pages/passkey-script.js'
import { withoutTraces } from '../pages/send-page.js'
import type { Provider } from '../provider.js'
import { nextAfterLogin } from './after-login.js'
import { requireFormToken } from '../http/page-token.js'
import { showEnrolment, takeEnrolment } from './enrolment.js'
import { factorsIn, passkeyScriptPath, passkeysIn } from './factors-in.js'
import { noteWrong, whoIsHalfway, withQuery } from './halfway.js'

/** What challenges of the page are for. */
const purpose = 'login page'

/**
 * What becomes of a login with the right password: undefined where that is all there is to prove; a redirect to the
 * page for second factors (OI-250), where those who must have one and have none set it up (OI-256).
 */
export async function secondStep (
  provider: Provider, request: FastifyRequest, reply: FastifyReply, user: Readonly<Row>
): Promise<FastifyReply | undefined> {
  if (!await provider.users.needsMore(user)) return undefined
  await provider.sessions.goHalfway(request, reply, provider.users.halfway(user))
  return reply.redirect(provider.secondFactorPage, 303)
}

/** What a login page needs for its passkey button; undefined where there is none (OI-254). */
export async function passkeyButton (provider: Provider): Promise<PasskeyForm | undefined> {
  const passkeys = passkeysIn(provider)
  return passkeys === undefined ? undefined : { script: passkeyScriptPath, options: await passkeys.requestOptions() }
}

/** Who came by a passkey alone. */
export interface PasskeyLogin {
  readonly user: Row
  /** Whether the passkey is there still: asked once the login is stored. */
  readonly holds: () => Promise<boolean>
}

/**
 * A login by a passkey alone. Undefined: the form has none.
 * @returns null for a passkey that is wrong
 * @throws TooManyAttempts 429
 */
export async function passkeyLogin (
  provider: Provider, { ip }: FastifyRequest, body: Parameters
): Promise<PasskeyLogin | null | undefined> {
  const passkeys = passkeysIn(provider)
  const given = body.get('passkey')
  if (passkeys === undefined || given === undefined || body.repeated.size > 0) return undefined
  const reservation = await provider.attempts?.reserve({ what: 'oauth passkey', address: ip })
  try {
    const { user, row } = await logInByPasskey(provider.users.Model as never, passkeys, parsed(given))
    await reservation?.succeeded()
    return { user: user as Row, holds: async () => await passkeys.isThere(row) }
  } catch (error) {
    if ((error as { statusCode?: unknown }).statusCode === 401) return null
    throw error
  }
}

function parsed (text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The pages, in a context of their own. */
export async function factorPages (scope: FastifyInstance, { provider }: { provider: Provider }): Promise<void> {
  readForms(scope)
  scope.setErrorHandler(pageErrors(provider))
  scope.get(provider.secondFactorPage, { exposeHeadRoute: false }, pageEndpoint(provider))
  scope.post(provider.secondFactorPage, factorEndpoint(provider))
  if (passkeysIn(provider) === undefined) return
  scope.get(passkeyScriptPath, { exposeHeadRoute: false }, async (_request, reply) => await reply
    .headers({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=300',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin'
    })
    .send(passkeyScript))
}

function pageEndpoint (provider: Provider) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const found = await whoIsHalfway(provider, await provider.sessions.load(request))
    const factors = factorsIn(provider)
    if (found === undefined || factors === undefined) {
      return withoutTraces(reply).redirect(provider.settings.loginPage, 303)
    }
    const { session, user } = found
    const own = await factors.of(provider.users.idOf(user))
    if (own.length === 0 && found.isLogin) return await showEnrolment(provider, request, reply, found)
    const passkeys = own.includes('webauthn') ? passkeysIn(provider) : undefined
    return await provider.pages.send(request, reply, 'secondFactor', {
      action: provider.secondFactorPage,
      csrfToken: provider.csrf.create(session.data.csrf),
      failed: Parameters.ofQuery(request.url).get('error') !== undefined,
      codes: own.some(kind => kind !== 'webauthn'),
      passkey: passkeys === undefined
        ? undefined
        : {
            script: passkeyScriptPath,
            options: await passkeys.offer(user, await factors.challenges.make(purpose, user))
          }
    }, {
      session,
      formAction: ["'self'", ...await provider.waitingOrigins(session)],
      ...(passkeys === undefined ? {} : { script: "'self'" })
    })
  }
}

function factorEndpoint (provider: Provider) {
  const { settings, sessions, users } = provider
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    checkOrigin(request, provider.issuerOf)
    const body = formOf(request)
    const session = await sessions.load(request)
    const found = await whoIsHalfway(provider, session)
    const factors = factorsIn(provider)
    withoutTraces(reply)
    if (found === undefined || factors === undefined) return reply.redirect(settings.loginPage, 303)
    requireFormToken(provider, found.session, body)
    if (found.isLogin && (await factors.of(users.idOf(found.user))).length === 0) {
      return await takeEnrolment(provider, request, reply, found, body)
    }
    const amr = await proven(factors, found.user, body)
    if (amr === undefined) {
      const isOver = await noteWrong(provider, found)
      return reply.redirect(withQuery(isOver ? settings.loginPage : provider.secondFactorPage, { error: '1' }), 303)
    }
    const after = found.isLogin
      ? await sessions.logIn(request, reply, users.idOf(found.user), { amr: ['pwd', ...amr] })
      : await sessions.stepUp(request, reply, found.session, amr)
    // Whoever ended what the user had given out may not have seen this session.
    if (!await users.isAsItWas(found.user)) {
      await sessions.end(after)
      return reply.redirect(withQuery(settings.loginPage, { error: '1' }), 303)
    }
    return reply.redirect(nextAfterLogin(settings, found.session) ?? settings.successRedirect, 303)
  }
}

/**
 * What a right proof adds to `amr`; undefined for a wrong one.
 * @throws TooManyAttempts 429: wrong ones count for the account, over all ways (OI-214)
 */
async function proven (
  factors: SecondFactors, user: Row, body: Parameters
): Promise<readonly string[] | undefined> {
  const [code, passkey] = [body.get('otp'), body.get('passkey')]
  if (body.repeated.size > 0) return undefined
  try {
    if (passkey === undefined) {
      return await factors.prove(user, /^[\d\s]+$/.test(code ?? '') ? { otp: code } : { recoveryCode: code ?? '' })
    }
    const response = parsed(passkey)
    const text = challengeIn(response)
    const challenge = await factors.challenges.take(purpose, text)
    if (!challenge.fits(user)) return undefined
    const amr = await factors.prove(user, { response }, text)
    await challenge.use()
    return amr
  } catch (error) {
    if ((error as { statusCode?: unknown }).statusCode === 401) return undefined
    throw error
  }
}

/** The challenge that a response says it is for. */
function challengeIn (response: unknown): string | undefined {
  const { clientDataJSON } = (response as { response?: { clientDataJSON?: unknown } } | undefined)?.response ?? {}
  if (typeof clientDataJSON !== 'string') return undefined
  const { challenge } = (parsed(Buffer.from(clientDataJSON, 'base64url').toString()) ?? {}) as { challenge?: unknown }
  return typeof challenge === 'string' ? challenge : undefined
}
