/** Lets those who want the same thing have it one after the other. */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<unknown>>()

  async take<T> (key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key)
    const mine = before === undefined ? work() : before.then(work, work)
    this.#last.set(key, mine)
    try {
      return await mine
    } finally {
      if (this.#last.get(key) === mine) this.#last.delete(key)
    }
  }
}
