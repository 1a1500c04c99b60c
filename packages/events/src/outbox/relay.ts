/**
 * Hands events on, in the order of their ids, and deletes them then: what was committed later than its id was given out
 * is found all the same. Handing on must be safe to repeat, as a process may die before the events are deleted.
 */
import type { ModelClass, ModelRegistry } from '@fastback/core'
import { deleteRows, findRows } from '@fastback/core/remote'
import { eventModels, type StoredEvent } from './event-model.js'
import type { Lease } from './lease.js'

/** Takes events over for good, however often it gets them. */
export type HandOver = (events: readonly StoredEvent[], Event: ModelClass) => Promise<void>

export interface RelayOptions {
  readonly registry: ModelRegistry
  /** What keeps other processes from doing the same at the same time. */
  readonly lease: Lease
  readonly handOver: HandOver
  /** Done under the same lease, each time that this process looks. */
  readonly upkeep: () => Promise<void>
  /** Milliseconds between two looks for events of other processes. */
  readonly pollInterval: number
  /** Told of an error; the next look tries again. */
  readonly failed: (error: unknown) => void
}

const topic = 'fastback.events'
/** Events that are handed on together. */
const batch = 500
const quiet = { notify: false }

export class Relay {
  #timer: NodeJS.Timeout | undefined
  #unsubscribe: (() => void) | undefined
  #looking: Promise<void> | undefined
  #again = false
  #isOn = false
  #isTold = false

  constructor (readonly options: RelayOptions) {}

  start (): void {
    const { registry: { bus }, pollInterval } = this.options
    this.#isOn = true
    const look = (): void => { this.#look() }
    this.#unsubscribe = bus.subscribe(topic, { message: look, reset: look })
    this.#timer = setInterval(look, pollInterval).unref()
    this.#look()
  }

  async stop (): Promise<void> {
    this.#isOn = false
    clearInterval(this.#timer)
    this.#unsubscribe?.()
    await this.#looking
    if (this.#timer !== undefined) await this.options.lease.release().catch(this.options.failed)
    this.#timer = undefined
  }

  /** Events were committed in this process: they are handed on at once, by whichever process has the lease. */
  readonly wake = (): void => {
    if (this.#isTold) return
    this.#isTold = true
    setImmediate(() => {
      this.#isTold = false
      if (!this.#isOn) return
      if (this.options.registry.bus.hasOthers) this.options.registry.bus.publish(topic, null)
      this.#look()
    })
  }

  #look (): void {
    if (!this.#isOn) return
    if (this.#looking !== undefined) {
      this.#again = true
      return
    }
    this.#looking = this.#work().catch(this.options.failed).finally(() => {
      this.#looking = undefined
      if (!this.#again) return
      this.#again = false
      this.#look()
    })
  }

  async #work (): Promise<void> {
    const { registry, lease, upkeep } = this.options
    if (!await lease.take()) return
    for (const Event of eventModels(registry)) while (await this.#handOn(Event));
    if (this.#isOn) await upkeep()
  }

  /** @returns whether there may be more */
  async #handOn (Event: ModelClass): Promise<boolean> {
    if (!this.#isOn || !await this.options.lease.take()) return false
    const { compiled } = Event
    const events = await findRows(
      compiled, { order: ['id ASC'], limit: batch }, quiet) as unknown as StoredEvent[]
    if (events.length === 0) return false
    await this.options.handOver(events, Event)
    await deleteRows(compiled, { id: { inq: events.map(({ id }) => id) } }, quiet)
    return events.length === batch
  }
}
