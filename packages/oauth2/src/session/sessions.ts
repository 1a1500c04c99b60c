/**
 * Login sessions of the interactive endpoints: a record that all processes see, behind one cookie (oauth2.md, section
 * 4.5).
 */
import * as cookies from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { randomText } from '../digest.js'
import { isSecure, type IssuerOf } from '../issuer.js'
import type { Settings } from '../settings.js'
import type { States } from '../stores/states.js'
import type { EndedLogin, Halfway, ListedSession, Proof, Session, SessionData, SessionsOf } from './session-data.js'
import { agentFamily } from './user-agent.js'

export type * from './session-data.js'

/**
 * The user who logged in here. A session that was made from a token has none: a program that acts for somebody approves
 * nothing in that one's name.
 */
export const loginOf = (session: Session | undefined): unknown =>
  session?.data.tokenId === undefined ? session?.data.userId : undefined

export interface SessionParts {
  readonly issuerOf: IssuerOf
  readonly newSecret: () => string
  /** Whether the access token with this record is good now. */
  readonly isTokenGood: (id: unknown) => Promise<boolean>
  /** Is told of logins that have ended before their time. */
  readonly ended?: (logins: readonly EndedLogin[]) => Promise<void>
}

const dateOf = (seconds: number): Date => new Date(seconds * 1000)

/** The access token that a session is made from. */
interface Source {
  readonly id: unknown
  readonly expiredAt: unknown
}

/** Seconds that a session without a login lives. */
const anonymousAge = 3600

export class Sessions {
  constructor (
    readonly states: States,
    readonly settings: Settings['session'],
    readonly parts: SessionParts
  ) {}

  async load (request: FastifyRequest): Promise<Session | undefined> {
    const id =
      request.headers.cookie === undefined ? undefined : cookies.parse(request.headers.cookie)[this.settings.cookieName]
    if (id === undefined || id.length !== 43) return undefined
    const found = await this.states.get('session', this.#key(id))
    if (found === undefined) return undefined
    const session = { id, data: found.data as unknown as SessionData }
    const { tokenId } = session.data
    if (tokenId === undefined || await this.parts.isTokenGood(tokenId)) return session
    await this.end(session)
  }

  /** The session of a request, or a new one. */
  async open (request: FastifyRequest, reply: FastifyReply): Promise<Session> {
    return await this.load(request) ?? await this.#start(request, reply, { csrf: this.parts.newSecret() }, anonymousAge)
  }

  /**
   * A new session with a user: the cookie of before the login is worth nothing afterwards (O-044, OI-104). What waits
   * for the login goes on in it. A user who logs in once more goes on with the same session for clients; the session of
   * another user ends.
   */
  async logIn (request: FastifyRequest, reply: FastifyReply, userId: unknown,
    { amr = ['pwd'] }: Proof = {}): Promise<Session> {
    const before = await this.load(request)
    const known = loginOf(before)
    const isAgain = known !== undefined && String(known) === String(userId)
    if (before !== undefined) await (isAgain ? this.#remove(before) : this.end(before))
    const now = Math.floor(Date.now() / 1000)
    const { sid = randomText(), since = now } = isAgain ? before?.data as SessionData : {}
    const agent = agentFamily(request.headers['user-agent'])
    const data: SessionData = {
      csrf: this.parts.newSecret(), userId, sid, since, amr, authTime: now, login: randomText(),
      ...(agent === undefined ? {} : { agent }),
      ...(before?.data.waiting === undefined ? {} : { waiting: before.data.waiting })
    }
    return await this.#start(request, reply, data, this.settings.maxAge)
  }

  /**
   * Notes who has proved one factor and is asked for another, under a new id: who had the cookie before is not
   * half-way. A login that is there stays until the next one is complete.
   */
  async goHalfway (request: FastifyRequest, reply: FastifyReply, halfway: Halfway): Promise<Session> {
    const before = await this.load(request)
    if (before !== undefined) await this.#remove(before)
    const data = { ...before?.data, csrf: this.parts.newSecret(), halfway }
    return await this.#start(request, reply, data, loginOf(before) === undefined ? anonymousAge : this.settings.maxAge)
  }

  /**
   * The session of a user who has proved one factor more: under a new id (OI-104), and as old as it was, so that what
   * asks for a newer login gets one.
   * @param amr what the factor adds: `['otp', 'mfa']`
   */
  async stepUp (request: FastifyRequest, reply: FastifyReply, before: Session,
    amr: readonly string[]): Promise<Session> {
    const { amr: known = [], authTime = 0 } = before.data
    const data = {
      ...before.data, halfway: undefined, csrf: this.parts.newSecret(), amr: [...new Set([...known, ...amr])]
    }
    await this.#remove(before)
    const age = Math.floor(Date.now() / 1000) - authTime
    return await this.#start(request, reply, data, Math.max(1, this.settings.maxAge - age))
  }

  /**
   * The session of a user whose factors were changed in it, which ended it with all others: a new one, with a new name
   * for clients, of a login that is as old.
   * @param amr what a factor that was set up adds
   */
  async goOn (request: FastifyRequest, reply: FastifyReply, { data }: Session,
    amr: readonly string[]): Promise<Session> {
    const { userId, agent, authTime = 0, amr: known = [] } = data
    const now = Math.floor(Date.now() / 1000)
    return await this.#start(request, reply, {
      csrf: this.parts.newSecret(), userId, sid: randomText(), since: now, login: randomText(), authTime,
      amr: [...new Set([...known, ...amr])], ...(agent === undefined ? {} : { agent })
    }, Math.max(1, this.settings.maxAge - (now - authTime)))
  }

