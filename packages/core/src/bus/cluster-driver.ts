/** Carries texts between processes that one other process has started, which passes them on. */
import type { BusDriver, BusDriverFactory, BusLink } from './bus.js'

/**
 * One end of a channel between two processes, as `process` has it in a child, and Node's cluster gives for each worker
 * to the first process.
 */
export interface BusChannel {
  /** @param done called when the message has left, or with why it could not */
  send (message: unknown, done: (error?: unknown) => void): unknown
  on (event: 'message' | 'disconnect', listener: (message: unknown) => void): unknown
  off (event: 'message' | 'disconnect', listener: (message: unknown) => void): unknown
}

/** What goes over a channel, among other messages. */
interface Parcel { readonly fastbackBus: { readonly namespace: string, readonly texts: readonly string[] } }

const isParcel = (message: unknown): message is Parcel =>
  message !== null && typeof message === 'object' && 'fastbackBus' in message

class ClusterDriver implements BusDriver {
  #leave: (() => void) | undefined

  constructor (readonly channel: BusChannel, readonly namespace: string) {}

  /** A channel loses nothing as long as it is there. */
  async connect (link: BusLink): Promise<boolean> {
    const isFirst = this.#leave === undefined
    await this.close()
    const { channel, namespace } = this
    const receive = (message: unknown): void => {
      if (!isParcel(message) || message.fastbackBus.namespace !== namespace) return
      for (const text of message.fastbackBus.texts) link.receive(text)
    }
    const lost = (): void => { link.lost(new Error('the process that passes messages on has gone')) }
    channel.on('message', receive)
    channel.on('disconnect', lost)
    this.#leave = () => {
      channel.off('message', receive)
      channel.off('disconnect', lost)
    }
    return !isFirst
  }

  async send (texts: readonly string[]): Promise<void> {
    const parcel: Parcel = { fastbackBus: { namespace: this.namespace, texts } }
    await new Promise<void>((resolve, reject) => {
      this.channel.send(parcel, error => {
        if (error === undefined || error === null) resolve()
        else reject(error as Error)
      })
    })
  }

  async close (): Promise<void> {
    this.#leave?.()
    this.#leave = undefined
  }
}

/**
 * The driver for a process that another one has started, where a `ClusterHub` passes messages on. `fastback serve
 * --workers` sets it under the name `cluster`; a registry that has it uses it where the setting `bus` says nothing.
 *
 * ```js
 * registry.busDrivers.set('cluster', clusterBus(process))
 * ```
 */
export const clusterBus = (channel: BusChannel): BusDriverFactory =>
  (_setting, { namespace }) => new ClusterDriver(channel, namespace)

/**
 * Passes on what the members of a bus send, in the process that has started them. Messages that are not the bus's are
 * left alone.
 *
 * ```js
 * const hub = new ClusterHub()
 * cluster.on('online', worker => { hub.add(worker) })
 * ```
 */
export class ClusterHub {
  readonly #channels = new Set<BusChannel>()

  /** Takes part until its channel is closed. */
  add (channel: BusChannel): void {
    this.#channels.add(channel)
    channel.on('message', message => { if (isParcel(message)) this.#pass(message, channel) })
    channel.on('disconnect', () => { this.#channels.delete(channel) })
  }

  #pass (parcel: Parcel, from: BusChannel): void {
    for (const channel of this.#channels) {
      // One that has just ended is told by its channel.
      if (channel !== from) channel.send(parcel, () => {})
    }
  }
}
