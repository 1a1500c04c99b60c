/** What stores were asked, in the order of their first statements. */
import type { StoreRead, StoreStatement } from '../data-source/explanation.js'
import { isPromise, type MaybePromise } from '../maybe-promise.js'

/** What was asked of a store. */
export interface Question {
  readonly dataSource: string
  /** What it belongs to; undefined for statements of the application's own. */
  readonly read: StoreRead | undefined
  /** Undefined for stores that send no statements. */
  readonly statement: StoreStatement | undefined
}

/** A question, and how often it was asked with whatever values. */
export interface Recorded extends Question {
  times: number
  milliseconds: number
}

/** Statements that are told of; a list of many batches has more. */
const most = 50

export class Recording {
  readonly #asked = new Map<string, Recorded>()
  /** Statements that are not told of. */
  left = 0

  get asked (): readonly Recorded[] {
    return [...this.#asked.values()]
  }

  /** Asks, and keeps what was asked and how long it took. */
  of<T> (question: Question, ask: () => MaybePromise<T>): MaybePromise<T> {
    const recorded = this.#recorded(question)
    if (recorded === undefined) return ask()
    const began = performance.now()
    const end = (): void => { recorded.milliseconds += performance.now() - began }
    const result = ask()
    if (isPromise(result)) result.then(end, end)
    else end()
    return result
  }

  #recorded (question: Question): Recorded | undefined {
    const { dataSource, read, statement } = question
    const key = JSON.stringify([dataSource, statement?.sql ?? [read?.model.name, read?.operation]])
    const known = this.#asked.get(key)
    if (known !== undefined) {
      known.times++
      return known
    }
    if (this.#asked.size >= most) {
      this.left++
      return undefined
    }
    const recorded = { ...question, times: 1, milliseconds: 0 }
    this.#asked.set(key, recorded)
    return recorded
  }
}
