/** Keeps what would be sent, for tests of applications (PU-88). */
import { apnsHeaders, apnsPayload } from '../apns/apns-message.js'
import { fcmMessage } from '../fcm/fcm-message.js'
import type { Outcome } from '../provider/outcome.js'
import { Provider, type Message, type PushSettings } from '../provider/provider.js'
import { webHeaders, webPayload } from '../web/web-message.js'

/** What a stub keeps of a message. */
export interface StubbedMessage {
  readonly token: string
  readonly notification: Message
  /** The body as the real provider makes it. */
  readonly payload: unknown
  readonly headers: Readonly<Record<string, string>>
}

/** Messages that are kept; the oldest go first. */
const most = 10_000

/**
 * ```js
 * const stub = new StubProvider({ stub: { as: 'apns' } })
 * await stub.deliver({ alert: 'Hello' }, 'token')
 * stub.sent[0].payload // { aps: { alert: 'Hello' } }
 * ```
 * Settings: `stub.as` (`apns`, `fcm` or `web`; default `fcm`), whose payload is made; `stub.outcome`, what each
 * message comes to.
 */
export class StubProvider extends Provider {
  readonly sent: StubbedMessage[] = []
  readonly #as: unknown
  /** Assigned by tests: what becomes of the messages from now on. */
  outcome: Outcome

  constructor (pushSettings: PushSettings = {}) {
    super()
    const { as, outcome } = (pushSettings.stub ?? {}) as { as?: unknown, outcome?: Outcome }
    this.#as = as
    this.outcome = outcome ?? { status: 'sent', providerId: 'stub' }
  }

  deliver (notification: Message, token: string): Promise<Outcome> {
    this.sent.push({ token, notification, ...this.#made(notification, token) })
    if (this.sent.length > most) this.sent.shift()
    return Promise.resolve(this.outcome)
  }

  #made (message: Message, token: string): Pick<StubbedMessage, 'payload' | 'headers'> {
    switch (this.#as) {
      case 'apns': return { payload: JSON.parse(apnsPayload(message).toString()), headers: apnsHeaders(message, 'stub') }
      case 'web': return { payload: JSON.parse(webPayload(message).toString()), headers: webHeaders(message) }
      default: return { payload: fcmMessage(message, token).message, headers: {} }
    }
  }
}
