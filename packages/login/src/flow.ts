/** The way of a login or a link through its requests (login.md, sections 4 and 5). */
import { authService, isLocked } from '@fastback/auth/service'
import { LoginResponses } from './responses.js'
import { idOfUser, type LoggedInUser } from './accounts.js'
import { codeRequest } from './codes.js'
import type { Entry } from './entry.js'
import { failureOf, LoginFailure } from './errors.js'
import type { LdapKind } from './kinds/ldap.js'
import { localLogin, type LocalLogin } from './kinds/local.js'
import type { Outcome, Proven, Redirecting } from './kinds/kind.js'
import { linkCredential, linkIdentity } from './linking.js'
import { tooMany } from './rate-limit.js'
import { mayAddWayIn } from './second-factor.js'
import type { Logins } from './logins.js'
import type { LoggedIn } from './logged-in.js'
import type { Session } from './session.js'
import type { State } from './states.js'
import type { Visit } from './visit.js'

export class Flow {
  readonly answers: LoginResponses

  constructor (readonly logins: Logins, readonly entry: Entry, readonly kind: Redirecting | LdapKind | undefined) {
    this.answers = new LoginResponses(logins, entry)
  }

  /** `GET authPath`: to the provider. */
  readonly begin = async (visit: Visit): Promise<void> => {
    const { entry, logins } = this
    if (visit.method === 'HEAD') { notHere(visit); return }
    const session = await logins.sessions.of(visit)
    await this.#guarded(visit, session, async () => {
      const user = entry.link ? await this.mustBeCaller(visit, session) : undefined
      const asked = codeRequest(logins, entry, visit)
      const redirectUri = new URL(entry.callbackURL, visit.origin).href
      const started = await (this.kind as Redirecting).begin(visit, redirectUri)
      const state = await logins.states.begin(visit, session, entry, {
        ...started.keep, redirectUri, session: session.row, asked,
        ...(user === undefined ? {} : { user: { model: user.model, id: user.id } })
      })
      visit.redirect(await started.address(state))
    })
  }

  /** The callback: from the provider. */
  readonly finish = async (visit: Visit): Promise<void> => {
    if (visit.method === 'HEAD') { notHere(visit); return }
    const session = await this.logins.sessions.of(visit)
    await this.#guarded(visit, session, async () => {
      await this.answers.succeed(visit, session, await this.outcome(visit, session))
    })
  }

  /** `POST authPath` of ways in that ask for a password themselves. */
  readonly direct = async (visit: Visit): Promise<void> => {
    const session = await this.logins.sessions.of(visit)
    await this.#guarded(visit, session, async () => {
      await this.answers.succeed(visit, session, await this.outcome(visit, session))
    })
  }

  /** What a request proves. @throws LoginFailure */
  async outcome (visit: Visit, session: Session): Promise<Outcome> {
    const { entry, logins } = this
    if (entry.isDirect) {
      // A page of another site would log its visitors in as somebody they are not.
      if (visit.isForeign(logins.settings.pages)) throw new LoginFailure('STATE_INVALID', 'another site sent the form')
      if (entry.kind === 'local') return await this.#local(visit)
      const caller = entry.link ? await this.mustBeCaller(visit, session) : undefined
      return await this.settle(visit, await (this.kind as LdapKind).logIn(visit, logins.models.User), caller)
    }
    const parameters = await parametersOf(visit)
    const { state, caller } = await this.#stateOf(visit, session, parameters)
    return await this.settle(visit, await (this.kind as Redirecting).finish(visit, parameters, state), caller)
  }

  async #local (visit: Visit): Promise<Outcome> {
    const { user, token, amr } = await this.#told(localLogin(this.entry, this.logins.models.User, visit))
    if (isLocked(user)) throw new LoginFailure('LOCKED', 'the user is locked')
    authService(this.logins.registry).audit({
      event: 'login', model: this.logins.models.User.modelName, userId: idOfUser(this.logins.models.User, user), provider: this.entry.provider
    })
    return { user, token, amr }
  }

  /**
   * `fn(error, user, info)` of code is told of each local login. The original lets it have the last word and gives it
   * nothing to answer by, so that the request hangs; here the response is the usual one (LG-35).
   */
  async #told (attempt: Promise<LocalLogin>): Promise<LocalLogin> {
    const { fn } = this.entry.options
    if (typeof fn !== 'function') return await attempt
    const tell = fn as (error: null, user: unknown, info: object) => unknown
    try {
      const made = await attempt
      await tell(null, made.user, made.token === undefined ? {} : { accessToken: made.token })
      return made
    } catch (error) {
      if (error instanceof LoginFailure) await tell(null, false, { message: error.code })
      throw error
    }
  }

  /** The state that the response is for, taken out; and who linked, if he is still there (LG-62). */
  async #stateOf (visit: Visit, session: Session, parameters: URLSearchParams): Promise<{
    state: State,
    caller: LoggedIn | undefined
  }> {
    const { entry, logins } = this
    const name = entry.kind === 'saml' ? parameters.get('RelayState') : parameters.get('state')
    const isDouble = parameters.getAll(entry.kind === 'saml' ? 'RelayState' : 'state').length > 1
    const state = isDouble ? undefined : await logins.states.take(visit, session, entry, name)
    if (state === undefined) {
      if (entry.kind === 'saml' && entry.options.idpInitiated === true && !entry.link) {
        const redirectUri = new URL(entry.callbackURL, visit.origin).href
        return { state: { entry: entry.name, redirectUri, started: Date.now() }, caller: undefined }
      }
      throw new LoginFailure('STATE_INVALID', 'the response belongs to no login of this browser')
    }
    visit.asked = state.asked
    if (!entry.link) return { state, caller: undefined }
    const caller = await logins.callerOf(visit, session) ?? await this.#callerOfRow(state)
    if (caller === undefined) throw new LoginFailure('NOT_LOGGED_IN', 'nobody is logged in to link to')
    if (caller.id !== state.user?.id || caller.model !== state.user.model) {
      throw new LoginFailure('STATE_INVALID', 'another user began to link')
    }
    return { state, caller }
  }

  /** A form of the provider's page comes without our cookie: the session that began is still there, or not. */
  async #callerOfRow ({ session }: State): Promise<LoggedIn | undefined> {
    if (this.entry.callbackMethod !== 'post' || session === undefined) return undefined
    const row = await this.logins.sessionRecords.byDigest(session)
    return (row?.data as { user?: LoggedIn } | undefined)?.user
  }

  /** Logs the account's user in, or links it. @throws LoginFailure */
  async settle (visit: Visit, proven: Proven, caller: LoggedIn | undefined): Promise<Outcome> {
    const { logins, entry } = this
    const rules = logins.rulesOf(entry)
    if (!entry.link) {
      const form = entry.kind === 'ldap' ? await visit.form() : undefined
      const made = await logins.accounts.logIn(rules, proven.profile, proven.credentials, { amr: proven.amr, form })
      return { ...await this.#decided(visit, made), idToken: proven.idToken }
    }
    const user = caller === undefined ? null : await logins.userOf(caller)
    if (user === null) throw new LoginFailure('NOT_LOGGED_IN', 'nobody is logged in to link to')
    const userId = idOfUser(logins.models.User, user)
    if (entry.linkForLogin) {
      await linkIdentity(logins.accounts, userId, rules.provider, rules.authScheme, proven.profile, proven.credentials)
    }
    await linkCredential(logins.models.Credential, userId, rules.provider, rules.authScheme, proven.profile,
      proven.credentials)
    return { user, linked: true }
  }

  /**
   * `loginCallback(req, done)` of code gives a function that is told of the login, and says by `done(error, user,
   * { identity, accessToken })` who comes in (LG-35). @throws LoginFailure where that is nobody
   */
  async #decided ({ req }: Visit, made: LoggedInUser): Promise<Outcome> {
    const { loginCallback } = this.entry.options
    if (typeof loginCallback !== 'function') return made
    try {
      return await new Promise((resolve, reject) => {
        const done = (error: unknown, user?: unknown, info?: { identity?: unknown, accessToken?: unknown }): void => {
          if (error !== undefined && error !== null) reject(failureOf(error, 'PROFILE_INVALID'))
          else if (user === undefined || user === null || user === false) {
            reject(new LoginFailure('ACCESS_DENIED', 'the code of the application refused'))
          } else resolve({ user, identity: info?.identity, token: info?.accessToken, amr: made.amr } as Outcome)
        }
        const tell = (loginCallback as (...args: unknown[]) => (...args: unknown[]) => unknown)(req, done)
        tell(null, made.user, made.identity, made.token)
      })
    } catch (error) {
      await (made.token as { destroy?: () => Promise<unknown> } | undefined)?.destroy?.()
      throw error
    }
  }

  /** @throws LoginFailure NOT_LOGGED_IN, also for what another site began (LG-94) */
  async mustBeCaller (visit: Visit, session: Session): Promise<LoggedIn> {
    if (visit.isCrossSite) throw new LoginFailure('NOT_LOGGED_IN', 'another site began to link')
    const caller = await this.logins.callerOf(visit, session)
    if (caller === undefined) throw new LoginFailure('NOT_LOGGED_IN', 'nobody is logged in')
    const { linkMaxAge } = this.logins.settings
    if (linkMaxAge !== undefined && caller.at < Date.now() - linkMaxAge * 1000) {
      throw new LoginFailure('NOT_LOGGED_IN', 'the login is too old to link to')
    }
    if (this.entry.linkForLogin) await mayAddWayIn(this.logins.models.User, caller)
    return caller
  }

  /** Every end that was to be expected leads to the page for failures, and nothing else does. */
  async #guarded (visit: Visit, session: Session, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      const { statusCode, retryAfter } = error as { statusCode?: number, retryAfter?: number }
      if (statusCode === 429 || statusCode === 503) {
        if (retryAfter !== undefined) visit.sides.setHeader('retry-after', String(retryAfter))
        if (statusCode === 429) { tooMany(visit); return }
      }
      await this.answers.fail(visit, session, failureOf(error))
    }
  }
}

function notHere (visit: Visit): void {
  if (visit.sides.next !== undefined) visit.sides.next()
  else visit.text(404, 'text/plain', '')
}

async function parametersOf (visit: Visit): Promise<URLSearchParams> {
  if (visit.method !== 'POST') return visit.query
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(await visit.form())) {
    for (const each of [value].flat()) if (typeof each === 'string') parameters.append(name, each)
  }
  return parameters
}
