/**
 * Logins on their way (LG-72): each belongs to one entry and one browser, lives ten minutes and is used once. The row
 * is taken out before anything is asked of the provider.
 */
import { isSameText } from '@fastback/auth/service'
import type { CodeRequest } from './code-request.js'
import { digest, randomText, type Records } from './records.js'
import type { Session } from './session.js'
import type { Visit } from './visit.js'
import type { Entry } from './entry.js'

/** What is kept of a login on its way. */
export interface State {
  readonly entry: string
  readonly redirectUri: string
  readonly verifier?: string
  readonly nonce?: string
  /** Of a request of SAML. */
  readonly requestId?: string
  /** The user who began to link an account. */
  readonly user?: { readonly model: string, readonly id: string } | undefined
  /** The row of the session that the browser had then. */
  readonly session?: string | undefined
  /** A page wants a code. */
  readonly asked?: CodeRequest | undefined
  readonly started: number
}

/** Milliseconds that somebody has to come back from a provider. */
export const stateLifetime = 600_000
const mostOpen = 10

export class States {
  constructor (readonly records: Records) {}

  /** Keeps a state, and gives the text for the provider. */
  async begin (visit: Visit, session: Session, entry: Entry, state: Omit<State, 'entry' | 'started'>,
    name = randomText()): Promise<string> {
    const browser = digest(`browser ${session.browser()}`)
    await this.#makeRoom(browser)
    const data: State & { form?: string } = { ...state, entry: entry.name, started: Date.now() }
    if (entry.callbackMethod === 'post') {
      // Comes from the provider's page, which a `Lax` cookie does not (LG-100).
      const key = randomText()
      data.form = digest(key)
      visit.setCookie(cookieOf(entry), key, {
        httpOnly: true, sameSite: 'none', secure: true, maxAge: stateLifetime / 1000, path: entry.callbackPath
      })
    }
    await this.records.add(`state ${name}`, {
      kind: 'state', browser, data, created: new Date(), expiredAt: new Date(Date.now() + stateLifetime)
    })
    return name
  }

  /**
   * Takes a state out; undefined for one that is not there (any more), or is of another browser or entry. A state that
   * another browser shows stays: its owner is not disturbed.
   */
  async take (visit: Visit, session: Session, entry: Entry, name: unknown): Promise<State | undefined> {
    if (typeof name !== 'string' || name === '' || name.length > 500) return undefined
    const row = await this.records.get(`state ${name}`)
    if (row?.kind !== 'state') return undefined
    const data = row.data as unknown as State & { form?: string }
    if (!this.#isOurs(visit, session, entry, String(row.browser), data.form)) return undefined
    if (!await this.records.remove(`state ${name}`)) return undefined
    return data.entry === entry.name ? data : undefined
  }

  #isOurs (visit: Visit, { known }: Session, entry: Entry, browser: string, form: string | undefined): boolean {
    if (known !== undefined && isSameText(digest(`browser ${known}`), browser)) return true
    const key = visit.cookies[cookieOf(entry)]
    return form !== undefined && key !== undefined && isSameText(digest(key), form)
  }

  async #makeRoom (browser: string): Promise<void> {
    const open = await this.records.where({ kind: 'state', browser })
    for (const row of open.slice(0, Math.max(0, open.length - mostOpen + 1))) {
      await this.records.removeDigest(String(row.id))
    }
  }

  /** Remembers what may come once, until it would be refused by its age: false when it came before. */
  async once (kind: string, key: string, milliseconds: number): Promise<boolean> {
    return await this.records.add(`${kind} ${key}`, {
      kind, data: {}, created: new Date(), expiredAt: new Date(Date.now() + milliseconds)
    })
  }
}

const cookieOf = ({ name }: Entry): string => `fastback.state.${name.replace(/[^\w-]/g, '_')}`
