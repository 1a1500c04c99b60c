/**
 * Requests that asked for a login of their own (OI-92, OI-93). Each is remembered with the login that there was; a
 * later one satisfies it, in whichever tab it took place. No clock is compared: that of another process may differ.
 */
import { randomText } from '../../digest.js'
import type { Session, Sessions, WaitingRequest } from '../../session/sessions.js'
import type { States } from '../../stores/states.js'

/** Requests of one session; the oldest is asked again. */
const most = 20

/** Seconds that a login stands for the request that waited for it: as long as a decision may take. */
const longest = 600

export class Waiting {
  constructor (readonly states: States, readonly sessions: Sessions) {}

  /** Remembers a request, unless it is remembered. */
  async add (session: Session, key: string): Promise<void> {
    if (session.data.waiting?.[key] !== undefined) return
    await this.#save(session, key, { login: session.data.login ?? '' })
  }

  /** The user goes on with the account that is logged in (OI-95). */
  async choose (session: Session, key: string): Promise<void> {
    const entry = session.data.waiting?.[key]
    if (entry !== undefined) await this.#save(session, key, { ...entry, chosen: randomText() })
  }

  /** The mark of a login that is newer than the request, and that no response was made of; undefined without one. */
  async loginFor ({ data }: Session, key: string): Promise<string | undefined> {
    const { login, authTime = 0, waiting } = data
    const entry = waiting?.[key]
    if (entry === undefined || login === undefined || entry.login === login) return undefined
    return authTime + longest < Date.now() / 1000 ? undefined : await this.#unused(`${login}:${key}`)
  }

  /** The mark of the user's choice of the account that is logged in. */
  async choiceFor ({ data }: Session, key: string): Promise<string | undefined> {
    const { chosen, login } = data.waiting?.[key] ?? {}
    return chosen === undefined || login !== data.login ? undefined : await this.#unused(`${chosen}:${key}`)
  }

  /** Uses a mark up: false when it was used before, in whichever process. */
  async use (mark: string): Promise<boolean> {
    return await this.states.add('login', mark, new Date(Date.now() + Math.max(this.sessions.settings.maxAge, longest) * 1000))
  }

  async #unused (mark: string): Promise<string | undefined> {
    return await this.states.get('login', mark) === undefined ? mark : undefined
  }

  async #save (session: Session, key: string, entry: WaitingRequest): Promise<void> {
    const others = Object.entries(session.data.waiting ?? {}).filter(([each]) => each !== key)
    session.data.waiting = Object.fromEntries([...others.slice(1 - most), [key, entry]])
    await this.sessions.save(session)
  }
}
