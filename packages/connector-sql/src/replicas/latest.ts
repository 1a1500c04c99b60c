/**
 * Asks one question at a time, for as many as want a response: each gets that of a question that was asked after it
 * came.
 */
export class Latest<T> {
  readonly #ask: () => Promise<T>
  #running: Promise<T> | undefined
  #next: Promise<T> | undefined

  constructor (ask: () => Promise<T>) {
    this.#ask = ask
  }

  get (): Promise<T> {
    if (this.#running === undefined) return this.#start()
    this.#next ??= this.#running.then(() => {}, () => {}).then(() => {
      this.#next = undefined
      return this.#start()
    })
    return this.#next
  }

  #start (): Promise<T> {
    const running = this.#ask().finally(() => { if (this.#running === running) this.#running = undefined })
    this.#running = running
    return running
  }
}
