/** How a login ends for the browser (LG-22 to LG-30, LG-52 to LG-54, LG-75). */
import { authService, mustEnrolFirst } from '@fastback/auth/service'
import { idOfUser } from './accounts.js'
import type { CodeRequest } from './code-request.js'
import { makeCode } from './codes.js'
import type { Entry } from './entry.js'
import { LoginFailure } from './errors.js'
import { flash } from './flash.js'
import { keepLogin } from './save-login.js'
import type { Outcome } from './kinds/kind.js'
import type { Logins } from './logins.js'
import { SecondFactorWanted } from './second-factor.js'
import { askInJson, codeForFactor, sendChallenge } from './second-step.js'
import type { Session } from './session.js'
import { describeUser } from './user-of-request.js'
import type { Visit } from './visit.js'

/** A path of this origin: one slash at its beginning, and nothing that a browser takes for another host (S-45). */
// eslint-disable-next-line no-control-regex -- these are the characters that must not come through
const isOwnPath = (target: unknown): target is string => typeof target === 'string' && /^\/(?![/\\])[^\\\x00-\x20\x7f-\x9f]*$/.test(target)

export class LoginResponses {
  constructor (readonly logins: Logins, readonly entry: Entry) {}

  async succeed (visit: Visit, session: Session, outcome: Outcome): Promise<void> {
    const { entry, logins } = this
    if (outcome.linked === true) {
      visit.redirect(String(entry.successRedirect || '/link/account'))
      return
    }
    const { token, user } = outcome
    const userId = idOfUser(logins.models.User, user)
    if (visit.asked !== undefined) {
      if (token === undefined) throw new LoginFailure('ACCESS_DENIED', 'the login made no token')
      const code = await makeCode(logins, { token: String(token.id) }, userId, visit.asked.challenge)
      this.#toPage(visit, visit.asked, code)
      return
    }
    const isLocal = entry.kind === 'local'
    const keeps = logins.hasSessions && (entry.session || isLocal)
    if (keeps) await keepLogin(logins, entry, session, outcome)
    const onward = keeps ? await this.#tellOAuth(visit, userId, outcome.amr) : undefined
    if (keeps) await flash(visit, session, entry, true)
    if (isLocal) { await this.#afterLocal(visit, session, outcome, onward); return }
    if (entry.json && token !== undefined) {
      visit.json(200, { access_token: token.id, userId })
      return
    }
    const target = await this.#target(session)
    if (token === undefined) { visit.redirect(onward ?? target.address); return }
    if (this.#isCookieWanted()) logins.cookies.set(visit, entry, token, userId)
    if (entry.session) { visit.redirect(onward ?? target.address); return }
    visit.redirect(target.isWritten ? await this.#withToken(target.address, String(token.id), userId) : target.address)
  }

  /** Back to the page that began the login. */
  #toPage (visit: Visit, { page }: CodeRequest, code: string): void {
    visit.redirect(joined(page ?? String(this.entry.successRedirect || '/'), '?', { login_code: code }))
  }

  #isCookieWanted (): boolean {
    return this.entry.tokenInRedirect !== 'code'
  }

  async #afterLocal (visit: Visit, session: Session, { user, token, amr }: Outcome,
    onward: string | undefined): Promise<void> {
    const { options, successRedirect } = this.entry
    const fallback = options.successReturnToOrRedirect
    if (onward !== undefined) { visit.redirect(onward); return }
    if (typeof fallback === 'string') {
      const { returnTo } = await this.#returnTo(session)
      visit.redirect(returnTo ?? fallback)
      return
    }
    if (typeof successRedirect === 'string') { visit.redirect(successRedirect); return }
    const described = await describeUser(this.logins, user)
    if (token !== undefined) described.accessToken = token
    const { User } = this.logins.models
    if (!await mustEnrolFirst(User, { id: idOfUser(User, user), amr })) visit.req.user = described
    if (visit.sides.next !== undefined) { visit.sides.next(); return }
    visit.json(200, {
      userId: idOfUser(this.logins.models.User, user),
      ...(token === undefined ? {} : { access_token: token.id })
    })
  }

