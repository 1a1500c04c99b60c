/** A model's rows, as a file has them. */
import type { Row, StoredModel } from '@fastback/core'

/** One model of a file. */
export interface SavedModel {
  readonly lastId: number
  /** The rows, by the types of the model where the file does not tell them. */
  rows (model: StoredModel): Row[]
  /** What stood in the file, in this connector's format. */
  readonly written: unknown
}
