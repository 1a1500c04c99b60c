/** Several that are told of the reads of one connector. */
import { within } from '../observers.js'
import type { Recorder } from './recorded-reads.js'

export class Recorders {
  #list: readonly Recorder[] = []
  #all: Recorder | undefined

  /** @param changed called when there are others */
  constructor (readonly changed: () => void) {}

  /** All of them as one, the first outermost; undefined: none. */
  get all (): Recorder | undefined {
    return this.#all
  }

  /** @returns takes it away again */
  readonly add = (recorder: Recorder): (() => void) => {
    this.#set([...this.#list, recorder])
    return () => { this.#set(this.#list.filter(each => each !== recorder)) }
  }

  #set (list: readonly Recorder[]): void {
    this.#list = list
    this.#all = list.length === 0 ? undefined : list.reduceRight((inner, outer) => both(outer, inner))
    this.changed()
  }
}

const both = (outer: Recorder, inner: Recorder): Recorder => ({
  read: (read, work) => outer.read(read, () => inner.read(read, work)),
  request: outer.request === undefined || inner.request === undefined
    ? outer.request ?? inner.request
    : within(outer.request, inner.request)
})
