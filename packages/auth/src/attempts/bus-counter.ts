/** Counts that the processes of an application tell each other. */
import { sha256 } from '@fastback/core/connector'
import type { ModelRegistry } from '@fastback/core'
import { MemoryCounter, type AttemptCounter, type Count, type Limit } from './counter.js'

const topic = 'attempts'

type Told =
  | readonly ['take', key: string, until: number]
  | readonly ['giveBack', key: string]
  | readonly ['clear', key: string]
  | readonly ['mark', key: string, until: number]

/**
 * Counts in the memory of each process, and tells the others over the bus: they count the same within milliseconds.
 * Attempts at the same moment in several processes may be a few more than the limit; a process that starts knows what
 * comes from then on. Without a bus it is a `MemoryCounter`.
 *
 * ```js
 * const counter = new BusCounter(registry)
 * counter.take('pin 7', { max: 1, timeWindow: 60_000 }).allowed // true
 * ```
 */
export class BusCounter implements AttemptCounter {
  readonly #here = new MemoryCounter()

  constructor (readonly registry: ModelRegistry) {
    registry.bus.subscribe(topic, {
      message: told => { this.#hear(told as Told) },
      // What was missed makes limits wider for the rest of a window.
      reset () {}
    })
  }

  take (key: string, limit: Limit): Count {
    const count = this.#here.take(this.#name(key), limit)
    if (count.allowed) this.#tell(['take', this.#name(key), count.until])
    return count
  }

  look (key: string, limit: Limit): Count {
    return this.#here.look(this.#name(key), limit)
  }

  giveBack (key: string, count: Count): void {
    this.#here.giveBack(this.#name(key), count)
    this.#tell(['giveBack', this.#name(key)])
  }

  clear (key: string): void {
    this.#here.clear(this.#name(key))
    this.#tell(['clear', this.#name(key)])
  }

  mark (key: string, time: number): void {
    this.#here.mark(this.#name(key), time)
    this.#tell(['mark', this.#name(key), Date.now() + time])
  }

  isMarked (key: string): boolean {
    return this.#here.isMarked(this.#name(key))
  }

  /** What others hear has one length, and no names of accounts. */
  #name (key: string): string {
    return this.registry.bus.driver === undefined ? key : sha256(key)
  }

  #tell (told: Told): void {
    const { bus } = this.registry
    if (bus.driver !== undefined) bus.publish(topic, told)
  }

  #hear (told: Told): void {
    switch (told[0]) {
      case 'take': this.#here.add(told[1], told[2]); break
      case 'giveBack': this.#here.takeBack(told[1]); break
      case 'clear': this.#here.clear(told[1]); break
      case 'mark': this.#here.mark(told[1], told[2] - Date.now())
    }
  }
}
