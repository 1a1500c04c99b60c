import type { Change, ChangeGap } from '../changes/change.js'
import type { ModelClass } from './model-class.js'

/** What changes in a model's rows, for those who listen. */
export interface ChangeFeed {
  readonly Model: ModelClass
  /** The number of the last change. */
  readonly sequence: number
  /** The number before the first change that is still known. */
  readonly begin: number
  /** Whether changes after `sequence` are all still known. */
  reaches (sequence: number): boolean
  /**
   * The change after the one with this number, or that changes are lost there, which takes a number as well; undefined
   * when there is none yet, or none that is known.
   */
  after (sequence: number): Change | ChangeGap | undefined
  /**
   * Calls `listener` for every change from now on.
   * @param compares whether it asks what rows were before a change, which is then kept
   * @returns a function that ends it
   */
  listen (listener: () => void, compares?: boolean): () => void
  /**
   * Calls `listener` after each write by a condition, with the milliseconds since it began. It is told row by row what
   * was found by the condition then: rows that others have brought into it meanwhile were written as well, and nobody
   * tells of that.
   */
  listenToBulk (listener: (age: number) => void): () => void
  /** Tells other processes of changes from now on, while there are any, and hears of theirs. */
  share (): void
}
