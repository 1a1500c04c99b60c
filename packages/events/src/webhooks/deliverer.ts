/** Delivers: judges what the subscriber may see, sends it, and writes down how that ended. */
import type { ModelClass, ModelRegistry, Row } from '@fastback/core'
import type { Outgoing } from '@fastback/core/outgoing'
import { findRowById, updateRows } from '@fastback/core/remote'
import type { EventsLog } from '../events-context.js'
import type { DeliveryStore } from './delivery-store.js'
import { Gate } from './gate.js'
import type { Delivery, Subscription } from './models.js'
import type { WebhookSettings } from './options.js'
import { payloadFor } from './payload.js'
import { nextDelay } from './retry.js'
import { signedHeaders } from './secrets.js'
import { post, type Outcome } from './sender.js'

export interface DelivererParts {
  readonly registry: ModelRegistry
  readonly Subscription: ModelClass
  readonly store: DeliveryStore
  readonly outgoing: Outgoing
  readonly settings: WebhookSettings
  readonly log: EventsLog
  /** Milliseconds that an attempt may take beyond its request, before others may take the delivery. */
  readonly margin: number
}

/** How an attempt ended; without a type it was not even judged. */
type Ended = Outcome & { readonly type: string | undefined }

const quiet = { notify: false }

export class Deliverer {
  readonly #hosts: Gate
  readonly #users: Gate
  readonly #closing = new AbortController()
  #isClosing = false

  constructor (readonly parts: DelivererParts) {
    const { settings: { concurrencyPerHost, concurrencyPerUser }, log } = parts
    const failed = (err: unknown): void => {
      log.error({ err }, 'A webhook could not be delivered; it will be tried again.')
    }
    this.#hosts = new Gate(concurrencyPerHost, failed)
    this.#users = new Gate(concurrencyPerUser, failed)
  }

  /** Delivers if it is time; if not, or if others do, nothing happens. */
  readonly deliver = async (id: string): Promise<void> => {
    const { store } = this.parts
    const delivery = await store.find(id)
    if (delivery === undefined || delivery.state === 'delivered' || delivery.state === 'dead') return
    if (delivery.nextAt.getTime() > Date.now()) return
    const subscription = await this.#subscriptionOf(delivery)
    if (subscription === undefined) await store.remove(delivery)
    else if (!subscription.active) await store.endAll(subscription)
    else await this.#inTurn(subscription, delivery)
  }

