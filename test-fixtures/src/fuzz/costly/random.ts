/** A stream of random numbers that a seed repeats. */
export class Random {
  #state: number

  constructor (seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 to 1, without 1: Mulberry32, 32 bits. */
  next (): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let t = this.#state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number below `end`. */
  below (end: number): number {
    return Math.floor(this.next() * end)
  }

  /** Whether it happens, once in so many times. */
  once (inSo: number): boolean {
    return this.below(inSo) === 0
  }

  of<T> (choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T
  }

  list<T> (least: number, most: number, make: () => T): T[] {
    return Array.from({ length: least + this.below(most - least + 1) }, make)
  }
}