  /**
   * A session for the pages of this server, made from an access token: it says for whom the token acts, and ends with
   * it. A login that is there stays.
   */
  async makeFromToken (request: FastifyRequest, reply: FastifyReply, userId: unknown,
    { id: tokenId, expiredAt }: Source): Promise<void> {
    const session = await this.load(request)
    if (loginOf(session) !== undefined || session?.data.tokenId === tokenId) return
    if (session !== undefined) await this.end(session)
    const left = Math.ceil(((expiredAt as Date).getTime() - Date.now()) / 1000)
    const data = { csrf: this.parts.newSecret(), userId, tokenId }
    await this.#start(request, reply, data, Math.max(1, Math.min(left, this.settings.maxAge)))
  }

  async logOut (request: FastifyRequest): Promise<void> {
    const session = await this.load(request)
    if (session !== undefined) await this.end(session)
  }

  /**
   * Ends a session, or those of a user: `await app.oauth2.sessions.end({ userId: 7 })`. Clients that got an id_token in
   * it are sent a logout token (OI-130).
   * @returns how many ended
   */
  async end (which: Session | SessionsOf): Promise<number> {
    if ('data' in which) {
      if (!await this.#remove(which)) return 0
      await this.#tell([which.data])
      return 1
    }
    const { userId, sid, except } = which
    const ended: SessionData[] = []
    for (const row of await this.states.ofUser('session', userId)) {
      const data = row.data as unknown as SessionData
      const name = data.sid ?? row.id
      if ((sid !== undefined && name !== sid) || name === except) continue
      if (await this.states.removeRow(row)) ended.push(data)
    }
    await this.#tell(ended)
    return ended.length
  }

  /** The sessions that a user has logged in to, the oldest first. Nothing in the list opens one. */
  async of (userId: unknown): Promise<ListedSession[]> {
    const rows = await this.states.ofUser('session', userId)
    return rows.flatMap(({ id, data: stored, issuedAt, expiredAt }) => {
      const { tokenId, sid = id, since, authTime, amr = [], agent } = stored as unknown as SessionData
      const made = issuedAt.getTime() / 1000
      return tokenId === undefined
        ? [{
            sid, created: dateOf(since ?? made), lastLogin: dateOf(authTime ?? made), expires: expiredAt, amr, agent
          }]
        : []
    })
  }

  async #tell (ended: readonly SessionData[]): Promise<void> {
    const logins = ended.flatMap(({ userId, sid, tokenId }) =>
      sid === undefined || tokenId !== undefined ? [] : [{ userId, sid }])
    if (logins.length > 0) await this.parts.ended?.(logins)
  }

  /** Whether a session that was read is there still. */
  async isOpen ({ id }: Session): Promise<boolean> {
    return await this.states.get('session', this.#key(id)) !== undefined
  }

  async save ({ id, data }: Session): Promise<void> {
    await this.states.change('session', this.#key(id), data)
  }

  forget (request: FastifyRequest, reply: FastifyReply): void {
    this.#send(request, reply, '', 0)
  }

  async #start (request: FastifyRequest, reply: FastifyReply, data: SessionData, age: number): Promise<Session> {
    const id = randomText()
    await this.states.add('session', this.#key(id), new Date(Date.now() + age * 1000), data, data.userId)
    this.#send(request, reply, id, age)
    return { id, data }
  }

  async #remove ({ id }: Session): Promise<boolean> {
    return await this.states.remove('session', this.#key(id))
  }

  /** The only place that sets a cookie (security.md, S-55). */
  #send (request: FastifyRequest, reply: FastifyReply, value: string, maxAge: number): void {
    const { cookieName, sameSite, secure } = this.settings
    reply.header('set-cookie', cookies.serialize(cookieName, value, {
      path: '/', httpOnly: true, sameSite, secure: secure ?? isSecure(this.parts.issuerOf(request)), maxAge
    }))
  }

  /** The secret of the application makes sessions of one data source useless for another application on it. */
  #key (id: string): string {
    return `${id}${this.settings.secret ?? ''}`
  }
}