  /** A user may have receivers at as many hosts as there are requests at once. Nobody's are the application's. */
  async #inTurn (subscription: Subscription, delivery: Delivery): Promise<void> {
    const { host } = new URL(subscription.url)
    const toHost = async (): Promise<void> => {
      await this.#hosts.run(host, delivery.id, () => this.#attempt(subscription, delivery), this.deliver)
    }
    const { userKey } = subscription
    if (userKey === undefined || userKey === null) await toHost()
    else await this.#users.run(userKey, delivery.id, toHost, this.deliver)
  }

  /** @param timeout milliseconds after which requests are ended that are under way */
  async close (timeout: number): Promise<void> {
    this.#isClosing = true
    const timer = setTimeout(() => { this.#closing.abort() }, timeout)
    await Promise.all([this.#users.close(), this.#hosts.close()])
    clearTimeout(timer)
  }

  async #subscriptionOf ({ subscriptionId }: Delivery): Promise<Subscription | undefined> {
    const { Subscription: { compiled } } = this.parts
    return await findRowById(compiled, subscriptionId, undefined, quiet) as unknown as Subscription | undefined
  }

  async #attempt (subscription: Subscription, delivery: Delivery): Promise<void> {
    if (!subscription.ordered) await this.#try(subscription, delivery, true)
    else if (!await this.#mustWait(delivery)) await this.#inOrder(subscription, delivery)
  }

  /** One after another of the same row, as long as they arrive. */
  async #inOrder (subscription: Subscription, first: Delivery): Promise<void> {
    const { store, settings: { timeout } } = this.parts
    const end = Date.now() + timeout
    let isOver = await this.#try(subscription, first, true)
    for (let before = first; isOver;) {
      const next = await store.next(before)
      // One that failed before waits for its time, and one that is being sent is somebody else's.
      if (next?.state !== 'new') return
      const now = await this.#subscriptionOf(next)
      // The job behind it has an end.
      if (now?.active !== true || this.#isClosing || Date.now() > end) {
        await store.putOff(next, new Date())
        return
      }
      isOver = await this.#try(now, next, false)
      before = next
    }
  }

  /**
   * @param isDue whether only if its time has come
   * @returns whether it was this process's, and has ended
   */
  async #try (subscription: Subscription, delivery: Delivery, isDue: boolean): Promise<boolean> {
    const { store, settings: { timeout }, margin } = this.parts
    if (!await store.take(delivery, new Date(Date.now() + timeout + margin), isDue)) return false
    const outcome = await this.#sent(subscription, delivery)
    if (outcome === undefined) {
      await store.remove(delivery)
      return true
    }
    if (!this.#closing.signal.aborted || outcome.status !== undefined) {
      return await this.#ended(subscription, delivery, outcome)
    }
    await store.change(delivery, { state: delivery.state, attempts: delivery.attempts, nextAt: new Date() })
    return false
  }

  /** Undefined: there is nothing to tell the subscriber. */
  async #sent (subscription: Subscription, delivery: Delivery): Promise<Ended | undefined> {
    const { settings: { largestBody, timeout }, registry, outgoing, log } = this.parts
    try {
      const payload = await payloadFor(registry, subscription, delivery)
      if (payload === undefined) return undefined
      const { type, body } = payload
      if (Buffer.byteLength(body) > largestBody) return { type, error: 'TOO_LARGE' }
      const headers = signedHeaders(subscription, delivery.id, body)
      const message = { url: subscription.url, body, headers }
      return { type, ...await post(outgoing, message, { timeout, signal: this.#closing.signal }) }
    } catch (err) {
      // Rules, scopes and hooks of the application may fail; nobody is told anything then.
      log.error({ err, delivery: delivery.id }, 'What a webhook may tell could not be found out.')
      return { type: undefined, error: 'NOT_JUDGED' }
    }
  }

  /** Looks again once it is put off: the one before may have ended in between, and then nobody wakes this one. */
  async #mustWait (delivery: Delivery): Promise<boolean> {
    const { store } = this.parts
    if (!await store.before(delivery)) return false
    await store.putOff(delivery, store.waitsUntil())
    if (await store.before(delivery)) return true
    await store.putOff(delivery, new Date())
    return false
  }

  async #ended (
    subscription: Subscription, delivery: Delivery, { status, error, retryAfter, type }: Ended
  ): Promise<boolean> {
    const { store, settings } = this.parts
    const known = { ...(type === undefined ? {} : { type }), status: status ?? null, error: error ?? null }
    if (status !== undefined && status >= 200 && status <= 299) {
      await store.change(delivery, { ...known, state: 'delivered', endedAt: new Date(), before: null, after: null })
      if (subscription.failingSince) await this.#mark(subscription, { failingSince: null })
      return true
    }
    const isGone = status === 410
    const isFinal = isGone || error === 'TOO_LARGE'
    const delay = isFinal ? undefined : nextDelay(settings, delivery.attempts + 1, retryAfter)
    await store.change(delivery, delay === undefined
      ? { ...known, state: 'dead', endedAt: new Date() }
      : { ...known, state: 'retrying', nextAt: new Date(Date.now() + delay) })
    if (delay === undefined) this.#report(delivery, known)
    if (type !== undefined && error !== 'TOO_LARGE') await this.#failed(subscription, isGone)
    return delay === undefined
  }

  #report ({ id, subscriptionId }: Delivery, { status, error }: Row): void {
    this.parts.log.warn({ delivery: id, subscription: subscriptionId, status, error }, 'A webhook has failed for good.')
  }

  async #failed (subscription: Subscription, isGone: boolean): Promise<void> {
    const { failingSince } = subscription
    const isLong = failingSince instanceof Date &&
      failingSince.getTime() + this.parts.settings.switchOffAfter < Date.now()
    if (!isGone && !isLong) {
      if (!failingSince) await this.#mark(subscription, { failingSince: new Date() })
      return
    }
    const note = isGone
      ? 'Switched off: the receiver responded with 410 Gone.'
      : 'Switched off: nothing has arrived for too long.'
    await this.#mark(subscription, { active: false, note })
    await this.parts.store.endAll(subscription)
    this.parts.log.warn({ subscription: subscription.id, isGone }, 'A webhook subscription was switched off.')
  }

  async #mark ({ id }: Subscription, changes: Row): Promise<void> {
    await updateRows(this.parts.Subscription.compiled, { id }, changes, quiet)
  }
}
