/** What `init()` gives: passport's functions, as code that was written for it calls them (LG-06). */
import { mustEnrolFirst } from '@fastback/auth/service'
import { idOfUser } from './accounts.js'
import { failureOf, LoginFailure } from './errors.js'
import { keepLogin } from './save-login.js'
import type { Outcome } from './kinds/kind.js'
import type { Logins } from './logins.js'
import { describeUser } from './user-of-request.js'
import { expressVisit, type ExpressRequest, type Next, type Visit } from './visit.js'
import type { ServerResponse } from 'node:http'

type Middleware = (req: ExpressRequest, res: ServerResponse, next: Next) => void
type Callback = (error: unknown, user?: unknown, info?: unknown) => void

interface AuthenticateOptions {
  readonly session?: boolean
  readonly successRedirect?: string
  readonly failureRedirect?: string
}

/** The part of passport that LoopBack applications use. */
export interface PassportFace {
  serializeUser (work: unknown): void
  deserializeUser (work: unknown): void
  use (...args: unknown[]): PassportFace
  authenticate (name: string | readonly string[], options?: unknown, callback?: Callback): Middleware
  authorize (name: string | readonly string[], options?: unknown, callback?: Callback): Middleware
  initialize (): Middleware
  session (): Middleware
}

const goOn: Middleware = (_req, _res, next) => { next() }

export function passportFace (logins: () => Logins): PassportFace {
  const face: PassportFace = {
    // Sessions keep ids here, and users are read by them.
    serializeUser: () => {},
    deserializeUser: () => {},
    use: () => face,
    initialize: () => goOn,
    session: () => goOn,
    authenticate: (name, given, callback) => authenticate(logins, [name].flat()[0] as string, given, callback),
    authorize: (name, given, callback) => authenticate(logins, [name].flat()[0] as string, given, callback)
  }
  return face
}

function authenticate (made: () => Logins, name: string, given: unknown, last?: Callback): Middleware {
  const callback = typeof given === 'function' ? given as Callback : last
  const options = (typeof given === 'object' && given !== null ? given : {}) as AuthenticateOptions
  return (req, res, next) => {
    const logins = made()
    const visit = expressVisit(req, res, next, logins.settings.origin)
    run(logins, name, visit, options, callback).catch(next)
  }
}

async function run (logins: Logins, name: string, visit: Visit, options: AuthenticateOptions,
  callback?: Callback): Promise<void> {
  const installed = await logins.installed.get(name)
  if (installed?.flow === undefined) throw new LoginFailure('PROVIDER_ERROR', `there is no provider "${name}" to authenticate by`)
  const { flow, entry } = installed
  const session = await logins.sessions.of(visit)
  const answers = ['code', 'error', 'state', 'SAMLResponse']
  const isBack = visit.method === 'POST' || answers.some(key => visit.query.has(key))
  if (!entry.isDirect && !isBack) { await flow.begin(visit); return }
  let outcome: Outcome
  try {
    outcome = await flow.outcome(visit, session)
  } catch (error) {
    const failure = failureOf(error)
    if (callback !== undefined) callback(null, false, { message: failure.code })
    else if (options.failureRedirect !== undefined) visit.redirect(options.failureRedirect)
    else visit.json(401, { error: { statusCode: 401, code: failure.code } })
    return
  }
  const { User } = logins.models
  const isHalfway = await mustEnrolFirst(User, { id: idOfUser(User, outcome.user), amr: outcome.amr })
  if (isHalfway && callback !== undefined) { callback(null, false, { message: 'SECOND_FACTOR_REQUIRED' }); return }
  const user = await describeUser(logins, outcome.user)
  const info = { identity: outcome.identity, ...(outcome.token === undefined ? {} : { accessToken: outcome.token }) }
  if (callback !== undefined) { callback(null, user, info); return }
  if (options.session !== false && logins.hasSessions) await keepLogin(logins, entry, session, outcome)
  if (!isHalfway) visit.req.user = user
  if (options.successRedirect !== undefined) visit.redirect(options.successRedirect)
  else visit.sides.next?.()
}
