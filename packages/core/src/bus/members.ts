/** The other members of a bus, as far as they were heard of, and the number of the last message of each. */
import type { Envelope } from './envelope.js'

/** A message is to be told (`next`), was told before (`known`), or comes after others that are missing (`gap`). */
export type Arrival = 'next' | 'known' | 'gap'

export class Members {
  /** Undefined: whatever comes next is the next. */
  readonly #last = new Map<string, number | undefined>()
  /** When each was heard of, by the clock of `performance`. */
  readonly #heard = new Map<string, number>()

  get size (): number {
    return this.#last.size
  }

  has (member: string): boolean {
    return this.#last.has(member)
  }

  /** A member that was not heard of before has missed nothing of only with its first message. */
  arrive ({ from, number }: Envelope): Arrival {
    const isKnown = this.#last.has(from)
    const last = this.#last.get(from)
    this.#heard.set(from, performance.now())
    if (last !== undefined && number <= last) return 'known'
    this.#last.set(from, number)
    if (isKnown && last === undefined) return 'next'
    return number === (last ?? 0) + 1 ? 'next' : 'gap'
  }

  remove (member: string): void {
    this.#last.delete(member)
    this.#heard.delete(member)
  }

  /** Those that were not heard of for so many milliseconds. */
  silentFor (milliseconds: number): string[] {
    const since = performance.now() - milliseconds
    return [...this.#heard].filter(([, at]) => at < since).map(([member]) => member)
  }

  /** What they sent meanwhile is lost, and everybody knows it. */
  lose (): void {
    const now = performance.now()
    for (const member of this.#last.keys()) {
      this.#last.set(member, undefined)
      // Whether it was silent meanwhile nobody knows.
      this.#heard.set(member, now)
    }
  }
}
