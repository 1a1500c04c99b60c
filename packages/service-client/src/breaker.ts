import type { BreakerSettings } from './settings.js'

/** How a call went, for the breaker: one that its caller gave up says nothing about the service. */
export type Outcome = 'success' | 'failure' | 'unknown'

/**
 * Stops calls to a service that fails (service-connectors.md, LI-3): `failures` within `within` milliseconds open it
 * for `open` milliseconds; then one trial call decides.
 *
 * ```js
 * const trial = breaker.enter()
 * if (typeof trial === 'number') throw serviceUnavailable('weather', trial)
 * breaker.leave(trial, await tried() ? 'success' : 'failure')
 * ```
 */
export class Breaker {
  /** When the last failures were, the oldest first. */
  #failures: number[] = []
  #openUntil: number | undefined
  #trying = false

  constructor (readonly settings: BreakerSettings, readonly now: () => number = Date.now) {}

  /** Whether it knows nothing that must be kept: of hosts that nobody calls any more, there may be many. */
  get isIdle (): boolean {
    const isOpen = this.#openUntil !== undefined && this.#openUntil > this.now()
    return !isOpen && !this.#trying && !this.#failures.some(time => this.#isRecent(time))
  }

  /**
   * Lets a call through: true for the trial, false for any other. While the service is not to be called: the whole
   * seconds until it may be tried again.
   */
  enter (): boolean | number {
    if (this.#openUntil === undefined) return false
    const left = this.#openUntil - this.now()
    if (left > 0 || this.#trying) return Math.max(1, Math.ceil(left / 1000))
    this.#trying = true
    return true
  }

  /** @param isTrial what `enter` gave */
  leave (isTrial: boolean, outcome: Outcome): void {
    if (isTrial) {
      this.#trying = false
      if (outcome === 'success') this.#close()
      else if (outcome === 'failure') this.#open()
    } else if (outcome === 'failure' && this.#openUntil === undefined) {
      this.#failures = this.#failures.filter(time => this.#isRecent(time))
      this.#failures.push(this.now())
      if (this.#failures.length >= this.settings.failures) this.#open()
    }
  }

  #open (): void {
    this.#failures = []
    this.#openUntil = this.now() + this.settings.open
  }

  #close (): void {
    this.#failures = []
    this.#openUntil = undefined
  }

  #isRecent (time: number): boolean {
    return time > this.now() - this.settings.within
  }
}
