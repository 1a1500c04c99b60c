import type { Change } from '../changes/change.js'
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
  /** The change after the one with this number; undefined when there is none yet, or none that is known. */
  after (sequence: number): Change | undefined
  /**
   * Calls `listener` for every change from now on.
   * @param compares whether it asks what rows were before a change, which is then kept
   * @returns a function that ends it
   */
  listen (listener: () => void, compares?: boolean): () => void
}
