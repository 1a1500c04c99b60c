/** One request at a time for each upload: who comes later ends what is still going on. */

interface Turn { readonly done: Promise<void>, readonly cancel: () => void }

/**
 * A client whose connection broke comes again before the server knows of it: the older request must not hold the newer
 * one up, and must not write any more once that one looks how far it is.
 */
export class UploadMutex {
  readonly #current = new Map<string, Turn>()

  /** @param cancel ends the work soon; called when somebody else wants the turn */
  async take<T> (id: string, cancel: () => void, work: () => Promise<T>): Promise<T> {
    for (let other = this.#current.get(id); other !== undefined; other = this.#current.get(id)) {
      other.cancel()
      await other.done
    }
    let finish = (): void => {}
    this.#current.set(id, { done: new Promise(resolve => { finish = resolve }), cancel })
    try {
      return await work()
    } finally {
      this.#current.delete(id)
      finish()
    }
  }

  has (id: string): boolean {
    return this.#current.has(id)
  }
}
