/**
 * A bounded map for prepared statements and the like. Two generations instead of a linked list: a hit in the young one
 * is a plain map look-up, which is what nearly every request does; what has not been used while a whole generation
 * filled up is dropped.
 */
export class StatementCache<T> {
  #young = new Map<string, T>()
  #old = new Map<string, T>()
  readonly #generation: number

  /** @param limit most entries kept, at least 2 */
  constructor (readonly limit: number) {
    this.#generation = Math.max(1, Math.floor(limit / 2))
  }

  get size (): number {
    return this.#young.size + this.#old.size
  }

  get (key: string): T | undefined {
    const young = this.#young.get(key)
    if (young !== undefined) return young
    const old = this.#old.get(key)
    if (old !== undefined) {
      this.#old.delete(key)
      this.set(key, old)
    }
    return old
  }

  set (key: string, value: T): void {
    if (this.#young.size >= this.#generation) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(key, value)
  }

  clear (): void {
    this.#young.clear()
    this.#old.clear()
  }
}
