/** One connection, and its live queries. */
import type { WebSocket } from '@fastify/websocket'
import { invalidMessage, tooManyQueries } from '../errors/live-errors.js'
import { errorBody, statusOf } from '../errors/error-body.js'
import { readMessage, type ClientMessage } from './messages.js'
import type { LiveSocketLimits } from './settings.js'
import { Subscription, type LiveResponse } from './subscription.js'

type Subscribe = ClientMessage & { readonly type: 'subscribe' }

/** The code of RFC 6455 for what breaks the rules of a server. */
const policyViolation = 1008
/** Milliseconds in which messages are counted. */
const counted = 10_000

export class LiveConnection {
  readonly #socket: WebSocket
  readonly #limits: LiveSocketLimits
  readonly #open: (message: Subscribe) => Promise<LiveResponse>
  readonly #report: (error: unknown) => void
  readonly #subscriptions = new Map<string, Subscription>()
  #isAlive = true
  #messages = 0
  #countedSince = performance.now()

  /**
   * @param open sends the request of a query
   * @param report is told of errors that are nobody's
   */
  constructor (
    socket: WebSocket, limits: LiveSocketLimits, open: (message: Subscribe) => Promise<LiveResponse>,
    report: (error: unknown) => void
  ) {
    this.#socket = socket
    this.#limits = limits
    this.#open = open
    this.#report = report
    socket.on('message', (data, isBinary) => { this.#take(isBinary ? '' : String(data)) })
    socket.on('pong', () => { this.#isAlive = true })
    // `close` follows.
    socket.on('error', () => {})
    socket.on('close', () => { for (const each of this.#subscriptions.values()) each.end() })
  }

  /** Looks whether the client is still there: one that was silent since the last time is not. */
  check (): void {
    if (!this.#isAlive) {
      this.#socket.terminate()
      return
    }
    this.#isAlive = false
    this.#socket.ping()
  }

  #take (text: string): void {
    if (!this.#counts()) {
      this.#socket.close(policyViolation, 'too many messages')
      return
    }
    const message = readMessage(text)
    if (message === undefined) this.#refuse(undefined, invalidMessage())
    else if (message.type === 'subscribe') this.#subscribe(message)
    else if (message.type === 'ack') this.#subscriptions.get(message.query)?.ack(message.event)
    else this.#unsubscribe(message.query)
  }

  #counts (): boolean {
    const now = performance.now()
    if (now - this.#countedSince > counted) {
      this.#countedSince = now
      this.#messages = 0
    }
    return ++this.#messages <= this.#limits.maxMessages
  }

  #subscribe (message: Subscribe): void {
    const { query } = message
    const { maxQueries } = this.#limits
    if (this.#subscriptions.has(query)) {
      this.#refuse(query, invalidMessage('There is a query of this name already: unsubscribe from it first.'))
      return
    }
    if (this.#subscriptions.size >= maxQueries) {
      this.#refuse(query, tooManyQueries(maxQueries))
      return
    }
    const subscription = new Subscription(query, this.#send)
    this.#subscriptions.set(query, subscription)
    subscription.run(async () => await this.#open(message)).catch((error: unknown) => {
      if (statusOf(error) >= 500) this.#report(error)
      this.#refuse(query, error)
    }).finally(() => {
      if (this.#subscriptions.get(query) === subscription) this.#subscriptions.delete(query)
    })
  }

  #unsubscribe (query: string): void {
    this.#subscriptions.get(query)?.end()
    this.#subscriptions.delete(query)
    this.#send(JSON.stringify({ type: 'end', query }))
  }

  #refuse (query: string | undefined, error: unknown): void {
    this.#send(JSON.stringify({ type: 'error', query, error: errorBody(error, {}) }))
  }

  readonly #send = (message: string): void => {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(message)
  }
}
