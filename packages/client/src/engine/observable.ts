/** A value whose changes can be listened to. */
export class Observable<T> {
  readonly #listeners = new Set<(value: T) => void>()

  constructor (private current: T) {}

  /** The value as it is now; the same object until it changes. */
  get value (): T { return this.current }

  /** Calls a listener at each change. @returns what ends that */
  subscribe = (listener: (value: T) => void): () => void => {
    this.#listeners.add(listener)
    return () => { this.#listeners.delete(listener) }
  }

  set (value: T): void {
    this.current = value
    for (const listener of this.#listeners) listener(value)
  }
}
