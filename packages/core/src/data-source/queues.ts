import { isPromise, type MaybePromise } from '../maybe-promise.js'
import { Inside } from './inside.js'

/**
 * Work under a name, one after the other. Work that is started from within other work waits for nothing: two that hold
 * a name each could wait for each other for ever. Costs nothing but a look into a map while the work answers at once.
 */
export class Queues {
  readonly #last = new Map<string, Promise<void>>()
  readonly #within = new Inside<{ open: boolean }>()

  run<T> (name: string, work: () => MaybePromise<T>): MaybePromise<T> {
    // What somebody started within work and did not wait for may come when that is over.
    if (this.#within.current?.open === true) return work()
    const before = this.#last.get(name)
    const holder = { open: true }
    const start = (): MaybePromise<T> => this.#within.run(holder, work)
    const result = before === undefined ? start() : before.then(start)
    if (!isPromise(result)) return result
    const leave = (): void => {
      holder.open = false
      if (this.#last.get(name) === settled) this.#last.delete(name)
    }
    const settled: Promise<void> = result.then(leave, leave)
    this.#last.set(name, settled)
    return result
  }
}
