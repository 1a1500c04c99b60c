/** The time that a call has, and its caller's patience. */
export class Deadline {
  readonly #controller = new AbortController()
  readonly #timer: NodeJS.Timeout | undefined
  readonly #until: number
  readonly #giveUp = (): void => { this.#controller.abort(this.outer?.reason) }
  isOver = false

  /** @param timeout milliseconds; 0 for no end */
  constructor (timeout: number, readonly outer: AbortSignal | undefined) {
    this.#until = timeout === 0 ? Infinity : Date.now() + timeout
    if (timeout > 0) {
      this.#timer = setTimeout(() => {
        this.isOver = true
        this.#controller.abort()
      }, timeout)
    }
    if (outer?.aborted === true) this.#giveUp()
    else outer?.addEventListener('abort', this.#giveUp)
  }

  get signal (): AbortSignal {
    return this.#controller.signal
  }

  /** Milliseconds. */
  get left (): number {
    return this.#until - Date.now()
  }

  /** Ends the time, not the patience: for answers that are read as they come. */
  stopClock (): void {
    clearTimeout(this.#timer)
  }

  end (): void {
    this.stopClock()
    this.outer?.removeEventListener('abort', this.#giveUp)
  }

  /** Waits, and ends early with the reason when nobody waits any more. */
  async pause (delay: number): Promise<void> {
    const { signal } = this
    await new Promise<void>((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer)
        reject(signal.reason)
      }
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', stop)
        resolve()
      }, delay)
      if (signal.aborted) stop()
      else signal.addEventListener('abort', stop, { once: true })
    })
  }
}
