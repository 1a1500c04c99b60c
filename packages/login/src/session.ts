/**
 * What a browser is known by, and who is logged in there: rows behind a cookie, or the session middleware that the
 * application has (LG-08). A login changes the id (LG-90).
 */
import { digest, randomText, type Records } from './records.js'
import type { EndedLogins } from './ended-logins.js'
import type { LoggedIn } from './logged-in.js'
import type { LoginSettings } from './settings.js'
import type { ForeignSession, Visit } from './visit.js'
import type { Row } from '@fastback/core'

export interface Session {
  /** What states are bound to; made when it is first asked for. */
  browser (): string
  /** The same for a browser that has one already. */
  readonly known: string | undefined
  readonly user: LoggedIn | undefined
  /** The id of its row; undefined where the application keeps sessions. */
  readonly row: string | undefined
  get (name: string): unknown
  set (name: string, value: unknown): Promise<void>
  logIn (user: LoggedIn): Promise<void>
  logOut (): Promise<void>
}

/** What goes over into the session of a login. */
const kept = ['returnTo', 'flash'] as const

const kSession = Symbol('fastback.login.session')

export class Sessions {
  constructor (readonly records: Records, readonly settings: LoginSettings, readonly ended: EndedLogins) {}

  /** The session of a visit: of the middleware where one ran, else of our own. */
  async of (visit: Visit): Promise<Session> {
    const { req } = visit
    const before = (req as { [kSession]?: Session })[kSession]
    if (before !== undefined && (!(before instanceof OwnSession) || before.visit === visit)) return before
    const session = typeof req.session?.regenerate === 'function'
      ? await MiddlewareSession.load(visit, this.ended)
      : await OwnSession.load(visit, this.records, this.settings)
    Object.defineProperty(req, kSession, { value: session, configurable: true, writable: true })
    return session
  }
}

class MiddlewareSession implements Session {
  readonly row = undefined
  constructor (readonly visit: Visit) {}

  /** Without its user where that login has ended: the middleware hears of no change of credentials. */
  static async load (visit: Visit, ended: EndedLogins): Promise<MiddlewareSession> {
    const session = new MiddlewareSession(visit)
    const { user } = session
    if (user !== undefined && await ended.has(user)) await session.logOut()
    return session
  }

  get #session (): ForeignSession {
    return this.visit.req.session as ForeignSession
  }

  browser (): string {
    return (this.#session.loginBrowser ??= randomText()) as string
  }

  get known (): string | undefined {
    const value = this.#session.loginBrowser
    return typeof value === 'string' ? value : undefined
  }

  get user (): LoggedIn | undefined {
    const { passport } = this.#session
    const user = (passport as { user?: unknown } | undefined)?.user
    return user !== null && typeof user === 'object' && 'model' in user ? user as LoggedIn : undefined
  }

  get (name: string): unknown {
    return this.#session[name]
  }

  async set (name: string, value: unknown): Promise<void> {
    if (value === undefined) delete this.#session[name]
    else this.#session[name] = value
    await this.#save()
  }

  async logIn (user: LoggedIn): Promise<void> {
    const values = Object.fromEntries(kept.map(name => [name, this.#session[name]]).filter(([, value]) =>
      value !== undefined))
    await this.#anew()
    Object.assign(this.#session, values, { passport: { user } })
    await this.#save()
  }

  async logOut (): Promise<void> {
    // At once: code that waits for nothing answers in the next line, and the middleware saves what is there then.
    delete this.#session.passport
    await this.#anew()
    await this.#save()
  }

  async #anew (): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      (this.#session.regenerate as (done: (error?: unknown) => void) => void)(error => {
        if (error === undefined || error === null) resolve()
        else reject(error as Error)
      })
    })
  }

  /** Before the response: the next request may reach another process. */
  async #save (): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const { save } = this.#session
      if (save === undefined) { resolve(); return }
      save.call(this.#session, error => {
        if (error === undefined || error === null) resolve()
        else reject(error as Error)
      })
    })
  }
}

class OwnSession implements Session {
  #id: string | undefined
  #row: Row | undefined

  constructor (readonly visit: Visit, readonly records: Records, readonly settings: LoginSettings) {}

  static async load (visit: Visit, records: Records, settings: LoginSettings): Promise<OwnSession> {
    const session = new OwnSession(visit, records, settings)
    const id = visit.cookies[settings.session.cookieName]
    if (id === undefined || !/^[\w-]{43}$/.test(id)) return session
    session.#id = id
    session.#row = await records.get(id)
    return session
  }

  browser (): string {
    if (this.#id === undefined) {
      this.#id = randomText()
      this.#send(this.#id)
    }
    return this.#id
  }

  get known (): string | undefined {
    return this.#id
  }

  get row (): string | undefined {
    return this.#id === undefined ? undefined : digest(this.#id)
  }

  get user (): LoggedIn | undefined {
    const user = this.#data.user
    return user === undefined || user === null ? undefined : user as LoggedIn
  }

  get #data (): Row {
    return (this.#row?.data ?? {}) as Row
  }

  get (name: string): unknown {
    return this.#data[name]
  }

  async set (name: string, value: unknown): Promise<void> {
    const data = { ...this.#data, [name]: value }
    if (value === undefined) delete data[name]
    const key = this.browser()
    if (this.#row !== undefined) await this.records.change(key, { data })
    else await this.#store(key, data)
    this.#row = { ...this.#row, data }
  }

  async logIn (user: LoggedIn): Promise<void> {
    const data: Row = { user }
    for (const name of kept) if (this.#data[name] !== undefined) data[name] = this.#data[name]
    await this.#end()
    const id = randomText()
    await this.#store(id, data, user)
    this.#id = id
    this.#row = { data }
    this.#send(id)
  }

  async logOut (): Promise<void> {
    const [id, row] = [this.#id, this.#row]
    this.#row = undefined
    this.#id = undefined
    this.#send('', 0)
    if (id !== undefined && row !== undefined) await this.records.remove(id)
  }

  async #end (): Promise<void> {
    if (this.#id !== undefined && this.#row !== undefined) await this.records.remove(this.#id)
  }

  async #store (key: string, data: Row, user?: LoggedIn): Promise<void> {
    const now = Date.now()
    await this.records.add(key, {
      name: digest(`name ${key}`).slice(0, 22),
      data,
      agent: this.visit.header('user-agent')?.slice(0, 200) ?? '',
      created: new Date(now),
      lastUsed: new Date(now),
      expiredAt: new Date(now + this.settings.session.maxAge * 1000),
      ...(user === undefined ? {} : { userModel: user.model, userId: user.id })
    })
  }

  #send (value: string, maxAge = this.settings.session.maxAge): void {
    this.visit.setCookie(this.settings.session.cookieName, value, {
      httpOnly: true, sameSite: 'lax', secure: this.visit.isSecure, maxAge
    })
  }
}

/** For the account page: which of the rows is the one that asks. */
export const sessionName = (session: Session): string | undefined =>
  session instanceof OwnSession && session.known !== undefined
    ? digest(`name ${session.known}`).slice(0, 22)
    : undefined
