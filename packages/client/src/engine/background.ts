/** When to sync: after writes, when the server says so, when the line is back, and from time to time (SYD-32). */
import { asClientError, isCode, type ClientError } from '../errors.js'
import type { Tabs } from './tabs.js'
import { backOff, unref, type Retry } from './timers.js'

export interface Timing {
  /** Milliseconds between two looks at the server, where it does not say when. */
  readonly pollInterval: number
  readonly retry: Retry
}

/** What came of a sync, for the state. */
export interface Outcome {
  started (): void
  /** @param error undefined: it went well */
  ended (error?: ClientError): Promise<void>
}

export class Background {
  readonly #tabs: Tabs
  readonly #work: (signal: AbortSignal) => Promise<void>
  readonly #timing: Timing
  readonly #outcome: Outcome
  readonly #signal: AbortSignal
  readonly #isAutomatic: boolean
  #running: Promise<void> | undefined
  #isDue = false
  #timer: ReturnType<typeof setTimeout> | undefined
  #failures = 0
  /** After a 401, or for an outdated application: only who calls `now` gets on. */
  #isPaused = false

  constructor (
    tabs: Tabs, work: (signal: AbortSignal) => Promise<void>, timing: Timing, outcome: Outcome, signal: AbortSignal,
    isAutomatic: boolean
  ) {
    this.#tabs = tabs
    this.#work = work
    this.#timing = timing
    this.#outcome = outcome
    this.#signal = signal
    this.#isAutomatic = isAutomatic
    signal.addEventListener('abort', () => { clearTimeout(this.#timer) }, { once: true })
    if (isAutomatic) this.#watch()
  }

  /** Somebody thinks that there is something to do. */
  request = (): void => {
    if (!this.#isAutomatic || this.#isPaused || this.#signal.aborted) return
    if (this.#running !== undefined) this.#isDue = true
    else this.#run(this.#signal).catch(() => {})
  }

  /**
   * Syncs now, whatever happened before. What was written before the call has gone up when it ends.
   * @throws ClientError
   */
  async now (signal?: AbortSignal): Promise<void> {
    this.#isPaused = false
    while (this.#running !== undefined) await this.#running.catch(() => {})
    await this.#run(signal === undefined ? this.#signal : AbortSignal.any([signal, this.#signal]))
  }

  /** The line is back, or somebody looks at the page: waiting any longer has no sense. */
  #watch (): void {
    const { document } = globalThis as { document?: Document }
    const signal = this.#signal
    if (typeof globalThis.addEventListener === 'function') globalThis.addEventListener('online', this.request, { signal })
    document?.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') this.request()
    }, { signal })
  }

  async #run (signal: AbortSignal): Promise<void> {
    clearTimeout(this.#timer)
    this.#running = this.#tabs.alone('sync', signal, async () => {
      this.#isDue = false
      this.#outcome.started()
      await this.#work(signal)
    }).then(async () => await this.#ended(), async (error: unknown) => {
      await this.#ended(error)
      throw error
    }).finally(() => {
      this.#running = undefined
      if (this.#isDue) this.request()
    })
    await this.#running
  }

  async #ended (error?: unknown): Promise<void> {
    if (this.#signal.aborted) return
    // Called off by who asked for it: the next look is as usual.
    const isFine = error === undefined || (error as { name?: unknown }).name === 'AbortError'
    if (isFine) {
      this.#failures = 0
      await this.#outcome.ended()
      this.#later(this.#timing.pollInterval)
      return
    }
    const told = asClientError(error)
    this.#isPaused = isCode(told, 'UNAUTHORIZED', 'CLIENT_OUTDATED')
    this.#isDue = false
    this.#later(told.retryAfter ?? backOff(this.#timing.retry, this.#failures++))
    await this.#outcome.ended(told)
  }

  #later (wait: number): void {
    if (!this.#isAutomatic || this.#isPaused) return
    // Longer waits than these are none at all.
    this.#timer = setTimeout(this.request, Math.min(wait, 2 ** 31 - 1))
    unref(this.#timer)
  }
}
