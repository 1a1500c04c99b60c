/** Stops asking a service that fails whatever it is asked (PU-74). */
export class Circuit {
  #failures = 0
  #until = 0

  /** @param most failures in a row, of which none was a device's @param pause milliseconds */
  constructor (readonly most: number, readonly pause: number) {}

  /** Milliseconds until something may be sent; 0: now. */
  wait (now = Date.now()): number {
    return Math.max(0, this.#until - now)
  }

  /** A service that knows about a device, or has taken a message, is well. */
  succeeded (): void {
    this.#failures = 0
  }

  failed (now = Date.now()): void {
    this.#failures++
    if (this.#failures < this.most) return
    this.#until = now + this.pause
    // After the pause the first failure is enough.
    this.#failures = this.most - 1
  }
}
