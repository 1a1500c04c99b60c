/**
 * The services that one provider sends to. Subscriptions of browsers name theirs, so there may be any number, and some
 * of nobody but a stranger: one that fails or is slow holds up its own devices alone (security.md, S-157).
 */
import { Circuit } from './circuit.js'

/** Services that something is remembered of. */
const most = 1000

/** @typeParam Job what waits for a service */
export interface Service<Job> {
  readonly circuit: Circuit
  /** Whether the provider has no other. */
  readonly isOnly: boolean
  /** Whether it took the last message in time, or said what is wrong with the device. */
  isProven: boolean
  /** Messages on their way to it. */
  running: number
  /** Those that wait for it, or for the share of services like it. */
  readonly held: Job[]
}

export class Services<Job> {
  readonly #only: Service<Job>
  readonly #byName = new Map<string, Service<Job>>()

  /** @param failures in a row after which a service is not asked @param pause for so many milliseconds */
  constructor (readonly failures: number, readonly pause: number) {
    this.#only = { circuit: new Circuit(failures, pause), isOnly: true, isProven: true, running: 0, held: [] }
  }

  /** @param name undefined: the provider has one */
  named (name: string | undefined): Service<Job> {
    if (name === undefined) return this.#only
    const known = this.#byName.get(name)
    if (known !== undefined) return known
    const [oldest] = this.#byName.keys()
    if (this.#byName.size >= most) this.#byName.delete(oldest as string)
    const service: Service<Job> = {
      circuit: new Circuit(this.failures, this.pause), isOnly: false, isProven: false, running: 0, held: []
    }
    this.#byName.set(name, service)
    return service
  }
}
