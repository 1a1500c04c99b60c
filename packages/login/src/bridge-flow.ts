/** The way of a login by a strategy of passport: it says itself whether a request begins or ends. */
import { LoginResponses } from './responses.js'
import type { Entry } from './entry.js'
import { withoutSlash } from './entry-values.js'
import { failureOf, LoginFailure } from './errors.js'
import { Flow } from './flow.js'
import type { BridgeKind } from './kinds/bridge.js'
import type { Logins } from './logins.js'
import type { LoggedIn } from './logged-in.js'
import type { Session } from './session.js'
import { stateLifetime } from './states.js'
import type { Visit } from './visit.js'

/** Who began to link by which entry, and when. */
interface Linking { readonly entry: string, readonly model: string, readonly id: string, readonly at: number }

export class BridgeFlow {
  readonly #flow: Flow
  readonly #answers: LoginResponses

  constructor (readonly logins: Logins, readonly entry: Entry, readonly bridge: BridgeKind) {
    this.#flow = new Flow(logins, entry, undefined)
    this.#answers = new LoginResponses(logins, entry)
  }

  readonly handle = async (visit: Visit): Promise<void> => {
    if (visit.method === 'HEAD') {
      if (visit.sides.next !== undefined) visit.sides.next()
      else visit.text(404, 'text/plain', '')
      return
    }
    const session = await this.logins.sessions.of(visit)
    try {
      await this.#handle(visit, session)
    } catch (error) {
      await this.#answers.fail(visit, session, failureOf(error))
    }
  }

  async #handle (visit: Visit, session: Session): Promise<void> {
    const path = new URL(visit.req.originalUrl ?? visit.req.url ?? '/', 'http://localhost').pathname
    const begins = withoutSlash(path) === withoutSlash(this.entry.authPath)
    const caller = this.entry.link ? await this.#caller(visit, session, begins) : undefined
    const action = await this.bridge.run(visit, session)
    if (action.kind === 'pass') {
      if (visit.sides.next !== undefined) visit.sides.next()
      else visit.text(404, 'text/plain', '')
      return
    }
    if (action.kind === 'redirect') {
      if (caller !== undefined) {
        await session.set('linking', {
          entry: this.entry.name, model: caller.model, id: caller.id, at: Date.now()
        } satisfies Linking)
      }
      visit.redirect(action.address, action.status)
      return
    }
    if (caller !== undefined) await session.set('linking', undefined)
    await this.#answers.succeed(visit, session, await this.#flow.settle(visit, action.proven, caller))
  }

  /** The user who began is the one who ends (LG-62). */
  async #caller (visit: Visit, session: Session, begins: boolean): Promise<LoggedIn> {
    if (begins) return await this.#flow.mustBeCaller(visit, session)
    const caller = await this.logins.callerOf(visit, session)
    if (caller === undefined) throw new LoginFailure('NOT_LOGGED_IN', 'nobody is logged in to link to')
    const linking = session.get('linking') as Linking | undefined
    const isOurs = linking?.entry === this.entry.name && linking.id === caller.id && linking.model === caller.model
    if (!isOurs || !(linking.at > Date.now() - stateLifetime)) {
      throw new LoginFailure('STATE_INVALID', 'this browser did not begin to link')
    }
    return caller
  }
}
