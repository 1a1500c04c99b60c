import type { CallSignal } from './call.js'

/** The time that a call has, and its caller's patience. */
export class Deadline {
  readonly #timer: NodeJS.Timeout | undefined
  readonly #until: number
  readonly #giveUp = (): void => { this.#end(this.outer?.reason) }
  #stop: ((reason: unknown) => void) | undefined
  /** Whether the time is over. */
  isOver = false
  /** Whether it is over, or nobody waits any more. */
  hasEnded = false
  /** Why nobody waits any more. */
  reason: unknown

  /** @param timeout milliseconds; 0 for no end */
  constructor (timeout: number, readonly outer: CallSignal | undefined) {
    this.#until = timeout === 0 ? Infinity : Date.now() + timeout
    if (timeout > 0) {
      this.#timer = setTimeout(() => {
        this.isOver = true
        this.#end(new Error('the time is over'))
      }, timeout)
    }
    if (outer === undefined) return
    if (outer.aborted) this.#giveUp()
    else outer.addEventListener('abort', this.#giveUp)
  }

  /** Milliseconds. */
  get left (): number {
    return this.#until - Date.now()
  }

  /** What is under way is stopped by this, in place of what was before; at once where it has ended. */
  stopWith (stop: (reason: unknown) => void): void {
    this.#stop = stop
    if (this.hasEnded) stop(this.reason)
  }

  /** Ends the time, not the patience: for responses that are read as they come. */
  stopClock (): void {
    clearTimeout(this.#timer)
  }

  /** The call is done. */
  finish (): void {
    this.stopClock()
    this.#stop = undefined
    this.outer?.removeEventListener('abort', this.#giveUp)
  }

  /** Waits, and ends early with the reason when nobody waits any more. */
  async pause (delay: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, delay)
      this.stopWith(reason => {
        clearTimeout(timer)
        reject(reason)
      })
    })
  }

  #end (reason: unknown): void {
    this.hasEnded = true
    this.reason = reason
    this.#stop?.(reason)
  }
}
