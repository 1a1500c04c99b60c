/**
 * Setting up a first factor at the login (openid.md, OI-256), for users who must have one and have none. They proved
 * their password a moment ago, and are logged in when the factor is confirmed.
 */
import type { Passkeys, SecondFactors } from '@fastback/auth/service'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { factorSteps, type Outcome } from '../account/factor-steps.js'
import { problemOf, refusalOf } from '../account/problems.js'
import { sendStepPage } from '../account/send-step-page.js'
import { InvalidRequest } from '../errors.js'
import { Parameters } from '../http/parameters.js'
import { withoutTraces } from '../pages/send-page.js'
import type { Provider } from '../provider.js'
import type { Session } from '../session/sessions.js'
import { nextAfterLogin } from './after-login.js'
import { factorsIn, passkeyScriptPath, passkeysIn } from './factors-in.js'
import { noteWrong, withQuery, type HalfwayUser } from './halfway.js'

/** What an application lets its users set up. */
interface Offered {
  readonly factors: SecondFactors
  readonly hasTotp: boolean
  readonly passkeys: Passkeys | undefined
}

/** Undefined: the user does not have to any more. */
async function offeredTo (provider: Provider, { user }: HalfwayUser): Promise<Offered | undefined> {
  const factors = factorsIn(provider)
  if (factors === undefined || !await provider.users.mustEnrol(user)) return undefined
  return { factors, hasTotp: factors.options.totp !== false, passkeys: passkeysIn(provider) }
}

/** The page that offers what can be set up. */
export async function showEnrolment (
  provider: Provider, request: FastifyRequest, reply: FastifyReply, found: HalfwayUser
): Promise<FastifyReply> {
  const offered = await offeredTo(provider, found)
  if (offered === undefined) return withoutTraces(reply).redirect(provider.settings.loginPage, 303)
  const { factors, hasTotp, passkeys } = offered
  const { session, user } = found
  const [totp] = await factors.rows.of(provider.users.idOf(user), ['totp'])
  return await provider.pages.send(request, reply, 'enrolment', {
    action: provider.secondFactorPage,
    csrfToken: provider.csrf.create(session.data.csrf),
    user: provider.users.nameFor(user),
    problem: problemOf(Parameters.ofQuery(request.url).get('problem')),
    totp: !hasTotp ? undefined : totp === undefined ? 'off' : 'started',
    passkeys: passkeys !== undefined
  }, { session, formAction: await formActions(provider, session) })
}

/**
 * Takes a form of these pages.
 * @throws InvalidRequest for a form that is none; TooManyAttempts 429, as the functions of the user model
 */
export async function takeEnrolment (
  provider: Provider, request: FastifyRequest, reply: FastifyReply, found: HalfwayUser, body: Parameters
): Promise<FastifyReply> {
  body.refuseRepeated()
  const offered = await offeredTo(provider, found)
  if (offered === undefined) return reply.redirect(provider.settings.loginPage, 303)
  let outcome
  try {
    outcome = await takeStep(provider, found, offered, body)
  } catch (error) {
    const code = refusalOf(error)
    if (code === undefined) throw error
    request.log.info({ userId: found.halfway.userId, code }, 'OAuth: a first factor was refused')
    const isOver = await noteWrong(provider, found)
    const page = isOver
      ? withQuery(provider.settings.loginPage, { error: '1' })
      : withQuery(provider.secondFactorPage, { problem: code })
    return reply.redirect(page, 303)
  }
  return await show(provider, request, reply, found, outcome)
}

async function takeStep (
  { users }: Provider, { user }: HalfwayUser, { factors, hasTotp, passkeys }: Offered, body: Parameters
): Promise<Outcome> {
  const name = body.require('factor')
  if (name === 'totp' && hasTotp) {
    return { page: { name: 'authenticator', ...await factors.totp.enrol(user, factors.issuer) } }
  }
  if (name === 'passkey' && passkeys !== undefined) {
    return { page: { name: 'newPasskey', script: passkeyScriptPath, options: await passkeys.creationOptions(user) } }
  }
  // These two ask for no password.
  const isOffered = (name === 'confirm totp' && hasTotp) || (name === 'new passkey' && passkeys !== undefined)
  const step = isOffered ? factorSteps.get(name) : undefined
  if (step === undefined) throw new InvalidRequest('The form is not known.')
  return await step({ Model: users.Model, userId: users.idOf(user), body, login: {} })
}

/** The next page; or, once there is a factor, the login and what waits for it. */
async function show (
  provider: Provider, request: FastifyRequest, reply: FastifyReply, { session, user }: HalfwayUser,
  { page, amr }: Outcome
): Promise<FastifyReply> {
  const { sessions, settings, users, csrf, secondFactorPage } = provider
  const isDone = amr !== undefined
  const own = isDone ? await sessions.logIn(request, reply, users.idOf(user), { amr: ['pwd', ...amr] }) : session
  // Whoever ended what the user had given out may not have seen this session.
  if (isDone && !await users.isAsItWas(user)) {
    await sessions.end(own)
    return reply.redirect(withQuery(settings.loginPage, { error: '1' }), 303)
  }
  const next = nextAfterLogin(settings, session) ?? settings.successRedirect
  if ('changed' in page) return reply.redirect(next, 303)
  return await sendStepPage(provider, request, reply, page,
    { action: isDone ? next : secondFactorPage, csrfToken: csrf.create(own.data.csrf), atLogin: true },
    { session: own, formAction: await formActions(provider, session) })
}

/** The response of a form may lead on to the client that waits. */
const formActions = async (provider: Provider, session: Session): Promise<string[]> =>
  ["'self'", ...await provider.waitingOrigins(session)]
