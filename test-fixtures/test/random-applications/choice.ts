/** Choices from a seed: the same seed makes the same application and the same requests, on every machine. */
export class Choice {
  #state: number

  constructor (seed: number) {
    this.#state = (seed * 2654435761) >>> 0
  }

  /** Mulberry32: at least 0, less than 1. */
  next (): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let t = this.#state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }

  /** A whole number below `end`. */
  below (end: number): number {
    return Math.floor(this.next() * end)
  }

  /** True with this probability. */
  chance (probability: number): boolean {
    return this.next() < probability
  }

  of<T> (list: readonly T[]): T {
    return list[this.below(list.length)] as T
  }

  /** Some of a list, in its order; each with this probability. */
  some<T> (list: readonly T[], probability = 0.5): T[] {
    return list.filter(() => this.chance(probability))
  }
}
