/** Carries texts between registries of one process. */
import type { BusDriver, BusDriverFactory, BusLink } from './bus.js'

/**
 * What the members of a memory bus share.
 *
 * ```js
 * const hub = new MemoryHub()
 * registry.busDrivers.set('memory', memoryBus(hub))
 * hub.cut('fastback') // as a network does
 * ```
 */
export class MemoryHub {
  readonly #links = new Map<string, Set<BusLink>>()

  join (namespace: string, link: BusLink): void {
    let links = this.#links.get(namespace)
    if (links === undefined) this.#links.set(namespace, links = new Set())
    links.add(link)
  }

  leave (namespace: string, link: BusLink): void {
    this.#links.get(namespace)?.delete(link)
  }

  send (namespace: string, texts: readonly string[]): void {
    for (const link of [...this.#links.get(namespace) ?? []]) for (const text of texts) link.receive(text)
  }

  /** Cuts the connections of all members of a namespace. */
  cut (namespace: string): void {
    const links = [...this.#links.get(namespace) ?? []]
    this.#links.delete(namespace)
    for (const link of links) link.lost(new Error('cut'))
  }
}

class MemoryDriver implements BusDriver {
  #link: BusLink | undefined

  constructor (readonly hub: MemoryHub, readonly namespace: string) {}

  async connect (link: BusLink): Promise<boolean> {
    this.#link = link
    this.hub.join(this.namespace, link)
    return false
  }

  async send (texts: readonly string[]): Promise<void> {
    this.hub.send(this.namespace, texts)
  }

  async close (): Promise<void> {
    if (this.#link !== undefined) this.hub.leave(this.namespace, this.#link)
  }
}

/**
 * A driver for registries of one process that share a hub.
 *
 * ```js
 * const hub = new MemoryHub()
 * for (const registry of [one, two]) registry.busDrivers.set('memory', memoryBus(hub))
 * ```
 */
export const memoryBus = (hub: MemoryHub): BusDriverFactory =>
  (_setting, { namespace }) => new MemoryDriver(hub, namespace)
