/** What one request costs the process: how long its event loop is held, and how far its memory rises. */
import v8 from 'node:v8'

export interface Cost {
  /** Milliseconds: the longest time that nobody else was served. */
  readonly hold: number
  /**
   * Bytes above what was reachable before, garbage that was not collected yet included: heap, and buffers outside of
   * it.
   */
  readonly grown: number
}

/** Milliseconds between two looks. What the event loop is held is the time that one of them comes late. */
const interval = 1

const bytes = (): number => {
  const { used_heap_size: heap, external_memory: external } = v8.getHeapStatistics()
  return heap + external
}

export class Gauge {
  #timer: NodeJS.Timeout | undefined
  #before = 0
  #peak = 0
  #hold = 0
  #seen = 0

  /** Begins to look. What is not reachable should have been collected before. */
  start (): void {
    this.#before = this.#peak = bytes()
    this.#hold = 0
    this.#seen = performance.now()
    this.#wait()
  }

  /** Ends looking. */
  stop (): Cost {
    clearTimeout(this.#timer)
    this.#look()
    return { hold: this.#hold, grown: this.#peak - this.#before }
  }

  #wait (): void {
    this.#timer = setTimeout(() => {
      this.#look()
      this.#wait()
    }, interval)
  }

  #look (): void {
    const now = performance.now()
    this.#hold = Math.max(this.#hold, now - this.#seen - interval)
    this.#peak = Math.max(this.#peak, bytes())
    this.#seen = now
  }
}
