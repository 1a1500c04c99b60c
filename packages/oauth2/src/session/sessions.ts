/** Login sessions of the interactive endpoints: a record that all processes see, behind one cookie (oauth2.md, section 4.5). */
import * as cookies from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { randomText } from '../digest.js'
import { isSecure, type IssuerOf } from '../issuer.js'
import type { Settings } from '../settings.js'
import type { States } from '../stores/states.js'

/** An authorization request that waits for a login: its parameters, never an address. */
export type Remembered = Readonly<Record<string, string>>

export interface SessionData {
  userId?: unknown
  /** Secret of the tokens in the pages' forms. */
  csrf: string
  pending?: Remembered | undefined
  /** Keys of open transactions, the oldest first. */
  transactions?: string[]
}

export interface Session {
  readonly id: string
  readonly data: SessionData
}

/** Seconds that a session without a login lives. */
const anonymousAge = 3600

export class Sessions {
  constructor (
    readonly states: States,
    readonly settings: Settings['session'],
    readonly issuerOf: IssuerOf,
    readonly newSecret: () => string
  ) {}

  async load (request: FastifyRequest): Promise<Session | undefined> {
    const id = request.headers.cookie === undefined ? undefined : cookies.parse(request.headers.cookie)[this.settings.cookieName]
    if (id === undefined || id.length !== 43) return undefined
    const found = await this.states.get('session', this.#key(id))
    return found === undefined ? undefined : { id, data: found.data as unknown as SessionData }
  }

  /** The session of a request, or a new one. */
  async open (request: FastifyRequest, reply: FastifyReply): Promise<Session> {
    return await this.load(request) ?? await this.#start(request, reply, { csrf: this.newSecret() }, anonymousAge)
  }

  /** A new session with a user: the cookie of before the login is worth nothing afterwards (O-044). */
  async logIn (request: FastifyRequest, reply: FastifyReply, userId: unknown): Promise<Session> {
    await this.logOut(request)
    return await this.#start(request, reply, { csrf: this.newSecret(), userId }, this.settings.maxAge)
  }

  async logOut (request: FastifyRequest): Promise<void> {
    const session = await this.load(request)
    if (session !== undefined) await this.states.remove('session', this.#key(session.id))
  }

  async save ({ id, data }: Session): Promise<void> {
    await this.states.change('session', this.#key(id), data)
  }

  forget (request: FastifyRequest, reply: FastifyReply): void {
    this.#send(request, reply, '', 0)
  }

  async #start (request: FastifyRequest, reply: FastifyReply, data: SessionData, age: number): Promise<Session> {
    const id = randomText()
    await this.states.add('session', this.#key(id), new Date(Date.now() + age * 1000), data)
    this.#send(request, reply, id, age)
    return { id, data }
  }

  /** The only place that sets a cookie (security.md, S-55). */
  #send (request: FastifyRequest, reply: FastifyReply, value: string, maxAge: number): void {
    const { cookieName, sameSite, secure } = this.settings
    reply.header('set-cookie', cookies.serialize(cookieName, value, {
      path: '/', httpOnly: true, sameSite, secure: secure ?? isSecure(this.issuerOf(request)), maxAge
    }))
  }

  /** The secret of the application makes sessions of one data source useless for another application on it. */
  #key (id: string): string {
    return `${id}${this.settings.secret ?? ''}`
  }
}
