/** Somebody else, who asks for little and waits: how long a cheap route takes while the attack goes on. */
import { Connection } from './wire.js'

export class Prober {
  readonly #connection: Connection
  #timer: NodeJS.Timeout | undefined
  #worst = 0
  #pending: number | undefined

  constructor (port: number, readonly target: string, readonly interval = 50) {
    this.#connection = new Connection(port)
  }

  start (): this {
    this.#timer = setTimeout(() => { this.#probe().catch(() => {}) }, this.interval)
    return this
  }

  async #probe (): Promise<void> {
    this.#pending = performance.now()
    const { milliseconds, failure } = await this.#connection.send({
      operation: 'probe',
      verb: 'GET',
      target: this.target,
      headers: []
    })
    this.#pending = undefined
    // A server that is gone is noticed elsewhere.
    if (failure !== 'closed') this.#worst = Math.max(this.#worst, milliseconds)
    if (this.#timer !== undefined) this.start()
  }

  /** The longest wait in milliseconds since this was asked last, what is still waited for included. */
  takeWorst (): number {
    const worst = Math.max(this.#worst, this.#pending === undefined ? 0 : performance.now() - this.#pending)
    this.#worst = 0
    return worst
  }

  stop (): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#connection.close()
  }
}