  /** Where the application wanted its visitor back goes first; it is used once (LG-22, LG-93). */
  async #target (session: Session): Promise<{ address: string, isWritten: boolean }> {
    const { returnTo } = await this.#returnTo(session)
    const { successRedirect } = this.entry
    return returnTo === undefined
      ? { address: typeof successRedirect === 'string' ? successRedirect : '/', isWritten: true }
      : { address: returnTo, isWritten: false }
  }

  async #returnTo (session: Session): Promise<{ returnTo: string | undefined }> {
    const returnTo = session.get('returnTo')
    if (returnTo === undefined) return { returnTo: undefined }
    await session.set('returnTo', undefined)
    return { returnTo: isOwnPath(returnTo) ? returnTo : undefined }
  }

  async #withToken (address: string, token: string, userId: unknown): Promise<string> {
    const { tokenInRedirect } = this.entry
    if (tokenInRedirect === false) return address
    if (tokenInRedirect === 'code') return joined(address, '?', { login_code: await makeCode(this.logins, { token }, userId) })
    return joined(address, tokenInRedirect === 'fragment' ? '#' : '?', { 'access-token': token, 'user-id': String(userId) })
  }

  /** A login here is one for the pages of the OAuth provider of the same application (LG-08). */
  async #tellOAuth (
    visit: Visit, userId: unknown, amr: readonly string[] | undefined
  ): Promise<string | undefined> {
    const { oauth2 } = this.logins.host
    if (oauth2 === undefined) return undefined
    const request = { headers: visit.req.headers, protocol: visit.isSecure ? 'https' : 'http', host: new URL(visit.origin).host }
    const reply = { header: (_name: string, value: string) => { visit.sides.addCookie(value) } }
    return await oauth2.logInBy(request, reply, userId, amr)
  }

  /** True: whoever gets the response can go on with the second factor. A session waits for none. */
  async #askForFactor (visit: Visit, session: Session, wanted: SecondFactorWanted): Promise<boolean> {
    const { entry, logins } = this
    if (entry.kind === 'local') return false
    if (visit.asked === undefined && entry.json) {
      const challenge = await askInJson(logins, entry, wanted)
      if (challenge !== undefined) sendChallenge(visit, challenge)
      return challenge !== undefined
    }
    const takesCode = entry.tokenInRedirect === 'code' && !entry.session && logins.settings.exchangePath !== undefined
    if (visit.asked === undefined && !takesCode) return false
    const code = await codeForFactor(logins, entry, wanted, visit.asked?.challenge)
    if (code === undefined) return false
    if (visit.asked !== undefined) this.#toPage(visit, visit.asked, code)
    else visit.redirect(joined((await this.#target(session)).address, '?', { login_code: code }))
    return true
  }

  async fail (visit: Visit, session: Session, failure: LoginFailure): Promise<void> {
    const { entry, logins } = this
    const { registry } = logins
    if (failure instanceof SecondFactorWanted && await this.#askForFactor(visit, session, failure)) return
    registry.log.info({ provider: entry.name, code: failure.code, reason: failure.reason }, 'login failed')
    authService(registry).audit({ event: 'login.failed', provider: entry.name, code: failure.code, address: visit.ip })
    if (visit.asked?.page !== undefined) {
      visit.redirect(joined(visit.asked.page, '?', { error: failure.code }))
      return
    }
    if (entry.json && (entry.kind !== 'local')) {
      const body = entry.jsonErrors ? { error: { statusCode: 401, code: failure.code } } : 'authentication error'
      visit.json(401, body)
      return
    }
    await flash(visit, session, entry, false)
    const { failureRedirect, options } = entry
    visit.redirect(options.failureQueryString === true ? joined(failureRedirect, '?', { error: failure.code }) : failureRedirect)
  }
}

/** Appends to an address, which may have a query and a fragment of its own. */
function joined (address: string, by: '?' | '#', values: Record<string, string>): string {
  const text = new URLSearchParams(values).toString()
  const [plain, fragment] = address.split('#', 2) as [string, string | undefined]
  if (by === '#') return `${plain}#${fragment === undefined || fragment === '' ? '' : `${fragment}&`}${text}`
  return `${plain}${plain.includes('?') ? '&' : '?'}${text}${fragment === undefined ? '' : `#${fragment}`}`
}
