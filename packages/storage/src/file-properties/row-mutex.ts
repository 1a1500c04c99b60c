/** Changes of the files of one row, one after the other: a file that one of them keeps must not go with another. */
export class RowMutex {
  readonly #last = new Map<string, Promise<unknown>>()

  async take<T> (row: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(row)
    const mine = (before ?? Promise.resolve()).then(work, work)
    this.#last.set(row, mine)
    try {
      return await mine
    } finally {
      if (this.#last.get(row) === mine) this.#last.delete(row)
    }
  }
}
