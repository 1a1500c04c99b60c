/** How much one page of a pull has: what a response may have (security.md, S-180), and then the client comes again. */
import { isRemote, type ModelClass, type OperationOptions } from '@fastback/core'
import { charactersOf, fewRows } from '@fastback/core/connector'

export class PageBudget {
  #left: number
  #size: number

  constructor ({ registry }: ModelClass, options: OperationOptions) {
    const isBound = isRemote(options)
    this.#left = isBound ? registry.queryLimits.bytes : Infinity
    this.#size = isBound ? fewRows : Infinity
  }

  get isFull (): boolean {
    return this.#left < 0
  }

  /** How many are read next: few at first, as nobody knows how long they are. */
  next (wanted: number): number {
    const size = Math.min(wanted, this.#size)
    this.#size = 2 * fewRows
    return size
  }

  take<T> (changes: readonly T[]): readonly T[] {
    this.#left -= charactersOf(changes)
    return changes
  }

  takeTexts (texts: readonly string[]): void {
    for (const { length } of texts) this.#left -= length
  }
}
